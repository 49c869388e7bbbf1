"""Fragments: runs of words that stand close together on one line, as MuPDF finds them on a page."""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, NamedTuple

from workbench.adapters.pymupdf.characters import clean, unspaced
from workbench.adapters.pymupdf.engine import engine
from workbench.adapters.pymupdf.frame import Frame
from workbench.adapters.pymupdf.rulings import Grid, grids
from workbench.domain.pages import Box


class PlacedWord(NamedTuple):
    """A word and its box on the page as displayed. A ``glued`` one follows the word before it without a space."""

    text: str
    box: Box
    glued: bool = False


class Fragment(NamedTuple):
    """Words side by side on one line.

    ``box`` is in the reading frame: the page turned so that most of its text runs from left to right. On ordinary pages
    the frame is the page as displayed. ``aside`` marks text that runs in another direction, such as a stamp in the margin.
    A ruled table stands among the others as a fragment without words.
    """

    words: tuple[PlacedWord, ...]
    box: Box
    aside: bool = False
    table: "RuledTable | None" = None

    @property
    def height(self) -> float:
        return self.box.y1 - self.box.y0

    @property
    def width(self) -> float:
        return self.box.x1 - self.box.x0

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


Cells = dict[int, list[list[PlacedWord]]]
"""The lines of words in the cells of a row, by column, counted from 1."""


class RuledTable(NamedTuple):
    """The rows of a table with drawn lines between its cells; ``box`` is on the page as displayed."""

    rows: tuple[Cells, ...]
    box: Box


class RawPage(NamedTuple):
    """What is taken off a page before its reading order is decided. Sizes are in points as displayed."""

    number: int
    label: str | None
    width: float
    height: float
    has_images: bool
    fragments: tuple[Fragment, ...]
    frame: Frame
    grids: tuple[Grid, ...] = ()
    ocr: bool = False
    """Whether words of it were recognised in a picture."""
    running: tuple[Fragment, ...] = ()
    """Headers and footers of many pages, on the first page that prints them; they are read before everything else."""

    @property
    def frame_height(self) -> float:
        """The height of the reading frame: the page's width where its text stands upright."""
        return self.frame.reading_height


_STACK = 3
_MOSTLY = 0.6
_GAP = 1.0
"""Words further apart than this many line heights may stand in different cells or columns."""


def raw_page(page: Any, number: int, label: str | None, laid_out: bool = False) -> RawPage:
    """Take words, size and pictures off a MuPDF page; on one ``laid_out`` here every grid is a table."""
    width, height = page.rect.width, page.rect.height
    lines = upright_columns(list(_lines(page)))
    frame = Frame(width, height, _turn(lines))
    fragments = tuple(fragments_of(lines, frame))
    return RawPage(
        number=number,
        label=label,
        width=width,
        height=height,
        has_images=bool(page.get_images() if fragments else page.get_image_info()),
        fragments=fragments,
        frame=frame,
        grids=grids(page, frame, certain=laid_out) if fragments else (),
    )


def fragments_of(lines: Sequence[Sequence[PlacedWord]], frame: Frame) -> Iterator[Fragment]:
    """Yield the fragments of lines of words."""
    for line in lines:
        yield from _split(line, frame)


def _lines(page: Any) -> Iterator[list[PlacedWord]]:
    """Yield the words of each line MuPDF found, in displayed coordinates, without doubles."""
    pymupdf = engine()
    flags = pymupdf.TEXTFLAGS_WORDS & ~pymupdf.TEXT_PRESERVE_LIGATURES
    turned = page.rotation_matrix if page.rotation else None
    seen: dict[str, list[Box]] = {}
    line: list[PlacedWord] = []
    place = None
    for x0, y0, x1, y1, raw, block, row, _ in page.get_text("words", flags=flags):
        text = clean(raw)
        box = Box(x0, y0, x1, y1) if turned is None else Box(*(pymupdf.Rect(x0, y0, x1, y1) * turned))
        if not text or _doubled(box, seen.setdefault(text, [])):
            continue
        if place != (block, row) and line:
            yield line
            line = []
        place = (block, row)
        line.append(PlacedWord(text, box))
    if line:
        yield line


def upright_columns(lines: list[list[PlacedWord]]) -> list[list[PlacedWord]]:
    """Return the lines of a page written from top to bottom, which MuPDF gives character by character; others as they are."""
    columns: list[list[PlacedWord]] = []
    for line in lines:
        if columns and len(line) == 1 and _stands_under(columns[-1][-1], line[0]):
            columns[-1].append(line[0]._replace(glued=True))
        else:
            columns.append(list(line))
    stacked = sum(len(column) for column in columns if len(column) >= _STACK and column[-1].glued)
    return columns if stacked > _MOSTLY * sum(map(len, lines)) else lines


def _stands_under(above: PlacedWord, word: PlacedWord) -> bool:
    if len(above.text) > 2 or len(word.text) > 2 or not all(unspaced(text[0]) for text in (above.text, word.text)):
        return False
    size = word.box.x1 - word.box.x0
    shift = (above.box.x0 + above.box.x1 - word.box.x0 - word.box.x1) / 2
    return abs(shift) < 0.3 * size and -0.3 * size < word.box.y0 - above.box.y1 < 0.8 * size


def _doubled(box: Box, others: list[Box]) -> bool:
    """Tell whether the same word was already there: some programs print bold by printing twice."""
    if any(abs(box.x0 - other.x0) < 1.0 and abs(box.y0 - other.y0) < 1.0 for other in others):
        return True
    others.append(box)
    return False


def _turn(lines: list[list[PlacedWord]]) -> int:
    """Return how most text of the page runs: 0 across, 90 upwards, 270 downwards."""
    weight = {0: 0, 90: 0, 270: 0}
    for line in lines:
        weight[_direction(line)] += len(line)
    return max(weight, key=lambda turn: weight[turn])


def _direction(line: list[PlacedWord]) -> int:
    """Return how one line runs. A single tall word counts as running upwards, the usual way of a margin's text."""
    first, last = line[0].box, line[-1].box
    if len(line) == 1:
        tall = len(line[0].text) > 2 and (first.y1 - first.y0) > 2.5 * (first.x1 - first.x0)
        return 90 if tall else 0
    if abs(last.y0 - first.y0) <= 2 * abs(last.x0 - first.x0):
        return 0
    return 90 if last.y0 < first.y0 else 270


def _split(line: Sequence[PlacedWord], frame: Frame) -> Iterator[Fragment]:
    """Cut a line where a gap parts columns or cells; text in another direction stays whole."""
    boxes = [frame.box(word.box) for word in line]
    if len(line) > 1 and not _runs_across(boxes):
        yield Fragment(tuple(line), reduce(_joined, boxes), aside=True)
        return
    run: list[PlacedWord] = []
    whole: Box | None = None
    for word, box in zip(line, boxes, strict=True):
        if whole is not None and abs(box.x0 - whole.x1) > _GAP * (box.y1 - box.y0) and box.x0 > whole.x0:
            yield Fragment(tuple(run), whole)
            run, whole = [], None
        run.append(word)
        whole = box if whole is None else _joined(whole, box)
    if whole is not None:
        yield Fragment(tuple(run), whole)


def _runs_across(boxes: Sequence[Box]) -> bool:
    """Tell whether a line runs across the reading frame."""
    return abs(boxes[-1].y0 - boxes[0].y0) <= 2 * abs(boxes[-1].x0 - boxes[0].x0)


def _joined(left: Box, right: Box) -> Box:
    return Box(min(left.x0, right.x0), min(left.y0, right.y0), max(left.x1, right.x1), max(left.y1, right.y1))
