"""Sheets row by row: their cells into a table, the first rows also onto pages, and what each column holds.

Memory holds the rows of one part, the rows for the pages, and a bounded number of different values, however long the sheet.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Context, Decimal, Inexact, localcontext

from workbench.domain.tables import (
    Cell,
    CellKind,
    CellRange,
    CellValue,
    ColumnStatistics,
    Sheet,
    Table,
    TableInfo,
    TablePart,
    find_header,
)
from workbench.services.ports import ColumnCells, TableEncoder, TableRow

PAGED_ROWS = 5000
"""So many rows of a sheet become pages and passages, where nothing else is set; all of them are kept as a table."""
_PAGED_CELLS = 400_000
_PART_CELLS = 200_000
_PART_ROWS = 50_000
_DISTINCT = 10_000
_EXACT = Context(prec=60, traps=[Inexact])
_NAME = 80
_ADDING = re.compile(r"\b(?:SUM|SUBTOTAL|AGGREGATE)\(", re.IGNORECASE)
_TOTAL_ROW = re.compile(
    r"(?:(?:grand|sub)[ -]?)?totals?(?: (?:amount|price|sum|net|gross|cost))?:?"
    r"|(?:gesamt|zwischen)?summe:?|gesamt:?|(?:всего|итого):?|total général:?|totale:?",
    re.IGNORECASE,
)
"""What names a row that adds up others. A sum over its column would count them twice, so that none is given."""


class TableBuilder:
    """Builds one sheet. Rows come in order, each with the cells that hold something.

    ``header_row`` is the row that names the columns, 0 for none; where it is not known it is looked for.
    """

    def __init__(
        self,
        encoder: TableEncoder,
        number: int,
        name: str,
        paged_rows: int = PAGED_ROWS,
        header_row: int | None = None,
    ) -> None:
        self._encoder = encoder
        self._number = number
        self._name = name
        self._paged_rows = paged_rows
        self._parts: list[TablePart] = []
        self._waiting: list[TableRow] = []
        self._waiting_cells = 0
        self._paged: list[Cell] = []
        self._paging = True
        self._last_paged = 0
        self._header = header_row
        self._columns: dict[int, _Column] = {}
        self._rows = self._cells = 0
        self._first_row = self._last_row = 0

    def row(self, number: int, cells: Sequence[Cell]) -> None:
        """Take the next row, which holds at least one cell."""
        self._waiting.append(TableRow(number, cells))
        self._waiting_cells += len(cells)
        self._first_row = self._first_row or number
        self._last_row = number
        self._rows += 1
        if self._paging:
            self._paging = self._rows <= self._paged_rows and len(self._paged) + len(cells) <= _PAGED_CELLS
            if self._paging:
                self._paged += cells
                self._last_paged = number
        if self._waiting_cells >= _PART_CELLS or len(self._waiting) >= _PART_ROWS:
            self._flush()

    @property
    def paging(self) -> bool:
        """Whether the next row may still be shown by a page."""
        return self._paging

    def block(self, rows: Sequence[int], columns: Mapping[int, ColumnCells]) -> None:
        """Take many following rows at once, column by column, none of which is for a page: far quicker than row by row."""
        self._flush()
        self._paging = False
        self._first_row = self._first_row or rows[0]
        self._last_row = rows[-1]
        self._rows += len(rows)
        self._keep(rows, columns)

    def sheet(
        self,
        *,
        hidden: bool = False,
        hidden_rows: Iterable[int] = (),
        hidden_columns: Iterable[int] = (),
        merged: Sequence[CellRange] = (),
    ) -> Sheet:
        """End the sheet and return it, with the cells for its pages and the table of all."""
        self._flush()
        rows, columns = (
            sorted(hidden_rows),
            tuple(sorted(column for column in hidden_columns if column in self._columns)),
        )
        paged = tuple(self._paged)
        table = Table(info=self._info(hidden, rows, columns, tuple(merged)), parts=tuple(self._parts))
        return Sheet(
            name=self._name,
            cells=paged,
            hidden=hidden,
            hidden_rows=frozenset(row for row in rows if row <= self._last_paged),
            hidden_columns=frozenset(columns),
            merged=tuple(merged),
            header_row=self._header or 0,
            table=table if self._cells else None,
        )

    def _info(
        self, hidden: bool, hidden_rows: Sequence[int], hidden_columns: tuple[int, ...], merged: tuple[CellRange, ...]
    ) -> TableInfo:
        columns = sorted(self._columns)
        with_total = not any(column.names_totals for column in self._columns.values())
        return TableInfo(
            number=self._number,
            name=self._name,
            rows=self._rows,
            cells=self._cells,
            area=CellRange(self._first_row, min(columns, default=0), self._last_row, max(columns, default=0)),
            header_row=self._header or 0,
            paged=self._last_paged,
            hidden=hidden,
            hidden_rows=tuple(_runs(hidden_rows)),
            hidden_columns=hidden_columns,
            merged=merged,
            columns=tuple(self._columns[column].statistics(column, with_total) for column in columns),
        )

    def _flush(self) -> None:
        if not self._waiting:
            return
        if not self._parts:
            if self._header is None:
                self._header = find_header(tuple(cell for row in self._waiting[:200] for cell in row.cells))
            for cell in next((row.cells for row in self._waiting if row.number == self._header), ()):
                self._columns.setdefault(cell.column, _Column()).name = " ".join(cell.text.split())[:_NAME]
        self._keep([row.number for row in self._waiting], _columns(self._waiting))
        self._waiting, self._waiting_cells = [], 0

    def _keep(self, rows: Sequence[int], columns: Mapping[int, ColumnCells]) -> None:
        self._parts.append(self._encoder.part(rows, columns))
        above = bisect_right(rows, self._header or 0)
        for number, cells in columns.items():
            self._cells += len(cells.texts) - cells.texts.count(None)
            self._columns.setdefault(number, _Column()).add(_from(cells, above) if above else cells)


def _columns(rows: Sequence[TableRow]) -> dict[int, ColumnCells]:
    """Turn rows into columns."""
    held: dict[int, list[Cell | None]] = {}
    for index, row in enumerate(rows):
        for cell in row.cells:
            column = held.get(cell.column)
            if column is None:
                column = held[cell.column] = [None] * len(rows)
            column[index] = cell
    return {
        number: ColumnCells(
            texts=[cell and cell.text for cell in cells],
            kinds=[cell and cell.kind for cell in cells],
            values=[cell and cell.value for cell in cells],
            formulas=[(cell and cell.formula) or None for cell in cells],
            formats=[(cell and cell.number_format) or None for cell in cells],
        )
        for number, cells in held.items()
    }


def _from(cells: ColumnCells, start: int) -> ColumnCells:
    """Return the cells from one row on."""
    kinds = cells.kinds if isinstance(cells.kinds, CellKind) else cells.kinds[start:]
    beside = (cells.values, cells.formulas, cells.formats)
    return ColumnCells(cells.texts[start:], kinds, *(None if held is None else held[start:] for held in beside))  # type: ignore[arg-type]


class _Column:
    """What a column holds so far."""

    def __init__(self) -> None:
        self.name = ""
        self.kinds: Counter[CellKind] = Counter()
        self.texts: set[str] | None = set()
        self.numbers: tuple[Decimal, Decimal] | None = None
        self.total: Decimal | None = Decimal(0)
        self.dates: tuple[str, str] | None = None
        self.format = ""
        self.names_totals = False

    def add(self, cells: ColumnCells) -> None:
        filled = [text for text in cells.texts if text is not None]
        if self.texts is not None:
            self.texts.update(filled)
            if len(self.texts) > _DISTINCT:
                self.texts = None
        if cells.formulas is not None and any(code and _ADDING.search(code) for code in cells.formulas):
            self.total = None
        if cells.formats is not None:
            self.format = self.format or next((code for code in cells.formats if code), "")
        if isinstance(cells.kinds, CellKind):
            self.kinds[cells.kinds] += len(filled)
            if cells.kinds is CellKind.NUMBER and cells.values is None:
                self._add_numbers(list(map(Decimal, filled)))
            else:
                self._add(
                    cells.kinds,
                    filled if cells.values is None else [value for value in cells.values if value is not None],
                )
            return
        of_kind: dict[CellKind, list[CellValue]] = {}
        for kind, value in zip(cells.kinds, cells.texts if cells.values is None else cells.values, strict=True):
            if kind is not None:
                of_kind.setdefault(kind, []).append(value)
        for kind, found in of_kind.items():
            self.kinds[kind] += len(found)
            self._add(kind, found)

    def _add(self, kind: CellKind, values: Sequence[CellValue]) -> None:
        if kind is CellKind.TEXT:
            self.names_totals = self.names_totals or any(_TOTAL_ROW.fullmatch(str(text)) for text in set(values))
        elif kind is CellKind.NUMBER:
            self._add_numbers([_decimal(value) for value in values])
        elif kind is CellKind.DATE and (days := [day for value in set(values) if (day := _day(value))]):
            low, high = self.dates or (days[0], days[0])
            self.dates = min(low, *days), max(high, *days)

    def _add_numbers(self, found: Sequence[Decimal | None]) -> None:
        numbers = [number for number in found if number is not None]
        if len(numbers) < len(found):
            self.total = None
        if not numbers:
            return
        low, high = self.numbers or (numbers[0], numbers[0])
        self.numbers = min(low, *numbers), max(high, *numbers)
        if self.total is not None:
            try:
                with localcontext(_EXACT):
                    self.total = sum(numbers, self.total)
            except Inexact:
                self.total = None

    def statistics(self, column: int, with_total: bool) -> ColumnStatistics:
        low = high = total = ""
        if self.numbers is not None:
            low, high = (f"{number:f}" for number in self.numbers)
            total = f"{self.total:f}" if with_total and self.total is not None else ""
        elif self.dates is not None:
            low, high = self.dates
        return ColumnStatistics(
            column=column,
            name=self.name,
            kinds=dict(self.kinds),
            distinct=len(self.texts) if self.texts is not None else None,
            smallest=low,
            largest=high,
            total=total,
            number_format=self.format,
        )


def _decimal(value: object) -> Decimal | None:
    if isinstance(value, (Decimal, str)):
        return Decimal(value)
    if isinstance(value, float):
        number = Decimal(repr(value))
        return number if number.is_finite() else None
    return Decimal(value) if isinstance(value, int) else None


def _day(value: object) -> str:
    """Return a date as text that sorts, or an empty string for one that could be read two ways."""
    if isinstance(value, (date, datetime)):
        return value.isoformat()[:10]
    return value if isinstance(value, str) and value[4:5] == "-" and len(value) == 10 else ""


def _runs(numbers: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield the runs of following numbers, ends included."""
    start = end = 0
    for number in numbers:
        if start and number == end + 1:
            end = number
            continue
        if start:
            yield start, end
        start = end = number
    if start:
        yield start, end


def built(sheet: Sheet, encoder: TableEncoder, number: int, paged_rows: int) -> Sheet:
    """Return a sheet whose cells are all in memory, with its table and the cells that its pages show."""
    builder = TableBuilder(encoder, number, sheet.name, paged_rows)
    rows: dict[int, list[Cell]] = {}
    for cell in sheet.cells:
        rows.setdefault(cell.row, []).append(cell)
    for row, cells in rows.items():
        builder.row(row, cells)
    return builder.sheet(
        hidden=sheet.hidden,
        hidden_rows=sheet.hidden_rows,
        hidden_columns=sheet.hidden_columns,
        merged=sheet.merged,
    )


def kept_note(sheets: Iterable[Sheet]) -> Iterable[str]:
    """Say of each sheet with more rows than its pages show that the others are in the table only."""
    for sheet in sheets:
        if sheet.table is not None and sheet.table.info.cut:
            info = sheet.table.info
            shown = len({cell.row for cell in sheet.cells})
            where = f"Sheet {sheet.name}: " if sheet.name else ""
            yield (
                f"{where}{info.rows:,} rows kept as a table; the first {shown:,} are searchable as passages, "
                "the others are read and counted through the table."
            )
