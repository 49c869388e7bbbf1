"""Composing a page's text: rows become paragraphs and tables, words cut at a line end are joined.

Paragraphs are parted by a blank line. Inside one, lines of running text are joined by a space, so that a quote reads as
one sentence; rows of a table and short lines (an address, a signature block) keep their line break, and cells of a row are
parted by a tab, an empty cell being a tab more.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median, quantiles

from workbench.adapters.pymupdf.aligned import columns_of
from workbench.adapters.pymupdf.characters import unspaced
from workbench.adapters.pymupdf.fragments import PlacedWord, RuledTable
from workbench.adapters.pymupdf.hyphens import joint
from workbench.adapters.pymupdf.rows import CLAUSE, Row
from workbench.domain.pages import Box, PageTable, TableCell, Word

_ENDS = re.compile(r"[.:;!?][\"'”’)\]]*$")
_ENDS_ITEM = re.compile(r"(?:[.:;!?,][\"'”’)\]]*|\b(?:and|or))$")
PARAGRAPH = "\n\n"
_DOUBLE_SPACING = 2.5
_LINE = 1.2
"""The distance of two lines set close, in line heights."""
_UNDER = 4.0
"""The most, in points, by which the lines of one cell begin at different places."""
_Cell = tuple[int, int, int]
"""A column, and the first and the last word of a cell by their places in the list of words."""


class Composer:
    """Builds a page's text line by line, with the ranges of its words and the cells of its tables."""

    def __init__(self, known: Counter[str]) -> None:
        self.known = known
        self.parts: list[str] = []
        self.words: list[Word] = []
        self.length = 0
        self.body = 0
        """Where the text begins after running headers and footers."""
        self._last: Row | None = None
        self._pending: PlacedWord | None = None
        """The last word of the line before: how it reads depends on the line that follows."""
        self._tables: list[list[list[_Cell]]] = []

    def running(self, lines: Sequence[Row]) -> None:
        """Add running headers and footers, each a paragraph of its own, before the first region."""
        for line in lines:
            self._add(line, PARAGRAPH if self._last else "", None)
            self._last = line
        if lines:
            self.finish()
            self.body = self.length + len(PARAGRAPH)

    def region(self, lines: Sequence[Row]) -> None:
        """Add a region's rows; its first line may go on with the sentence that the region before left open."""
        separators = list(self._separators(lines))
        columns = _table_columns(lines, separators)
        for row, separator, placed in zip(lines, separators, columns, strict=True):
            if row.table is not None:
                self.finish()
                self._write(separator)
                self._ruled(row.table)
            else:
                if placed is not None and separator != "\n":
                    self._tables.append([])
                self._add(row, separator, placed)
            self._last = row

    def finish(self) -> None:
        """Write the last word."""
        if self._pending is not None:
            self._word(self._pending, self._pending.text)
            self._pending = None

    def tables(self) -> Iterator[PageTable]:
        """Yield the tables of the finished page, their headers not yet told."""
        for rows in self._tables:
            cells = [
                tuple(TableCell(column, self.words[first].start, self.words[last].end) for column, first, last in row)
                for row in rows
            ]
            words = [word for row in rows for _, first, last in row for word in self.words[first : last + 1]]
            box = Box(
                min(word.x0 for word in words),
                min(word.y0 for word in words),
                max(word.x1 for word in words),
                max(word.y1 for word in words),
            )
            yield PageTable(box=box, rows=tuple(cells))

    def _separators(self, lines: Sequence[Row]) -> Iterator[str]:
        """Yield what stands before each row."""
        pitch = _pitch(lines)
        left, right = min(row.x0 for row in lines), max(row.x1 for row in lines)
        before, in_table = self._last, False
        for index, row in enumerate(lines):
            if before is None:
                separator = ""
            elif before.table or row.table or (index == 0 and self.length + 2 == self.body):
                separator = PARAGRAPH
            elif index == 0:
                separator = " " if _goes_on(before, row) else PARAGRAPH
            else:
                separator = _separator(before, row, in_table, pitch, left, right)
            yield separator
            before = row
            in_table = row.is_table_row or (in_table and separator == "\n")

    def _add(self, row: Row, separator: str, columns: Sequence[int] | None) -> None:
        """Add a row; ``columns`` are those of its cells where it belongs to a table."""
        cells = [[word for piece in cell for word in piece.words] for cell in row.cells]
        if self._pending is not None:
            separator = self._settle(cells[0][0], separator)
        self._write(separator)
        if columns is not None:
            first = len(self.words)
            spans: list[_Cell] = []
            for column, cell in zip(columns, cells, strict=True):
                spans.append((column, first, first + len(cell) - 1))
                first += len(cell)
            self._record(spans, begins=row.is_table_row)
        reached = 1
        for number, cell in enumerate(cells):
            column = number + 1 if columns is None or len(cells) == 1 else max(columns[number], reached)
            self._write("\t" * max(column - reached, 1 if number else 0) if len(cells) > 1 else "")
            reached = max(column, reached + 1 if number else column)
            for place, word in enumerate(cell):
                if place and not word.glued:
                    self._write(" ")
                if number == len(cells) - 1 and place == len(cell) - 1:
                    self._pending = word
                else:
                    self._word(word, word.text)

    def _record(self, spans: list[_Cell], begins: bool) -> None:
        """Note the cells of a row; a line of one cell goes on with the row above it."""
        rows = self._tables[-1]
        if begins or not rows:
            rows.append(spans)
        else:
            rows[-1].extend(spans)

    def _ruled(self, table: RuledTable) -> None:
        rows: list[list[_Cell]] = []
        for number, row in enumerate(table.rows):
            self._write("\n" if number else "")
            cells: list[_Cell] = []
            reached = 1
            for column, lines in row.items():
                self._write("\t" * (column - reached))
                reached = column
                first = len(self.words)
                self._lines(lines)
                cells.append((column, first, len(self.words) - 1))
            rows.append(cells)
        self._tables.append(rows)

    def _lines(self, lines: Sequence[Sequence[PlacedWord]]) -> None:
        """Write the lines of a cell as one."""
        words = [word for line in lines for word in line]
        ends = {id(line[-1]) for line in lines}
        for index, word in enumerate(words):
            text, separator = word.text, " "
            if index + 1 == len(words) or words[index + 1].glued:
                separator = ""
            elif id(word) in ends:
                text, separator = self._joint(word, words[index + 1])
            self._word(word, text)
            self._write(separator)

    def _settle(self, following: PlacedWord, separator: str) -> str:
        """Write the word held back, joined to the next line's first word where the line break had cut it."""
        pending, self._pending = self._pending, None
        if pending is None:
            return separator
        text = pending.text
        if separator == " ":
            text, separator = self._joint(pending, following)
        self._word(pending, text)
        return separator

    def _joint(self, before: PlacedWord, after: PlacedWord) -> tuple[str, str]:
        text, separator = joint(before.text, after.text, self.known)
        if separator and unspaced(text[-1]) and unspaced(after.text[0]):
            separator = ""
        return text, separator

    def _word(self, word: PlacedWord, text: str) -> None:
        self.words.append(Word(self.length, self.length + len(text), *word.box))
        self._write(text)

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)


def _table_columns(lines: Sequence[Row], separators: Sequence[str]) -> list[Sequence[int] | None]:
    """Return the columns of each row's cells where it belongs to a table, else None."""
    found: list[Sequence[int] | None] = [None] * len(lines)
    start = 0
    for end in range(1, len(lines) + 1):
        if end < len(lines) and separators[end] == "\n":
            continue
        if lines[start].is_table_row:
            placed = columns_of(lines[start:end])
            if placed is not None:
                found[start:end] = placed
        start = end
    return found


def _separator(before: Row, after: Row, in_table: bool, pitch: float, left: float, right: float) -> str:
    """Return what stands between two rows of a region that spans ``left`` to ``right``."""
    step = after.centre - before.centre
    if in_table and after.is_table_row:
        return "\n" if step <= 2.5 * max(pitch, after.height) else PARAGRAPH
    if in_table:
        # The rest of a cell follows as lines do; what follows as rows do is no cell's.
        close = step <= _LINE * max(before.height, after.height)
        below = any(abs(cell[0].box.x0 - after.x0) <= _UNDER for cell in before.cells)
        wrapped = close and below and after.x1 - after.x0 < 0.6 * (right - left)
        return "\n" if wrapped else PARAGRAPH
    if after.is_table_row or _parted(before, after, pitch, left, right):
        return PARAGRAPH
    short = before.x1 < left + 0.6 * (right - left)
    return "\n" if short and not after.text[:1].islower() else " "


def _pitch(lines: Sequence[Row]) -> float:
    """Return the usual distance of two lines: a low quartile, so that gaps between paragraphs do not count.

    It is never more than double spacing, or two lines at the ends of a page would make one paragraph.
    """
    lines = [row for row in lines if row.table is None]
    steps = [after.centre - before.centre for before, after in pairwise(lines)]
    steps = [step for step in steps if step > 1.0]
    if not steps:
        return 0.0
    usual = quantiles(steps, n=4)[0] if len(steps) > 1 else steps[0]
    return min(usual, _DOUBLE_SPACING * median(row.height for row in lines))


def _goes_on(before: Row, after: Row) -> bool:
    """Tell whether a new column goes on with the sentence of the one before."""
    return not _ENDS.search(before.text) and after.text[:1].islower() and not after.is_table_row


def _parted(before: Row, after: Row, pitch: float, left: float, right: float) -> bool:
    """Tell whether a new paragraph of running text begins."""
    step = after.centre - before.centre
    if step > 1.35 * pitch + 0.5 or abs(after.height - before.height) > 0.15 * before.height:
        return True
    ended = _ENDS.search(before.text)
    short = before.x1 < right - 0.15 * (right - left)
    if CLAUSE.match(before.text) and short and not ended and after.text[0].isupper():
        return True
    if CLAUSE.match(after.text) and (_ENDS_ITEM.search(before.text) or short):
        return True
    indented = after.x0 > left + 0.8 * after.height and before.x0 < left + 0.4 * before.height
    return bool(ended and (short or indented))
