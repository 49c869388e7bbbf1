"""Recognition: pages that are pictures of text are read by an OCR engine, one page at a time.

Only pages that need it: those with pictures and no text, those whose text is no more than a stamp or a page number over a
scan of the whole page, and those whose characters are not what the page shows. Recognised words take the same way to text
as the words of any other page, so that reading order, paragraphs and boxes are alike.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import Any, NamedTuple

from workbench.adapters.pymupdf.characters import clean
from workbench.adapters.pymupdf.engine import LOCK, engine
from workbench.adapters.pymupdf.fragments import Fragment, PlacedWord, RawPage, fragments_of
from workbench.adapters.pymupdf.frame import Frame
from workbench.domain.pages import Box
from workbench.services.ports import Raster, RecognizedWord, TextRecognizer

_LEAST_PICTURE = 0.02
"""Pictures that cover less of a page than this, such as a logo, are not looked at for text."""
_WHOLE_PAGE = 0.7
_FEW_WORDS = 20
"""A stamp, a header or a page number over a scan; more words are a page's own text."""
_MARGIN = 0.1
_MAX_ODD = 0.4
"""The share of characters without a meaning from which a text layer is worth nothing."""
_GLYPH_NAMES = re.compile(r"(?:/?(?:cid|glyph|g|c|uni)[:+]?\d+|\(cid:\d+\))+", re.IGNORECASE)
_MIN_DPI, _MAX_DPI = 200, 300
_MAX_PIXELS = 14_000_000
_UNCLEAR = 0.3
"""Words less sure than this are specks and lines more often than words."""
_LINE_WORDS = 3
_MANY_CURVES = 40
"""A page without text that draws fewer shapes than this shows a frame or a logo."""
_LIKE = 0.4
"""Lines whose heights differ from the usual one by less are of one size: what differs is which letters they have."""


class Doubt(NamedTuple):
    """How sure a page's recognition is: the mean confidence of its words, and how many were too unclear to keep."""

    confidence: float
    left_out: int


class Recognized(NamedTuple):
    """A page with the words that were recognised on it."""

    page: RawPage
    doubt: Doubt


def is_garbage(page: RawPage) -> bool:
    """Tell whether the text layer's characters are mostly private ones, marks for unknown ones, or names of glyphs."""
    words = [word.text for piece in page.fragments for word in piece.words]
    characters = "".join(words)
    if not characters:
        return False
    strange = [each for each in characters if each > "\u02ff"] if not characters.isascii() else []
    odd = sum(unicodedata.category(each) in ("Co", "Cn") or each == "\ufffd" for each in strange)
    names = sum(len(word) for word in words if _GLYPH_NAMES.fullmatch(word))
    return odd + names > _MAX_ODD * len(characters)


def _needs_recognition(page: Any, raw: RawPage) -> bool:
    """Tell whether a MuPDF page, whose text layer is thin or none, shows more text. Hold the engine's lock."""
    if is_garbage(raw):
        return True
    covered = _covered_by_pictures(page)
    if not raw.fragments:
        return covered >= _LEAST_PICTURE or shows_drawn_text(page)
    return covered >= _WHOLE_PAGE


def shows_drawn_text(page: Any) -> bool:
    """Tell whether a page without text may show some all the same: drawn as curves, or in a font that names nothing.

    Hold the engine's lock.
    """
    drawn = [kind for kind, *_ in page.get_bboxlog()]
    return any(kind in ("fill-text", "stroke-text") for kind in drawn) or len(drawn) >= _MANY_CURVES


def raster(page: Any) -> Raster:
    """Return a picture of a MuPDF page as displayed, about as fine as the scan on it. Hold the engine's lock."""
    finest = max((found["width"] / max(_inches(found["bbox"]), 0.1) for found in page.get_image_info()), default=0.0)
    area = max(page.rect.width * page.rect.height, 1.0) / 72**2
    dpi = min(max(round(finest), _MIN_DPI), _MAX_DPI, int((_MAX_PIXELS / area) ** 0.5))
    pymupdf = engine()
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(dpi / 72, dpi / 72), colorspace=pymupdf.csGRAY, alpha=False)
    return Raster(pixmap.width, pixmap.height, bytes(pixmap.samples), dpi)


def recognized(raw: RawPage, picture: Raster, engine_: TextRecognizer, max_seconds: float) -> Recognized:
    """Return the page with the words found in its picture; raise NotRecognized where the engine gives up."""
    found = engine_.recognize(picture, max_seconds)
    clear = [word for word in found if word.confidence >= _UNCLEAR]
    kept = () if is_garbage(raw) else raw.fragments
    lines = _lines(clear, picture, raw, [word.box for piece in kept for word in piece.words])
    frame = _frame(lines, raw)
    fragments = (*kept, *_of_one_size(list(fragments_of(lines, frame))))
    letters = sum(len(word.text) for word in clear)
    doubt = Doubt(
        sum(word.confidence * len(word.text) for word in clear) / letters if letters else 0.0, len(found) - len(clear)
    )
    page = raw._replace(fragments=fragments, frame=frame, ocr=bool(lines), has_images=True)
    return Recognized(page, doubt)


def look(document: Any, raw: RawPage) -> Raster | None:
    """Return a picture of the page where it needs to be recognised, else None."""
    if raw.fragments and not _is_thin(raw) and not is_garbage(raw):
        return None
    with LOCK:
        page = document[raw.number - 1]
        return raster(page) if _needs_recognition(page, raw) else None


def unread(document: Any, raw: RawPage) -> RawPage:
    """Return the page as one of pictures where its text layer means nothing, or where it shows text and has no layer."""
    if is_garbage(raw):
        return raw._replace(fragments=(), has_images=True)
    if raw.fragments or raw.has_images:
        return raw
    with LOCK:
        return raw._replace(has_images=shows_drawn_text(document[raw.number - 1]))


def _covered_by_pictures(page: Any) -> float:
    """Return the share of the page that pictures cover; the strips of one scan count together."""
    whole = max(abs(page.rect), 1.0)
    boxes = [engine().Rect(found["bbox"]) & page.rect for found in page.get_image_info()]
    return float(min(sum(abs(box) for box in boxes) / whole, 1.0))


def _is_thin(raw: RawPage) -> bool:
    words = sum(len(piece.words) for piece in raw.fragments)
    height = raw.frame_height
    in_margins = all(min(piece.box.y1, height - piece.box.y0) <= _MARGIN * height for piece in raw.fragments)
    return words <= _FEW_WORDS or (in_margins and words <= 3 * _FEW_WORDS)


def _inches(box: Sequence[float]) -> float:
    return (box[2] - box[0]) / 72


def _lines(
    words: Sequence[RecognizedWord], picture: Raster, raw: RawPage, taken: Sequence[Box]
) -> list[list[PlacedWord]]:
    """Return the words line by line in points of the page, without those that the text layer has already."""
    across, down = raw.width / picture.width, raw.height / picture.height
    lines: list[list[PlacedWord]] = []
    for _, line in groupby(words, key=lambda word: word.line):
        placed = [
            PlacedWord(text, box)
            for word in line
            if (text := clean(word.text))
            and not _covered(
                box := Box(word.box.x0 * across, word.box.y0 * down, word.box.x1 * across, word.box.y1 * down), taken
            )
        ]
        if placed:
            lines.append(placed)
    return lines


def _covered(box: Box, taken: Sequence[Box]) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return any(other.x0 <= x <= other.x1 and other.y0 <= y <= other.y1 for other in taken)


def _frame(lines: Sequence[Sequence[PlacedWord]], raw: RawPage) -> Frame:
    """Tell from the lines how the page is turned, and by how much it was laid askew."""
    angles: list[tuple[float, int]] = []
    for line in lines:
        if len(line) >= _LINE_WORDS:
            (x0, y0), (x1, y1) = _centre(line[0].box), _centre(line[-1].box)
            angles.append((math.atan2(y1 - y0, x1 - x0), len(line)))
    if not angles:
        return Frame(raw.width, raw.height)
    weight = {turn: sum(words for angle, words in angles if _quarter(angle) == turn) for turn in (0, 90, 180, 270)}
    turn = max(weight, key=lambda each: weight[each])
    if turn == 180 and not _upwards(lines):
        # Words from right to left in lines that run downwards: a script that is written so.
        turn = 0
        angles = [(math.atan2(-math.sin(angle), -math.cos(angle)), words) for angle, words in angles]
    rest = sorted(_rest(angle, turn) for angle, _ in angles if _quarter(angle) == turn)
    return Frame(raw.width, raw.height, turn, rest[len(rest) // 2])


def _of_one_size(fragments: Sequence[Fragment]) -> list[Fragment]:
    """Return the fragments with the heights of lines of one size made equal: boxes are as high as their letters."""
    if not fragments:
        return []
    usual = median(piece.height for piece in fragments)
    even: list[Fragment] = []
    for piece in fragments:
        box = piece.box
        if abs(piece.height - usual) <= _LIKE * usual:
            middle = (box.y0 + box.y1) / 2
            box = Box(box.x0, middle - usual / 2, box.x1, middle + usual / 2)
        even.append(piece._replace(box=box))
    return even


def _quarter(angle: float) -> int:
    """Return the turn nearest to the direction of a line; angles grow clockwise, as y runs downwards."""
    return round(-math.degrees(angle) / 90) % 4 * 90


def _rest(angle: float, turn: int) -> float:
    rest = angle + math.radians(turn)
    return math.atan2(math.sin(rest), math.cos(rest))


def _upwards(lines: Sequence[Sequence[PlacedWord]]) -> bool:
    steps = [_centre(after[0].box)[1] - _centre(before[0].box)[1] for before, after in pairwise(lines)]
    return sum(step < 0 for step in steps) > len(steps) / 2


def _centre(box: Box) -> tuple[float, float]:
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
