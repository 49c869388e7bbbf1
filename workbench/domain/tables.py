"""Tables: workbooks, their sheets and cells, and the addresses that name them."""

import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from pydantic import Field

from workbench.domain.values import Value

CellValue = str | int | float | Decimal | bool | date | datetime | time | timedelta | None


class CellKind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"
    ERROR = "error"
    FORMULA = "formula"
    """A formula whose result the file does not hold."""


class Cell(NamedTuple):
    """One cell that holds something. Rows and columns count from 1.

    ``text`` is what a person sees in it, by its number format; ``value`` is what is stored: of a number kept in a table its
    exact Decimal. ``formula`` begins with "="; ``number_format`` is the file's own code, empty where it says nothing.
    """

    row: int
    column: int
    text: str
    value: CellValue = None
    kind: CellKind = CellKind.TEXT
    formula: str = ""
    number_format: str = ""

    @property
    def address(self) -> str:
        return f"{column_letters(self.column)}{self.row}"


class CellRange(NamedTuple):
    """A rectangle of cells, its ends included."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int

    def __str__(self) -> str:
        first = f"{column_letters(self.first_column)}{self.first_row}"
        last = f"{column_letters(self.last_column)}{self.last_row}"
        return first if first == last else f"{first}:{last}"


class ColumnStatistics(Value):
    """What a column holds below its header.

    ``name`` is the header's text. ``distinct`` is None where there are more different texts than are counted. ``smallest``
    and ``largest`` are of numbers, or of dates written year first; ``total`` is the exact sum of the numbers. They are empty
    where the column holds none; there is no total where a row adds up others, which would count twice.
    """

    column: int
    name: str = ""
    kinds: dict[CellKind, int] = Field(default_factory=dict)
    distinct: int | None = 0
    smallest: str = ""
    largest: str = ""
    total: str = ""
    number_format: str = ""

    @property
    def filled(self) -> int:
        return sum(self.kinds.values())

    @property
    def kind(self) -> CellKind | None:
        """The one kind of all its cells, or None."""
        return next(iter(self.kinds)) if len(self.kinds) == 1 else None


class TableInfo(Value):
    """A table of a document, kept cell by cell: a sheet, or a table found on the pages of a document.

    ``number`` counts from 1 in the document. ``rows`` and ``cells`` count those that hold something; ``area`` spans them all.
    ``paged`` is the last row that the document's pages show; rows after it are in the table only. ``hidden_rows`` are runs
    of rows, ends included. ``pages`` are the first and the last page of a table found on pages, None for a sheet.
    """

    number: int
    name: str
    rows: int
    cells: int
    area: CellRange
    header_row: int = 0
    paged: int = 0
    hidden: bool = False
    hidden_rows: tuple[tuple[int, int], ...] = ()
    hidden_columns: tuple[int, ...] = ()
    merged: tuple[CellRange, ...] = ()
    columns: tuple[ColumnStatistics, ...] = ()
    pages: tuple[int, int] | None = None

    @property
    def cut(self) -> bool:
        """Whether there are more rows than the pages show."""
        return self.paged < self.area.last_row


class TablePart(Value):
    """Rows of a table, as the table store's encoder wrote them."""

    first_row: int
    last_row: int
    data: bytes


class Table(Value):
    """A table on its way into the table store."""

    info: TableInfo
    parts: tuple[TablePart, ...]


class Sheet(NamedTuple):
    """A sheet: its cells row by row. Empty cells are left out, so that a sheet costs what it holds.

    ``header_row`` is the row that names the columns, 0 where none does. ``cells`` are those that pages show; ``table`` holds
    all of them.
    """

    name: str
    cells: tuple[Cell, ...]
    hidden: bool = False
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    merged: tuple[CellRange, ...] = ()
    header_row: int = 0
    table: Table | None = None


class Workbook(NamedTuple):
    """What a reader got out of a spreadsheet or a file of separated values. ``notes`` say what a person must know."""

    media_type: str
    title: str
    sheets: tuple[Sheet, ...]
    notes: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(sheet.table for sheet in self.sheets if sheet.table is not None)


class SheetArea(Value):
    """The part of a sheet that a page shows. A file of separated values has one sheet, without a name.

    ``header_row`` is the row that names the columns and is printed on the page, 0 where there is none.
    """

    sheet: str
    first_row: int
    last_row: int
    first_column: int
    last_column: int
    header_row: int = 0

    @property
    def cells(self) -> str:
        """The range as spreadsheets write it: "A5:F40"."""
        return str(CellRange(self.first_row, self.first_column, self.last_row, self.last_column))

    @property
    def label(self) -> str:
        """Sheet and cells for people: "Prices A5:F40"."""
        return in_sheet(self.sheet, self.cells)


_PLAIN_NAME = re.compile(r"(?!\d)[\w.]+")
_LIKE_AN_ADDRESS = re.compile(r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*|[Rr]\d+|[Cc]\d+")


def sheet_name(name: str) -> str:
    """Return a sheet's name as formulas write it: in single quotes where it is more than one plain word."""
    if _PLAIN_NAME.fullmatch(name) and not _LIKE_AN_ADDRESS.fullmatch(name):
        return name
    return "'" + name.replace("'", "''") + "'"


def in_sheet(sheet: str, cells: str) -> str:
    """Return cells with the name of their sheet before them, where the file has named sheets."""
    return f"{sheet_name(sheet)} {cells}" if sheet else cells


class NamedCells(NamedTuple):
    """Cells of a sheet, as a label names them. A file of separated values has one sheet, without a name."""

    sheet: str
    ranges: tuple[CellRange, ...]


_CELLS = r"[A-Z]{1,3}\d+(?::[A-Z]{1,3}\d+)?"
_NAMED = re.compile(rf"(?:'((?:[^']|'')+)' |([^\s']+) )?({_CELLS}(?:, {_CELLS})*)")


def read_cells(label: str) -> NamedCells | None:
    """Read back what :func:`in_sheet` wrote; None where ``label`` names no cells, such as that of a page."""
    found = _NAMED.fullmatch(label)
    if found is None:
        return None
    quoted, plain, cells = found.group(1, 2, 3)
    ranges = tuple(read for part in cells.split(", ") if (read := parse_range(part)) is not None)
    return NamedCells(quoted.replace("''", "'") if quoted else plain or "", ranges)


def column_letters(number: int) -> str:
    """Return a column's letters: 1 is A, 27 is AA."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """Return a column's number: A is 1, AA is 27. ``letters`` holds Latin capitals only."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


LAST_ROW, LAST_COLUMN = 2**31 - 1, 2**15 - 1
"""What a range without an end goes to: files of separated values may be longer than any spreadsheet."""
_RANGE = re.compile(r"\$?([A-Z]{0,3})\$?(\d{0,9})(?::\$?([A-Z]{0,3})\$?(\d{0,9}))?")


def parse_range(text: str) -> CellRange | None:
    """Return the cells that "B5", "A2:F101", "A:C" or "5:9" name, in any case and with or without "$"; None for others."""
    found = _RANGE.fullmatch(text.strip().upper())
    if found is None:
        return None
    first = (found[1], found[2])
    last = first if found[3] is None else (found[3], found[4])
    if [*map(bool, first)] != [*map(bool, last)] or (not all(first) and (not any(first) or found[3] is None)):
        return None
    if any(row and int(row) == 0 for _, row in (first, last)):
        return None
    rows = sorted(int(row or 1) for _, row in (first, last))
    columns = sorted(column_number(letters or "A") for letters, _ in (first, last))
    return CellRange(rows[0], columns[0], rows[1] if first[1] else LAST_ROW, columns[1] if first[0] else LAST_COLUMN)


LETTERS = "Row"
"""What the line begins with that has the columns' letters, on a page that shows a sheet."""

_ROW_NUMBER = re.compile(r"(\d+)(?: \(hidden\)| \(continued\))*\t")


def row_of(line: str) -> int | None:
    """Return the number of the row that a line of a sheet's page shows, or None where it shows none."""
    found = _ROW_NUMBER.match(line + "\t")
    return int(found.group(1)) if found else None


def row_name(row: int, hidden: bool, continued: bool) -> str:
    """Return how a page names a row: its number, and whether it is hidden or goes on from the page before."""
    return f"{row}{' (hidden)' if hidden else ''}{' (continued)' if continued else ''}"


def cells_shown(text: str, start: int, end: int) -> list[CellRange]:
    """Return the cells that characters ``start`` to ``end`` of a sheet's text show, neighbouring rows as one range.

    ``text`` is that of a page or passage: a line with the letters of the columns, then lines that begin with row numbers.
    A line that has no row number, such as the rest of a row cut in two, shows no cell that can be named.
    """
    found: list[CellRange] = []
    columns: list[int] = []
    offset = 0
    for line in text.split("\n"):
        if line.startswith(f"{LETTERS}\t"):
            columns = [column_number(letters) for letters in line.split("\t")[1:] if letters]
        elif columns and offset < end and start < offset + len(line) and (row := row_of(line)) is not None:
            touched = _touched(line, columns, start - offset, end - offset)
            _join(found, CellRange(row, touched[0], row, touched[-1]))
        offset += len(line) + 1
    return found


def _touched(line: str, columns: list[int], start: int, end: int) -> list[int]:
    """Return the columns whose cells a span of a row's line touches; all of them where it touches none."""
    touched: list[int] = []
    offset = 0
    for index, field in enumerate(line.split("\t")):
        if 0 < index <= len(columns) and offset < end and start < offset + len(field):
            touched.append(columns[index - 1])
        offset += len(field) + 1
    return touched or columns


def _join(found: list[CellRange], cells: CellRange) -> None:
    last = found[-1] if found else None
    if last is None or cells.first_row > last.last_row + 1 or cells.first_row < last.first_row:
        found.append(cells)
        return
    first_column, last_column = min(last.first_column, cells.first_column), max(last.last_column, cells.last_column)
    found[-1] = CellRange(last.first_row, first_column, max(last.last_row, cells.last_row), last_column)


def find_header(cells: tuple[Cell, ...], look_at: int = 25) -> int:
    """Return the row that names the columns, or 0: the first that fills most of the columns, and with text only.

    Titles above a table fill one cell or a few; rows of data hold numbers or dates, or stand below the header.
    """
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell.row not in rows and len(rows) == look_at:
            break
        rows.setdefault(cell.row, []).append(cell)
    if len(rows) < 2:
        return next(iter(rows), 0) if rows and len(next(iter(rows.values()))) > 1 and _all_text(cells) else 0
    width = sorted(len(row) for row in rows.values())[(3 * len(rows)) // 4]
    for number, row in list(rows.items())[:-1]:
        if len(row) >= max(2, 0.6 * width) and _all_text(tuple(row)):
            return number
    return 0


def _all_text(cells: tuple[Cell, ...]) -> bool:
    return all(cell.kind is CellKind.TEXT and len(cell.text) <= 80 for cell in cells)
