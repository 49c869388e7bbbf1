"""Tags: read, trimmed, matched."""

import pytest
from pydantic import ValidationError

from workbench.domain.errors import PinciteError
from workbench.domain.tags import Tag, matches, parse_tag

pytestmark = pytest.mark.req("FIND-2")


def test_a_tag_is_trimmed_and_its_key_lower_case() -> None:
    assert Tag(key="  Document   Type ", value=" MSA  2024 ") == Tag(key="document type", value="MSA 2024")


def test_a_tag_read_from_text_keeps_later_equals_signs() -> None:
    assert parse_tag("rate=a=b") == Tag(key="rate", value="a=b")


@pytest.mark.parametrize("text", ["supplier", "=Acme", "supplier=", " = ", ""])
def test_an_incomplete_tag_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(PinciteError, match="supplier=Acme"):
        parse_tag(text)


@pytest.mark.parametrize("field", ["key", "value"])
def test_neither_side_may_be_empty(field: str) -> None:
    with pytest.raises(ValidationError):
        Tag(**{"key": "k", "value": "v", field: "  "})


def test_every_wanted_key_must_match_by_one_of_its_values() -> None:
    tags = [Tag(key="supplier", value="Halden"), Tag(key="supplier", value="Acme"), Tag(key="region", value="EU")]
    assert matches(tags, {"supplier": ["ACME"], "Region": ["eu", "us"]})
    assert matches(tags, {})
    assert not matches(tags, {"supplier": ["Acme"], "region": ["US"]})
    assert not matches(tags, {"supplier": []})
