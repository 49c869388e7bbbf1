"""Tables: workbooks, their sheets and cells, and the addresses that name them."""

import re
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import NamedTuple

from workbench.domain.values import Value

CellValue = str | int | float | bool | date | datetime | time | timedelta | None


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

    ``text`` is what a person sees in it, by its number format; ``value`` is what is stored. ``formula`` begins with "=".
    """

    row: int
    column: int
    text: str
    value: CellValue = None
    kind: CellKind = CellKind.TEXT
    formula: str = ""

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
        return f"{column_letters(self.first_column)}{self.first_row}:{column_letters(self.last_column)}{self.last_row}"


class Sheet(NamedTuple):
    """A sheet: its cells row by row. Empty cells are left out, so that a sheet costs what it holds.

    ``header_row`` is the row that names the columns, 0 where none does.
    """

    name: str
    cells: tuple[Cell, ...]
    hidden: bool = False
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    merged: tuple[CellRange, ...] = ()
    header_row: int = 0


class Workbook(NamedTuple):
    """What a reader got out of a spreadsheet or a file of separated values. ``notes`` say what a person must know."""

    media_type: str
    title: str
    sheets: tuple[Sheet, ...]
    notes: tuple[str, ...] = ()


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
        return f"{self.sheet} {self.cells}" if self.sheet else self.cells


def column_letters(number: int) -> str:
    """Return a column's letters: 1 is A, 27 is AA."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


_ROW_NUMBER = re.compile(r"(\d+)(?: \(hidden\)| \(continued\))*\t")


def row_of(line: str) -> int | None:
    """Return the number of the row that a line of a sheet's page shows, or None where it shows none."""
    found = _ROW_NUMBER.match(line + "\t")
    return int(found.group(1)) if found else None


def row_name(row: int, hidden: bool, continued: bool) -> str:
    """Return how a page names a row: its number, and whether it is hidden or goes on from the page before."""
    return f"{row}{' (hidden)' if hidden else ''}{' (continued)' if continued else ''}"


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
