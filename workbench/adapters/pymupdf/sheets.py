"""Sheets as pages: a grid with the letters of its columns above and the numbers of its rows at the left.

A page's text has a line for every row, its cells parted by tabs, so that an address can be read off: the row's number begins
the line, the first line of the table has the columns' letters. The row that names the columns is repeated on every page. Rows
and columns without content are left out; the numbers and letters tell where. The characters are those of the file, and each
line of a cell has its box.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from workbench.adapters.pymupdf.characters import clean
from workbench.adapters.pymupdf.engine import LOCK, engine
from workbench.adapters.pymupdf.pen import Pen
from workbench.domain.errors import TooLarge
from workbench.domain.pages import Page, Word
from workbench.domain.tables import (
    LETTERS,
    Cell,
    ColumnStatistics,
    Sheet,
    SheetArea,
    Workbook,
    column_letters,
    row_name,
)
from workbench.services.ports import Progress

_MARGIN, _SIZE, _LEADING = 36.0, 8.0, 11.0
_CHARACTER = 0.6 * _SIZE
_GAP = 2
"""Characters between two columns."""
_HEIGHT = 842.0
_MIN_WIDTH, _MAX_WIDTH = 595.0, 1190.0
_LINES = int((_HEIGHT - 2 * _MARGIN) / _LEADING) - 2
"""Lines of a page below its heading."""
_ACROSS = int((_MAX_WIDTH - 2 * _MARGIN) / _CHARACTER)
_NARROW, _WIDE = 36, 100
"""The most characters of a column's line: where there are many columns, and where there are few."""

_Rows = dict[int, dict[int, Cell]]


class LaidOutSheets(NamedTuple):
    pages: tuple[Page, ...]
    pdf: bytes


class _Line(NamedTuple):
    """A row on a page: what it is called, and the lines of each of its cells by column."""

    label: str
    cells: dict[int, list[str]]
    row: int
    repeated: bool = False

    @property
    def height(self) -> int:
        return max((len(lines) for lines in self.cells.values()), default=1)


class _Band(NamedTuple):
    """Columns that fit beside each other, with their places and widths in characters."""

    columns: tuple[int, ...]
    places: dict[int, int]
    widths: dict[int, int]
    across: int


def lay_out_sheets(workbook: Workbook, name: str, max_pages: int, progress: Progress) -> LaidOutSheets:
    """Draw a workbook and return its pages; raise TooLarge where they are more than ``max_pages``."""
    pages: list[Page] = []
    with LOCK:
        document = engine().open()
        pen = Pen(_SIZE)
        for number, sheet in enumerate(workbook.sheets, start=1):
            for area, heading, band, lines in chain(_summary_pages(sheet), _sheet_pages(sheet)):
                if len(pages) >= max_pages:
                    raise TooLarge(
                        f"{name} takes more than {max_pages} pages, which is the limit.",
                        "Split it into smaller files, or ask the operator to raise the limit.",
                    )
                pages.append(_draw(document, pen, len(pages) + 1, area, heading, band, lines))
            progress(number, len(workbook.sheets))
        if not pages:
            document.new_page(width=_MIN_WIDTH, height=_HEIGHT)
            pages.append(Page(number=1, text="", width=_MIN_WIDTH, height=_HEIGHT))
        document.subset_fonts()
        pdf: bytes = document.tobytes(garbage=1, deflate=True)
        document.close()
    return LaidOutSheets(tuple(pages), pdf)


def _summary_pages(sheet: Sheet) -> Iterator[tuple[SheetArea, str, _Band, list[_Line]]]:
    """Yield pages that say what each column holds, where a sheet has more rows than its pages show."""
    table = sheet.table
    if table is None or not table.info.cut:
        return
    info = table.info
    area = SheetArea(
        sheet=info.name,
        first_row=info.area.first_row,
        last_row=info.area.last_row,
        first_column=info.area.first_column,
        last_column=info.area.last_column,
    )
    heading = f"{_called(sheet, area)}: {info.rows:,} rows, {len(info.columns)} columns; rows to {info.paged} follow"
    lines = [_Line(column_letters(each.column), _summed_up(each), 0) for each in info.columns]
    columns = tuple(range(1, len(_SUMMARY) + 1))
    top = _Line("Column", {number: [title] for number, title in zip(columns, _SUMMARY, strict=True)}, 0)
    widths = {
        number: max(_width(line.cells[number][0]) for line in (top, *lines) if number in line.cells)
        for number in columns
    }
    band = _band(columns, widths, _LABEL)
    for start in range(0, len(lines), _LINES - 1):
        yield area, heading, band, [top, *lines[start : start + _LINES - 1]]


_SUMMARY = ("Name", "Holds", "Filled", "Different values", "Smallest", "Largest", "Sum")
_LABEL = 9
_SUMMARY_WIDTH = 40


def _summed_up(column: ColumnStatistics) -> dict[int, list[str]]:
    kinds = ", ".join(f"{count:,} {kind.value}" for kind, count in column.kinds.items())
    distinct = "very many" if column.distinct is None else f"{column.distinct:,}"
    fields = (
        column.name or "no name",
        column.kind.value if column.kind else kinds,
        f"{column.filled:,}",
        distinct,
        column.smallest,
        column.largest,
        column.total,
    )
    return {number: [_fitting(clean(field), _SUMMARY_WIDTH)] for number, field in enumerate(fields, start=1) if field}


def _called(sheet: Sheet, area: SheetArea) -> str:
    """Return the heading of a page."""
    return f"Sheet {sheet.name}{' (hidden)' if sheet.hidden else ''}, {area.cells}" if sheet.name else area.cells


def _sheet_pages(sheet: Sheet) -> Iterator[tuple[SheetArea, str, _Band, list[_Line]]]:
    rows: _Rows = {}
    for cell in sheet.cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
    for band in _bands(sheet, rows):
        for lines in _filled_pages(sheet, rows, band):
            # A header that is repeated stands above rows that do not follow it, and is not part of the range.
            first = 1 if len(lines) > 1 and lines[0].repeated else 0
            shown = [line.row for line in lines[first:]]
            area = SheetArea(
                sheet=sheet.name,
                first_row=min(shown),
                last_row=max(shown),
                first_column=min(band.columns),
                last_column=max(band.columns),
                header_row=sheet.header_row,
            )
            top = _Line(LETTERS, {column: [column_letters(column)] for column in band.columns}, 0)
            yield area, _called(sheet, area), band, [top, *lines]


def _bands(sheet: Sheet, rows: _Rows) -> list[_Band]:
    """Cut the columns into bands as wide as a page; each but the first begins with the sheet's first column again."""
    columns = sorted({cell.column for cell in sheet.cells})
    limit = _WIDE if len(columns) <= 4 else _NARROW
    widths = dict.fromkeys(columns, 3)
    for row in rows.values():
        for column, cell in row.items():
            if widths[column] < limit:
                widths[column] = min(limit, max(widths[column], _width(cell.text[: limit + 1])))
    label = max((len(str(row)) for row in rows), default=1) + 12 * bool(sheet.hidden_rows) + 2
    bands: list[_Band] = []
    current: list[int] = []
    used = label
    for column in columns:
        if current and used + widths[column] + _GAP > _ACROSS:
            bands.append(_band(current, widths, label))
            current = [columns[0]]
            used = label + widths[columns[0]] + _GAP
        current.append(column)
        used += widths[column] + _GAP
    return [*bands, _band(current, widths, label)] if current else bands


def _band(columns: Sequence[int], widths: dict[int, int], label: int) -> _Band:
    places: dict[int, int] = {}
    place = label
    for column in columns:
        places[column] = place
        place += widths[column] + _GAP
    return _Band(tuple(columns), places, widths, place)


def _filled_pages(sheet: Sheet, rows: _Rows, band: _Band) -> Iterator[list[_Line]]:
    """Fill pages with the rows of a band; every page after the header repeats it, and no row is lost for being tall."""
    header = rows.get(sheet.header_row)
    repeated = next(_lines(sheet, sheet.header_row, header, band), None) if header else None
    if repeated is not None and repeated.height > _LINES // 3:
        repeated = None
    page: list[_Line] = []
    used = 0
    for number, row in rows.items():
        if not any(column in row for column in band.columns):
            continue
        for line in _lines(sheet, number, row, band):
            if page and used + line.height > _LINES - 1:
                yield page
                page = [repeated._replace(repeated=True)] if repeated is not None and number > sheet.header_row else []
                used = sum(each.height for each in page)
            page.append(line)
            used += line.height
    if page:
        yield page


def _lines(sheet: Sheet, number: int, row: dict[int, Cell], band: _Band) -> Iterator[_Line]:
    """Yield a row as one line, or as several where it is taller than a page."""
    wrapped = {column: _wrapped(row[column].text, band.widths[column]) for column in band.columns if column in row}
    height = max(map(len, wrapped.values()), default=1)
    step = _LINES - 14
    for start in range(0, height, step) if height > step else (0,):
        cells = {
            column: lines[start : start + step] if height > step else lines
            for column, lines in wrapped.items()
            if lines[start : start + step] or height <= step
        }
        yield _Line(row_name(number, number in sheet.hidden_rows, start > 0), cells, number)


def _wrapped(text: str, width: int) -> list[str]:
    """Break a cell's text into lines of its column; only a word longer than a line is ever cut."""
    text = clean(text.replace("\t", " ")) if not text.isascii() else text
    if len(text) <= width and text.isascii() and "\n" not in text and "\t" not in text and "\r" not in text:
        return [text]
    lines: list[str] = []
    current, used = "", 0
    for word in re.findall(r"\S+", text):
        size = _width(word)
        if current and used + 1 + size <= width:
            current, used = f"{current} {word}", used + 1 + size
            continue
        if current:
            lines.append(current)
        rest = word
        while size > width:
            piece = _fitting(rest, width)
            lines.append(piece)
            rest = rest[len(piece) :]
            size = _width(rest)
        current, used = rest, size
    return [*lines, current] if current or not lines else lines


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def _fitting(word: str, width: int) -> str:
    if word[:width].isascii():
        return word[:width]
    used = 0
    for index, character in enumerate(word):
        used += _width(character)
        if used > width and index > 0:
            return word[:index]
    return word


class _Composer:
    """A page's text and the boxes of what stands in it."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.parts: list[str] = []
        self.words: list[Word] = []
        self.length = 0

    def write(self, separator: str, text: str, x: float, y: float) -> None:
        self.parts += [separator, text]
        self.length += len(separator)
        if text:
            box = (x, y, x + _width(text) * _CHARACTER, y + _LEADING - 1.0)
            self.words.append(Word(self.length, self.length + len(text), *box))
            self.pen.write(text, box)
        self.length += len(text)


def _draw(
    document: Any, pen: Pen, number: int, area: SheetArea, heading: str, band: _Band, lines: Sequence[_Line]
) -> Page:
    width = max(_MIN_WIDTH, 2 * _MARGIN + band.across * _CHARACTER)
    page = document.new_page(width=width, height=_HEIGHT)
    composer = _Composer(pen)
    with pen.on(page):
        composer.write("", clean(heading), _MARGIN, _MARGIN)
        y = _MARGIN + 2 * _LEADING
        for index, line in enumerate(lines):
            composer.write("\n\n" if index == 0 else "\n", line.label, _MARGIN, y)
            _cells(composer, line, band, y)
            y += line.height * _LEADING
    return Page(
        number=number,
        text="".join(composer.parts),
        width=width,
        height=_HEIGHT,
        words=tuple(composer.words),
        area=area,
    )


def _cells(composer: _Composer, line: _Line, band: _Band, y: float) -> None:
    """Write the cells of a row up to its last one; an empty one keeps its place by its tab."""
    waiting = ""
    for column in band.columns:
        waiting += "\t"
        x = _MARGIN + band.places[column] * _CHARACTER
        for index, text in enumerate(line.cells.get(column, ())):
            # A word longer than its line was cut: its pieces belong together.
            cut = index > 0 and _width(line.cells[column][index - 1]) >= band.widths[column] and " " not in text[:1]
            joined = cut and " " not in line.cells[column][index - 1]
            composer.write(waiting if index == 0 else "" if joined else " ", text, x, y + index * _LEADING)
            waiting = ""
