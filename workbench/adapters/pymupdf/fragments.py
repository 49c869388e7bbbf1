"""Fragments: runs of words that stand close together on one line, as MuPDF finds them on a page."""

from collections.abc import Iterator
from functools import reduce
from typing import Any, NamedTuple

from workbench.adapters.pymupdf.characters import clean
from workbench.adapters.pymupdf.engine import engine
from workbench.domain.pages import Box


class PlacedWord(NamedTuple):
    """A word and its box on the page as displayed."""

    text: str
    box: Box


class Fragment(NamedTuple):
    """Words side by side on one line.

    ``box`` is in the reading frame: the page turned so that most of its text runs from left to right. On ordinary pages
    the frame is the page as displayed. ``aside`` marks text that runs in another direction, such as a stamp in the margin.
    """

    words: tuple[PlacedWord, ...]
    box: Box
    aside: bool = False

    @property
    def height(self) -> float:
        return self.box.y1 - self.box.y0

    @property
    def width(self) -> float:
        return self.box.x1 - self.box.x0

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


class RawPage(NamedTuple):
    """What is taken off a page before its reading order is decided. Sizes are in points as displayed."""

    number: int
    label: str | None
    width: float
    height: float
    has_images: bool
    fragments: tuple[Fragment, ...]
    frame_height: float
    """The height of the reading frame: the page's width where its text stands upright."""


_GAP = 1.0
"""Words further apart than this many line heights may stand in different cells or columns."""


def raw_page(page: Any, number: int, label: str | None) -> RawPage:
    """Take words, size and pictures off a MuPDF page."""
    width, height = page.rect.width, page.rect.height
    lines = list(_lines(page))
    turn = _turn(lines)
    fragments = tuple(piece for line in lines for piece in _split(line, turn, width, height))
    return RawPage(
        number=number,
        label=label,
        width=width,
        height=height,
        has_images=bool(page.get_images() if fragments else page.get_image_info()),
        fragments=fragments,
        frame_height=height if turn == 0 else width,
    )


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


def _split(line: list[PlacedWord], turn: int, width: float, height: float) -> Iterator[Fragment]:
    """Cut a line where a gap parts columns or cells; text in another direction stays whole."""
    if _direction(line) != turn and len(line) > 1:
        boxes = [_framed(word.box, turn, width, height) for word in line]
        yield Fragment(tuple(line), reduce(_joined, boxes), aside=True)
        return
    run: list[PlacedWord] = []
    frame: Box | None = None
    for word in line:
        box = _framed(word.box, turn, width, height)
        if frame is not None and abs(box.x0 - frame.x1) > _GAP * (box.y1 - box.y0) and box.x0 > frame.x0:
            yield Fragment(tuple(run), frame)
            run, frame = [], None
        run.append(word)
        frame = box if frame is None else _joined(frame, box)
    if frame is not None:
        yield Fragment(tuple(run), frame)


def _framed(box: Box, turn: int, width: float, height: float) -> Box:
    if turn == 90:
        return Box(height - box.y1, box.x0, height - box.y0, box.x1)
    if turn == 270:
        return Box(box.y0, width - box.x1, box.y1, width - box.x0)
    return box


def _joined(left: Box, right: Box) -> Box:
    return Box(min(left.x0, right.x0), min(left.y0, right.y0), max(left.x1, right.x1), max(left.y1, right.y1))
