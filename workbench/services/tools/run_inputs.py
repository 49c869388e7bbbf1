"""Cells as input of code: named columns and exact values, passed row by row, so that a table of any length can be used."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import NamedTuple

from workbench.domain.calculations import InputHash, RunInput
from workbench.domain.ids import Ref
from workbench.domain.tables import Cell, CellKind, CellRange, TableInfo, column_letters
from workbench.services.ports import SandboxTable, Scalar, TableRow
from workbench.services.tools.cells import Place
from workbench.services.tools.table_notes import columns_within


class Columns(NamedTuple):
    """The columns of an input: their numbers in the sheet, and their names in the code, each once."""

    numbers: tuple[int, ...]
    names: tuple[str, ...]


class InputRows:
    """The rows of an input, counted as they are read. Only rows below the header are given: those above it are no data."""

    def __init__(self, rows: Callable[[], Iterator[TableRow]], columns: Columns, header_row: int) -> None:
        self._rows = rows
        self._columns = columns
        self._header_row = header_row
        self.count = 0

    def __iter__(self) -> Iterator[tuple[Scalar, ...]]:
        self.count = 0
        for row in self._rows():
            if row.number > self._header_row:
                self.count += 1
                cells = {cell.column: scalar(cell) for cell in row.cells}
                yield tuple(cells.get(column) for column in self._columns.numbers)


def columns(table: TableInfo, area: CellRange) -> Columns:
    """Name the columns in ``area`` by the header, or by their letters; of two alike, the later one's letters are added."""
    known = columns_within(table, area)
    numbers = tuple(each.column for each in known) or tuple(range(area.first_column, area.last_column + 1))
    headers = {each.column: " ".join(each.name.split()) for each in known}
    seen: Counter[str] = Counter()
    names = []
    for number in numbers:
        letters = column_letters(number)
        name = headers.get(number) or letters
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({letters})")
    return Columns(numbers, tuple(names))


def sandbox_table(name: str, place: Place, rows: Callable[[], Iterator[TableRow]]) -> tuple[SandboxTable, InputRows]:
    """Return the table for the code, and its rows, which know their number once the sandbox has read them."""
    header_row = place.table.header_row
    given = columns(place.table, place.asked)
    body = InputRows(rows, given, header_row)
    return SandboxTable(name, given.names, body), body


def run_input(given: InputHash, place: Place, table: SandboxTable, rows: int, page: int, ref: Ref | None) -> RunInput:
    """Return what is kept of an input, so that the same cells can be given again."""
    return RunInput(
        name=given.name,
        sha256=given.sha256,
        document_id=place.document.id,
        origin=place.label,
        title=place.document.display_name,
        table=place.table.number,
        cells=place.asked,
        rows=rows,
        columns=table.columns,
        page=page,
        ref=ref,
    )


def scalar(cell: Cell) -> Scalar:
    """Return a cell's value as code gets it: numbers exact, dates as dates, None for a formula without a result."""
    value = cell.value
    match cell.kind:
        case CellKind.NUMBER if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            return value if isinstance(value, Decimal) else Decimal(str(value))
        case CellKind.DATE if isinstance(value, datetime):
            return value.date() if value.time() == time() else value
        case CellKind.DATE if isinstance(value, date):
            return value
        case CellKind.BOOLEAN if isinstance(value, bool):
            return value
        case CellKind.FORMULA:
            return None
        case _:
            return cell.text
