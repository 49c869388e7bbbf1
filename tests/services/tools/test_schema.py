import json

import pytest
from pydantic import Field

from workbench.domain.values import Value
from workbench.services.tools.ask_user import AskUserArguments
from workbench.services.tools.read_page import ReadPageArguments
from workbench.services.tools.rewrite_query import RewriteArguments
from workbench.services.tools.schema import strict_schema
from workbench.services.tools.search_documents import SearchArguments


class Inner(Value):
    title: str = "a property named like a keyword"


class Sample(Value):
    """Not shown to the model: the tool has its own description."""

    inner: tuple[Inner, ...] | None = None
    default: int = Field(default=3, ge=1, description="A property named default.")


def objects(node: object) -> list[dict[str, object]]:
    if isinstance(node, list):
        return [found for item in node for found in objects(item)]
    if not isinstance(node, dict):
        return []
    inside = [found for value in node.values() for found in objects(value)]
    return [node, *inside] if "properties" in node and isinstance(node.get("type"), str) else inside


def test_every_object_requires_all_its_properties_and_no_others() -> None:
    schema = strict_schema(Sample)
    found = objects(schema)
    assert len(found) == 2
    for node in found:
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])  # type: ignore[call-overload]


def test_defaults_and_titles_are_dropped_but_not_properties_of_those_names() -> None:
    schema = strict_schema(Sample)
    assert schema["properties"]["default"] == {
        "description": "A property named default.",
        "minimum": 1,
        "type": "integer",
    }
    assert "title" in schema["$defs"]["Inner"]["properties"]
    assert "description" not in schema


@pytest.mark.req("ASK-7")
@pytest.mark.parametrize("arguments", [SearchArguments, ReadPageArguments, RewriteArguments, AskUserArguments])
def test_no_tool_takes_a_collection_a_raw_filter_a_path_or_sql(arguments: type[Value]) -> None:
    names = {name for node in objects(strict_schema(arguments)) for name in node["properties"]}  # type: ignore[attr-defined]
    assert names <= {"query", "document_ids", "tags", "key", "value", "document_id", "page", "question"}
    assert not {"where", "filter", "collection", "path", "sql"} & set(json.dumps(sorted(names)).split('"'))
