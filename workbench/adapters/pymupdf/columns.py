"""Columns: in which order the fragments of a page are read.

A page is read from top to bottom. Where a gutter runs between two bodies of running text, the left one is read before the
right one; lines that cross the gutter, such as a heading over both columns, stay where they are and part what is above
from what is below. Tables have gutters too, but their cells are short: they are read row by row.
"""

from collections.abc import Sequence
from statistics import median

from workbench.adapters.pymupdf.fragments import Fragment

_BIN = 2.0
_MIN_LINES = 4
"""Fewer lines on a side are no column."""
_MIN_WORDS = 3
"""Columns of text have at least this many words a line, in the middle; cells have fewer."""
_MIN_FILL = 0.35
"""Lines of text fill at least this share of their column's width, in the middle."""


def regions(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    """Return the fragments in groups, in reading order; each group is to be read row by row."""
    gutter = _gutter(fragments)
    if gutter is None:
        return [list(fragments)] if fragments else []
    found: list[list[Fragment]] = []
    for band in _bands(fragments, gutter):
        left = [piece for piece in band if piece.box.x1 <= gutter]
        right = [piece for piece in band if piece.box.x0 >= gutter]
        if len(left) + len(right) == len(band) and _is_text(left) and _is_text(right):
            found += [*regions(left), *regions(right)]
        elif found and not _is_columns_end(found[-1], gutter):
            found[-1] += band
        else:
            found.append(list(band))
    return found


def _gutter(fragments: Sequence[Fragment]) -> float | None:
    """Return where a vertical line in the middle of the text crosses few fragments, with enough text on both sides."""
    if len(fragments) < 2 * _MIN_LINES:
        return None
    low, high = min(piece.box.x0 for piece in fragments), max(piece.box.x1 for piece in fragments)
    bins = int((high - low) / _BIN) + 1
    cover = [0] * (bins + 1)
    for piece in fragments:
        for index in range(int((piece.box.x0 - low) / _BIN), int((piece.box.x1 - low) / _BIN) + 1):
            cover[index] += 1
    middle = range(int(bins * 0.28), int(bins * 0.72) + 1)
    fewest = min((cover[index] for index in middle), default=len(fragments))
    if fewest > 0.4 * len(fragments):
        return None
    start, end = _longest_run([index for index in middle if cover[index] == fewest])
    gutter = low + _BIN * (start + end + 1) / 2
    sides = (sum(piece.box.x1 <= gutter for piece in fragments), sum(piece.box.x0 >= gutter for piece in fragments))
    return gutter if min(sides) >= _MIN_LINES else None


def _longest_run(indices: list[int]) -> tuple[int, int]:
    best = start = previous = indices[0]
    best_end = start
    for index in indices[1:]:
        if index != previous + 1:
            start = index
        previous = index
        if index - start > best_end - best:
            best, best_end = start, index
    return best, best_end


def _bands(fragments: Sequence[Fragment], gutter: float) -> list[list[Fragment]]:
    """Cut the page at the fragments that cross the gutter; neighbouring crossing ones stay together."""
    crossing = [piece for piece in fragments if piece.box.x0 < gutter < piece.box.x1]
    bands: list[list[Fragment]] = []
    last_crosses: bool | None = None
    for piece in sorted(fragments, key=lambda piece: (piece.box.y0 + piece.box.y1) / 2):
        crosses = piece.box.x0 < gutter < piece.box.x1 or any(_beside(piece, other) for other in crossing)
        if crosses is not last_crosses:
            bands.append([])
        bands[-1].append(piece)
        last_crosses = crosses
    return bands


def _beside(piece: Fragment, other: Fragment) -> bool:
    overlap = min(piece.box.y1, other.box.y1) - max(piece.box.y0, other.box.y0)
    return overlap > 0.5 * min(piece.height, other.height)


def _is_text(side: Sequence[Fragment]) -> bool:
    if len(side) < _MIN_LINES:
        return False
    low, high = min(piece.box.x0 for piece in side), max(piece.box.x1 for piece in side)
    words = median(len(piece.words) for piece in side)
    fill = median(piece.width for piece in side) / max(high - low, 1.0)
    return words >= _MIN_WORDS and fill >= _MIN_FILL


def _is_columns_end(region: Sequence[Fragment], gutter: float) -> bool:
    """Tell whether a region lies wholly on one side of the gutter, so that what follows must not run into it."""
    return all(piece.box.x0 >= gutter for piece in region) or all(piece.box.x1 <= gutter for piece in region)
