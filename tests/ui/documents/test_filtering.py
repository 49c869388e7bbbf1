"""Narrowing and ordering the list of documents."""

from datetime import UTC, date, datetime

import pytest

from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.tags import parse_tag
from workbench.ui.documents.filtering import Column, Visibility, Wanted, narrowed, ordered, tag_values

NOON = datetime(2025, 5, 6, 12, tzinfo=UTC)


def document(name: str, *tags: str, **more: object) -> Document:
    fields = {"state": DocumentState.READY, "uploaded_at": NOON, **more}
    return Document(
        id=DocumentId(name), container_id=ContainerId("con"), name=name, tags=tuple(map(parse_tag, tags)), **fields
    )


SHELF = (
    document("alpha.pdf", "supplier=Acme", "region=EMEA", dated=date(2024, 3, 1), language="en", page_count=3),
    document("beta.xlsx.pdf", "supplier=Brask", "region=EMEA", dated=date(2025, 1, 1), language="de", hidden=True),
    document("gamma.docx", "supplier=Acme", "region=APAC", state=DocumentState.EMBEDDING),
    document("delta.pdf", state=DocumentState.FAILED, title="Price list"),
    document("omega.pdf", page_count=9, pages_without_text=(2,)),
)


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (Wanted(), "alpha beta gamma delta omega"),
        (Wanted(words="PRICE list"), "delta"),
        (Wanted(words="acme apac"), "gamma"),
        (Wanted(tags=(("supplier", "Acme"), ("supplier", "Brask"), ("region", "EMEA"))), "alpha beta"),
        (Wanted(states=("Working",)), "gamma"),
        (Wanted(states=("Failed", "Partly readable")), "delta omega"),
        (Wanted(types=("Excel", "Word")), "beta gamma"),
        (Wanted(languages=("de",)), "beta"),
        (Wanted(date_from=date(2024, 3, 1), date_to=date(2024, 12, 31)), "alpha"),
        (Wanted(date_to=date(2030, 1, 1)), "alpha beta"),
        (Wanted(visibility=Visibility.HIDDEN), "beta"),
        (Wanted(visibility=Visibility.PUBLISHED, types=("Excel",)), ""),
    ],
)
def test_only_what_has_all_that_is_wanted_is_left(wanted: Wanted, names: str) -> None:
    assert [each.name.partition(".")[0] for each in narrowed(SHELF, wanted)] == names.split()


def test_both_dates_are_one_filter() -> None:
    assert Wanted(date_from=date(2024, 1, 1), date_to=date(2024, 2, 1), types=("PDF",), words="x").filters == 2


def test_what_has_no_value_comes_last_either_way() -> None:
    for down, names in ((False, "alpha beta"), (True, "beta alpha")):
        found = [each.name.partition(".")[0] for each in ordered(SHELF, Column.DATE, down=down)]
        assert found[:2] == names.split()
        assert found[2:] == ["delta", "gamma", "omega"]


@pytest.mark.parametrize("column", list(Column))
def test_every_column_orders_every_document(column: Column) -> None:
    up, down = ordered(SHELF, column, down=False), ordered(SHELF, column, down=True)
    assert {each.id for each in up} == {each.id for each in down} == {each.id for each in SHELF}


def test_tags_in_use_are_sorted_by_key_and_value() -> None:
    assert tag_values(SHELF) == {"region": ["APAC", "EMEA"], "supplier": ["Acme", "Brask"]}
