"""Plain text as pages: the text is laid out on a grid, drawn as a PDF, and every word keeps its place.

The characters of a page's text are those of the file, not what could be read back from the drawing, so that scripts the
built-in fonts cannot show are still searched and quoted right; their words have boxes all the same.
"""

import re
import unicodedata
from typing import Any, NamedTuple

from workbench.adapters.pymupdf.characters import clean
from workbench.adapters.pymupdf.engine import LOCK, engine
from workbench.adapters.pymupdf.pen import Pen
from workbench.domain.pages import Page, Word

WIDTH, HEIGHT = 595.0, 842.0
"""A4, in points."""
_MARGIN = 54.0
_SIZE = 9.0
_CELL = 0.6 * _SIZE
"""The width of a character of the fixed-width font."""
_LEADING = 13.0
_COLUMNS = int((WIDTH - 2 * _MARGIN) / _CELL)
_LINES = int((HEIGHT - 2 * _MARGIN) / _LEADING)
_TAB = 8


class Token(NamedTuple):
    """A word at a column of the grid, ``cells`` wide. ``gap`` tells that it begins a table cell."""

    text: str
    column: int
    cells: int
    gap: bool


Line = list[Token]


class LaidOut(NamedTuple):
    """A text as pages, and the PDF that shows them."""

    pages: tuple[Page, ...]
    pdf: bytes


def page_grid(text: str) -> list[list[Line]]:
    """Return the lines of each page; form feeds and full pages begin a new one, and no page is without words."""
    pages: list[list[Line]] = []
    for part in text.split("\f"):
        lines = [line for source in part.split("\n") for line in _wrapped(source)]
        pages += [lines[start : start + _LINES] for start in range(0, len(lines), _LINES)]
    return [page for page in pages if any(page)]


def lay_out(grid: list[list[Line]]) -> LaidOut:
    """Draw the pages and return them with their words in place."""
    with LOCK:
        pymupdf = engine()
        pen = Pen(_SIZE)
        document = pymupdf.open()
        for lines in grid:
            _draw(document.new_page(width=WIDTH, height=HEIGHT), lines, pen)
        document.subset_fonts()
        pdf: bytes = document.tobytes(garbage=3, deflate=True)
        document.close()
    return LaidOut(tuple(_page(number, lines) for number, lines in enumerate(grid, start=1)), pdf)


def _wrapped(source: str) -> list[Line]:
    """Break one line of the file to the width of the page. An empty line stays an empty line."""
    lines: list[Line] = [[]]
    column = 0
    for found in re.finditer(r"(\s*)(\S+)", source.expandtabs(_TAB) if "\t" in source else source):
        text = clean(found.group(2))
        spaces = len(found.group(1))
        column += spaces
        wide_gap = spaces >= 2 and bool(lines[-1])
        while text:
            if lines[-1] and column + _cells(text[: _COLUMNS + 1]) > _COLUMNS:
                lines.append([])
                column, wide_gap = 0, False
            piece = _fitting(text, _COLUMNS - column)
            lines[-1].append(Token(piece, column, _cells(piece), wide_gap))
            column += _cells(piece)
            text = text[len(piece) :]
    return lines


def _cells(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def _fitting(text: str, cells: int) -> str:
    """Return as much of a word as fits; only a word longer than a whole line is ever cut."""
    used = 0
    for index, character in enumerate(text):
        used += _cells(character)
        if used > cells and index > 0:
            return text[:index]
    return text


def _draw(page: Any, lines: list[Line], pen: Pen) -> None:
    with pen.on(page):
        for row, line in enumerate(lines):
            for token in line:
                pen.write(token.text, _box(row, token))


def _box(row: int, token: Token) -> tuple[float, float, float, float]:
    x, y = _MARGIN + token.column * _CELL, _MARGIN + row * _LEADING
    return x, y, x + token.cells * _CELL, y + _LEADING - 1.0


def _page(number: int, lines: list[Line]) -> Page:
    parts: list[str] = []
    words: list[Word] = []
    length = 0
    blank = True
    for row, line in enumerate(lines):
        if not line:
            blank = True
            continue
        separator = "" if not parts else "\n\n" if blank else "\n"
        blank = False
        for index, token in enumerate(line):
            between = separator if index == 0 else "\t" if token.gap else _between(line[index - 1], token)
            parts += [between, token.text]
            length += len(between)
            words.append(Word(length, length + len(token.text), *_box(row, token)))
            length += len(token.text)
    return Page(number=number, text="".join(parts), width=WIDTH, height=HEIGHT, words=tuple(words))


def _between(left: Token, right: Token) -> str:
    return "" if left.column + left.cells == right.column else " "
