"""A table store in memory, and the encoder that goes with it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from workbench.domain.errors import NotFound
from workbench.domain.ids import DocumentId
from workbench.domain.tables import Cell, CellKind, CellRange, CellValue, Table, TableInfo, TablePart
from workbench.services.ports import ColumnCells, TableRow

_READERS: dict[str, Any] = {
    "Decimal": Decimal,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda token: timedelta(microseconds=int(token)),
}


class PlainEncoder:
    """The TableEncoder of :class:`MemoryTables`: JSON that people can read."""

    def part(self, rows: Sequence[int], columns: Mapping[int, ColumnCells]) -> TablePart:
        cells = [
            _cell(columns[column], index, row, column) for index, row in enumerate(rows) for column in sorted(columns)
        ]
        return TablePart(
            first_row=rows[0], last_row=rows[-1], data=json.dumps([cell for cell in cells if cell]).encode()
        )


def _cell(cells: ColumnCells, index: int, row: int, column: int) -> list[Any] | None:
    text = cells.texts[index]
    if text is None:
        return None
    kind = cells.kinds if isinstance(cells.kinds, CellKind) else cells.kinds[index] or CellKind.TEXT
    value: CellValue = text if cells.values is None else cells.values[index]
    if cells.values is None and kind is CellKind.NUMBER:
        value = Decimal(text)
    beside = [(held[index] if held else None) or "" for held in (cells.formulas, cells.formats)]
    return [row, column, text, _written(value, kind), kind, *beside]


class MemoryTables:
    """A :class:`~workbench.services.ports.TableStore` that ends with the process."""

    def __init__(self) -> None:
        self._tables: dict[DocumentId, tuple[Table, ...]] = {}

    def save(self, document_id: DocumentId, tables: Sequence[Table]) -> None:
        if tables:
            self._tables[document_id] = tuple(tables)
        else:
            self.delete_document(document_id)

    def tables(self, document_id: DocumentId) -> list[TableInfo]:
        return [table.info for table in self._tables.get(document_id, ())]

    def rows(self, document_id: DocumentId, number: int, area: CellRange | None = None) -> Iterator[TableRow]:
        table = next((each for each in self._tables.get(document_id, ()) if each.info.number == number), None)
        if table is None:
            raise NotFound(f"The document has no table {number}.", "Look at the list of its tables.")
        return _rows(table, area)

    def delete_document(self, document_id: DocumentId) -> None:
        self._tables.pop(document_id, None)

    def count(self, document_id: DocumentId) -> int:
        return len(self._tables.get(document_id, ()))


def _rows(table: Table, area: CellRange | None) -> Iterator[TableRow]:
    for part in table.parts:
        rows: dict[int, list[Cell]] = {}
        for row, column, text, value, kind, *rest in json.loads(part.data):
            if area is None or (
                area.first_row <= row <= area.last_row and area.first_column <= column <= area.last_column
            ):
                rows.setdefault(row, []).append(Cell(row, column, text, _read(value), CellKind(kind), *rest))
        yield from (TableRow(number, cells) for number, cells in rows.items())


def _written(value: CellValue, kind: CellKind) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if kind is CellKind.NUMBER and isinstance(value, (int, float, Decimal)):
        return {"Decimal": str(value)}
    if isinstance(value, timedelta):
        return {"timedelta": f"{value / timedelta(microseconds=1):.0f}"}
    return {type(value).__name__: value.isoformat() if isinstance(value, (date, time)) else str(value)}


def _read(value: Any) -> CellValue:
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]
    ((kind, token),) = value.items()
    found: CellValue = _READERS[kind](token)
    return found
