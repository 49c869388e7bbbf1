"""The contract of TableStore and its encoder, for every implementation."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from workbench.adapters.fakes.memory_tables import MemoryTables, PlainEncoder
from workbench.adapters.tables.parquet import ParquetEncoder
from workbench.adapters.tables.store import ParquetTables
from workbench.domain.errors import NotFound
from workbench.domain.ids import DocumentId
from workbench.domain.tables import Cell, CellKind, CellRange, CellValue, Table
from workbench.services.ingestion.table_builder import TableBuilder
from workbench.services.ports import ColumnCells, TableEncoder, TableStore

pytestmark = pytest.mark.req("LIB-5")

MOMENT = datetime(2025, 3, 9, 14, 5)  # noqa: DTZ001 - moments of spreadsheets have no zone
DOCUMENT, OTHER = DocumentId("doc_1"), DocumentId("doc_2")


class Kept(NamedTuple):
    store: TableStore
    encoder: TableEncoder

    def sheet(self, *rows: list[Cell], number: int = 1, name: str = "Prices") -> Table:
        builder = TableBuilder(self.encoder, number, name)
        for cells in rows:
            builder.row(cells[0].row, cells)
        table = builder.sheet().table
        assert table is not None
        return table

    def cells(self, area: CellRange | None = None, number: int = 1) -> list[Cell]:
        return [cell for row in self.store.rows(DOCUMENT, number, area) for cell in row.cells]


@pytest.fixture(params=["parquet", "memory"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    if request.param == "memory":
        return Kept(MemoryTables(), PlainEncoder())
    return Kept(ParquetTables(tmp_path / "tables"), ParquetEncoder())


def text(row: int, column: int, value: str) -> Cell:
    return Cell(row, column, value, value)


@pytest.mark.parametrize(
    ("value", "kind", "shown", "read"),
    [
        (1234.5, CellKind.NUMBER, "1,234.50 EUR", Decimal("1234.5")),
        (0.1, CellKind.NUMBER, "0.1", Decimal("0.1")),
        (10**15, CellKind.NUMBER, "1E+15", Decimal(10**15)),
        (Decimal("12.10"), CellKind.NUMBER, "12.10", Decimal("12.10")),
        (date(2025, 3, 9), CellKind.DATE, "9 March 2025", date(2025, 3, 9)),
        (MOMENT, CellKind.DATE, "2025-03-09 14:05", MOMENT),
        (time(8, 30), CellKind.DATE, "08:30", time(8, 30)),
        (timedelta(hours=30), CellKind.DATE, "30:00:00", timedelta(hours=30)),
        ("09/03/2025", CellKind.DATE, "09/03/2025", "09/03/2025"),
        (True, CellKind.BOOLEAN, "TRUE", True),
        ("#REF!", CellKind.ERROR, "#REF!", "#REF!"),
        ("=1+1 as text", CellKind.TEXT, "=1+1 as text", "=1+1 as text"),
        (None, CellKind.FORMULA, "formula without a stored value: =A1", None),
    ],
)
def test_a_cell_comes_back_as_it_was(kept: Kept, value: CellValue, kind: CellKind, shown: str, read: CellValue) -> None:
    formula = "=A1" if kind is CellKind.FORMULA else ""
    cell = Cell(2, 3, shown, value, kind, formula, "0.00")
    kept.store.save(DOCUMENT, [kept.sheet([text(1, 3, "Head")], [cell])])
    (found,) = kept.cells(CellRange(2, 1, 2, 9))
    assert found == cell._replace(value=read)
    assert type(found.value) is type(read)


def test_a_range_gives_its_cells_only_row_by_row(kept: Kept) -> None:
    rows = [[text(row, column, f"{row}/{column}") for column in (1, 2, 4)] for row in (1, 2, 5, 6)]
    kept.store.save(DOCUMENT, [kept.sheet(*rows)])
    assert [cell.text for cell in kept.cells(CellRange(2, 2, 5, 3))] == ["2/2", "5/2"]
    assert [row.number for row in kept.store.rows(DOCUMENT, 1)] == [1, 2, 5, 6]
    assert kept.cells(CellRange(3, 1, 4, 9)) == []


def test_rows_of_several_parts_are_one_table(kept: Kept) -> None:
    builder = TableBuilder(kept.encoder, 1, "", paged_rows=1)
    builder.row(1, [text(1, 1, "n"), text(1, 2, "double")])
    builder.row(2, [text(2, 1, "0"), text(2, 2, "0")])
    for start in (3, 1003):
        rows = range(start, start + 1000)
        builder.block(
            list(rows),
            {
                1: ColumnCells([str(row) for row in rows], CellKind.NUMBER),
                2: ColumnCells([str(2 * row) if row % 2 else None for row in rows], CellKind.NUMBER),
            },
        )
    table = builder.sheet().table
    assert table is not None
    kept.store.save(DOCUMENT, [table])
    assert [cell.value for cell in kept.cells(CellRange(1001, 1, 1005, 2))] == [
        Decimal(number) for number in (1001, 2002, 1002, 1003, 2006, 1004, 1005, 2010)
    ]
    assert sum(1 for _ in kept.store.rows(DOCUMENT, 1)) == 2002
    assert table.info.area == CellRange(1, 1, 2002, 2)
    assert table.info.cells == 4 + 2000 + 1000


def test_saving_again_replaces_everything(kept: Kept) -> None:
    first = [kept.sheet([text(1, 1, "old")]), kept.sheet([text(1, 1, "gone")], number=2, name="Second")]
    kept.store.save(DOCUMENT, first)
    kept.store.save(OTHER, first)
    kept.store.save(DOCUMENT, [kept.sheet([text(1, 1, "new")])])
    kept.store.save(DOCUMENT, [kept.sheet([text(1, 1, "new")])])
    assert [info.name for info in kept.store.tables(DOCUMENT)] == ["Prices"]
    assert [cell.text for cell in kept.cells()] == ["new"]
    assert kept.store.count(OTHER) == 2


def test_deleting_forgets_one_document_and_is_no_error_twice(kept: Kept) -> None:
    for document in (DOCUMENT, OTHER):
        kept.store.save(document, [kept.sheet([text(1, 1, "x")])])
    assert kept.store.count(DOCUMENT) == 1
    kept.store.delete_document(DOCUMENT)
    kept.store.delete_document(DOCUMENT)
    assert (kept.store.count(DOCUMENT), kept.store.count(OTHER)) == (0, 1)
    assert kept.store.tables(DOCUMENT) == []
    with pytest.raises(NotFound):
        kept.store.rows(DOCUMENT, 1)
    kept.store.save(OTHER, [])
    assert kept.store.count(OTHER) == 0


def test_readers_never_see_half_of_a_save(
    kept: Kept, together: Callable[[Callable[[int], Any], int], list[Any]]
) -> None:
    tables = [kept.sheet([text(1, 1, str(number))], number=number, name=f"S{number}") for number in range(1, 6)]
    kept.store.save(DOCUMENT, tables)

    def work(index: int) -> set[int]:
        if index == 0:
            for _ in range(20):
                kept.store.save(DOCUMENT, tables)
            return {5}
        return {kept.store.count(DOCUMENT) for _ in range(40)}

    counts = set().union(*together(work, 4))
    assert counts <= {0, 5}
