import json

import pytest
from pydantic import Field

from tests.services.conftest import Bench
from workbench.domain.values import Value
from workbench.services.tools.ask_user import AskUser
from workbench.services.tools.draw_chart import DrawChart
from workbench.services.tools.find_documents import FindDocuments
from workbench.services.tools.get_document import GetDocument
from workbench.services.tools.read_page import ReadPage
from workbench.services.tools.read_table import ReadTable
from workbench.services.tools.recommend import Recommend
from workbench.services.tools.rewrite_query import RewriteQuery
from workbench.services.tools.run_code import RunCode
from workbench.services.tools.schema import strict_schema
from workbench.services.tools.search_documents import SearchDocuments

EVERY = (
    *(RewriteQuery, SearchDocuments, FindDocuments, GetDocument, ReadPage, ReadTable, RunCode, DrawChart),
    *(AskUser, Recommend),
)


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
@pytest.mark.parametrize("arguments", [tool.arguments for tool in EVERY])
def test_no_tool_takes_a_collection_a_raw_filter_a_path_or_sql(arguments: type[Value]) -> None:
    names = {name for node in objects(strict_schema(arguments)) for name in node["properties"]}  # type: ignore[attr-defined]
    assert names <= {
        *("query", "document_ids", "tags", "key", "value", "document_id", "page", "question", "message", "text"),
        *("language", "date_from", "date_to", "period", "sort", "page_size", "sheet", "range"),
        *("code", "tables", "name", "title", "spec", "sources"),
    }
    assert not {"where", "filter", "collection", "path", "sql"} & set(json.dumps(sorted(names)).split('"'))


def test_every_registered_tool_is_checked_here(bench: Bench) -> None:
    offered = {spec.name for spec in bench.registry.toolbelt().specs}
    assert offered == {tool.name for tool in EVERY}


def test_the_schema_of_a_list_gives_its_bounds(bench: Bench) -> None:
    specs = {spec.name: spec.parameters["properties"] for spec in bench.registry.toolbelt().specs}
    assert {"type": "integer", "minimum": 1, "maximum": 50} in specs["find_documents"]["page_size"]["anyOf"]
    assert {"type": "string", "pattern": "^[a-z]{2}$"} in specs["search_documents"]["language"]["anyOf"]
