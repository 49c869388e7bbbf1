"""Tables on pages become tables of cells: one over page breaks, with header, page and numbers, and not without a bound."""

from decimal import Decimal

import pytest

from tests.services.ingestion.test_chunking import table
from workbench.adapters.fakes.memory_tables import MemoryTables, PlainEncoder
from workbench.domain.ids import DocumentId
from workbench.domain.tables import CellRange
from workbench.services.ingestion import page_tables as module
from workbench.services.ingestion.page_tables import page_tables, unambiguous_number

pytestmark = pytest.mark.req("LIB-6")
OWNER = DocumentId("doc_7")
FIRST = table("Rates:", "Pier\tBerths\tDue", "Quay\t12\t7,45", "Dock\t9\t1,234")
SECOND = table("", "Pier\tBerths\tDue", "Mole\t4\t1,234.50", continues=True)


def test_a_table_over_a_page_break_is_one_with_its_header_once() -> None:
    (kept,) = page_tables([FIRST, SECOND], PlainEncoder()).tables
    info = kept.info
    assert (info.name, info.pages, info.header_row, info.area) == ("Table 1 (p. 1)", (1, 2), 1, CellRange(1, 1, 4, 3))
    assert [column.name for column in info.columns] == ["Pier", "Berths", "Due"]
    assert not info.cut
    store = MemoryTables()
    store.save(OWNER, [kept])
    rows = {row.number: [cell.value for cell in row.cells] for row in store.rows(OWNER, 1)}
    assert rows[3] == ["Dock", Decimal(9), "1,234"]
    assert rows[4] == ["Mole", Decimal(4), Decimal("1234.50")]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("17", "17"),
        ("-3.5", "-3.5"),
        ("7,45", "7.45"),
        ("1,234.50", "1234.50"),
        ("2.310,80", "2310.80"),
        ("$ 1,234,567", "1234567"),
        ("49 €", "49"),
    ],
)
def test_a_number_that_can_be_read_one_way_is_one(text: str, number: str) -> None:
    assert unambiguous_number(text) == Decimal(number)


@pytest.mark.parametrize("text", ["1,234", "1.234", "007", "4.1.2", "12 %", "2026-05-04", "", "-", "1,23,456.7x"])
def test_what_may_be_read_two_ways_stays_text(text: str) -> None:
    assert unambiguous_number(text) is None


def test_of_too_many_tables_the_first_are_kept_and_the_rest_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TABLES", 2)
    found = page_tables([FIRST.model_copy(update={"number": number}) for number in (1, 2, 3)], PlainEncoder())
    assert [each.info.name for each in found.tables] == ["Table 1 (p. 1)", "Table 2 (p. 2)"]
    assert "Of 3 tables on the pages the first 2 are kept" in found.notes[0]
