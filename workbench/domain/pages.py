"""Pages: the physical pages of a document, their text, and where each word stands on the page."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from workbench.domain.tables import SheetArea, Table
from workbench.domain.values import Value


class Word(NamedTuple):
    """A word's place: characters ``start`` to ``end`` of the page's text, and its box in points.

    The box is in the page as displayed (rotation applied), origin at the top left. A word that the page splits over two
    lines has two entries with adjoining character ranges.
    """

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float


class Box(NamedTuple):
    """A rectangle in points on a page as displayed, origin at the top left."""

    x0: float
    y0: float
    x1: float
    y1: float


class TableCell(NamedTuple):
    """Characters ``start`` to ``end`` of the page's text that stand in a table's column, counted from 1.

    A cell over several lines of a table without rulings has an entry for each, as its text is not in one piece.
    """

    column: int
    start: int
    end: int


class PageTable(Value):
    """A table on a page: its rows from top to bottom, each with the cells that hold something.

    ``header_rows`` is the number of rows at its top that name the columns. ``continues`` tells that it goes on with the table
    at the end of the page before, whose header then counts for it as well.
    """

    box: Box
    rows: tuple[tuple[TableCell, ...], ...]
    header_rows: int = 0
    continues: bool = False

    @property
    def columns(self) -> int:
        return max(cell.column for row in self.rows for cell in row)

    @property
    def start(self) -> int:
        return min(cell.start for row in self.rows for cell in row)

    @property
    def end(self) -> int:
        return max(cell.end for row in self.rows for cell in row)

    def texts(self, page_text: str) -> list[list[str]]:
        """Return the cells' texts row by row, an empty text for each cell that holds nothing."""
        return [self.row_texts(row, page_text) for row in self.rows]

    def row_texts(self, row: Sequence[TableCell], page_text: str) -> list[str]:
        texts = [""] * self.columns
        for cell in row:
            before = texts[cell.column - 1]
            piece = page_text[cell.start : cell.end]
            texts[cell.column - 1] = f"{before} {piece}" if before else piece
        return texts


class Bookmark(Value):
    """An entry of the document's outline that leads to a page, with its level from 1."""

    level: int
    title: str


class Page(Value):
    """One physical page.

    ``number`` counts from 1. ``label`` is the number the document prints, where it says so ("iv"). ``text`` is in reading
    order with line-break hyphens joined and ligatures spelled out; paragraphs are parted by a blank line. ``width`` and
    ``height`` are in points as displayed. ``area`` is set where the page shows a part of a sheet. ``ocr`` tells that the
    text was recognised in a picture of the page. ``tables`` and ``bookmarks`` are those that begin on the page.
    """

    number: int
    label: str | None = None
    text: str
    width: float = 0.0
    height: float = 0.0
    words: tuple[Word, ...] = ()
    has_images: bool = False
    area: SheetArea | None = None
    ocr: bool = False
    tables: tuple[PageTable, ...] = ()
    bookmarks: tuple[Bookmark, ...] = ()

    @property
    def status(self) -> str:
        """How reading went: ``text``, ``ocr``, ``no text`` (an image without a text layer) or ``empty``."""
        if self.text.strip():
            return "ocr" if self.ocr else "text"
        return "no text" if self.has_images else "empty"


class OutlineEntry(NamedTuple):
    """A bookmark of a document: its level from 1, its title, and the physical page it leads to."""

    level: int
    title: str
    page: int


class ReadDocument(Value):
    """What a reader got out of a file: its pages, and the title found in it (empty where none is).

    ``notes`` say in sentences what a person must know of it: what was not read, what is hidden, what was assumed.
    """

    media_type: str
    title: str
    pages: tuple[Page, ...]
    canonical: bytes | None = None
    """The PDF that stands for the file where the file itself is not one."""
    notes: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    """The cells of its sheets and tables, encoded for the table store."""


def outline(pages: Iterable[Page]) -> tuple[OutlineEntry, ...]:
    """Return the outline of a document from its pages, which hold the bookmarks."""
    return tuple(OutlineEntry(mark.level, mark.title, page.number) for page in pages for mark in page.bookmarks)


def page_label(number: int, label: str | None) -> str:
    """Return the label shown to people: "p. 12", or "p. iv (PDF 6)" where the printed number differs."""
    if label is None or label == str(number):
        return f"p. {number}"
    return f"p. {label} (PDF {number})"


def pages_label(first: int, last: int, labels: Mapping[int, str]) -> str:
    """Return the label of a run of pages: that of the first, and of the last where it is another."""
    label = page_label(first, labels.get(first))
    return label if first == last else f"{label} - {page_label(last, labels.get(last))}"


def boxes_for(page: Page, start: int, end: int) -> list[Box]:
    """Return the boxes of the words that overlap characters ``start`` to ``end``, joined along each line.

    Words are joined while they stand on one line and side by side, so that a passage gives one box a line and columns
    stay apart.
    """
    boxes: list[Box] = []
    for word in page.words:
        if word.end <= start or word.start >= end:
            continue
        box = Box(word.x0, word.y0, word.x1, word.y1)
        if boxes and _same_run(boxes[-1], box):
            last = boxes.pop()
            box = Box(min(last.x0, box.x0), min(last.y0, box.y0), max(last.x1, box.x1), max(last.y1, box.y1))
        boxes.append(box)
    return boxes


def _same_run(left: Box, right: Box) -> bool:
    height = max(left.y1 - left.y0, right.y1 - right.y0)
    overlap = min(left.y1, right.y1) - max(left.y0, right.y0)
    return overlap > 0.5 * height and -0.5 * height <= right.x0 - left.x1 < 2 * height


def page_ranges(numbers: Sequence[int]) -> str:
    """Return ascending page numbers as people write them: "4-6, 9". Of very many the first are named."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    shown = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[1]}" for run in runs]
    return ", ".join(shown[:20]) + (f" and {len(shown) - 20} more" if len(shown) > 20 else "")
