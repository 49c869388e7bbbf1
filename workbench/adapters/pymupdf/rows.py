"""Rows: the fragments of a region that stand on one line, in the direction of its script."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from statistics import median

from workbench.adapters.pymupdf.fragments import Fragment

CLAUSE = re.compile(
    r"(?:(?:article|section|schedule|annex|appendix|exhibit|clause|part)\s+(?:\d+|[ivxlc]+|[a-z])\b"
    r"|\d{1,3}(?:\.\d{1,3})*[.)]|\d{1,3}(?:\.\d{1,3})+|\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)|[a-z][.)]|[ivx]{1,5}[.)]"
    r"|[•●▪■◦‣·o*–-])(?=\s|$)",
    re.IGNORECASE,
)
"""How a numbered clause or a list item begins."""

_CELL_GAP = 1.5
"""Words further apart than this many line heights stand in different cells."""
_SENTENCE_GAP = 4.0
"""After a full stop typists leave two spaces or more, which is no border of a cell."""


class Row:
    """One line of a region: its cells (one, in running text), and its place in the reading frame."""

    def __init__(self, fragments: Sequence[Fragment]) -> None:
        self.right_to_left = _right_to_left(fragments)
        ordered = sorted(fragments, key=lambda piece: -piece.box.x1 if self.right_to_left else piece.box.x0)
        self.cells = _cells(ordered)
        self.x0 = min(piece.box.x0 for piece in ordered)
        self.x1 = max(piece.box.x1 for piece in ordered)
        self.y0 = min(piece.box.y0 for piece in ordered)
        self.y1 = max(piece.box.y1 for piece in ordered)
        self.height = median(piece.height for piece in ordered)
        self.fragments = tuple(ordered)
        self.table = ordered[0].table

    @property
    def centre(self) -> float:
        return (self.y0 + self.y1) / 2

    @property
    def is_table_row(self) -> bool:
        return len(self.cells) > 1

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.fragments)


def rows(fragments: Iterable[Fragment]) -> list[Row]:
    """Group a region's fragments into rows, from top to bottom."""
    groups: list[list[Fragment]] = []
    for piece in sorted(fragments, key=lambda piece: (piece.box.y0 + piece.box.y1) / 2):
        for group in reversed(groups[-3:]):
            if _on_line(piece, group):
                group.append(piece)
                break
        else:
            groups.append([piece])
    return sorted((Row(group) for group in groups), key=lambda row: row.centre)


def _right_to_left(fragments: Sequence[Fragment]) -> bool:
    """Tell whether most letters of a line are of a script that runs from right to left; figures run as they always do."""
    leftwards = rightwards = 0
    for piece in fragments:
        if piece.text.isascii():
            rightwards += sum(map(str.isalpha, piece.text))
            continue
        for character in piece.text:
            kind = unicodedata.bidirectional(character)
            leftwards += kind in ("R", "AL")
            rightwards += kind == "L"
    return leftwards > rightwards


def _on_line(piece: Fragment, group: list[Fragment]) -> bool:
    if piece.table or group[0].table:
        return False
    top, bottom = group[0].box.y0, group[0].box.y1
    overlap = min(piece.box.y1, bottom) - max(piece.box.y0, top)
    if overlap < 0.5 * min(piece.height, bottom - top):
        return False
    return all(
        min(piece.box.x1, other.box.x1) - max(piece.box.x0, other.box.x0) < 0.2 * min(piece.width, other.width) + 0.1
        for other in group
    )


def _cells(ordered: Sequence[Fragment]) -> list[list[Fragment]]:
    """Part a row where the gap is wide. A clause number or a bullet before its text is not a cell of its own."""
    cells = [[ordered[0]]]
    for piece in ordered[1:]:
        last = cells[-1][-1]
        gap = _SENTENCE_GAP if last.words[-1].text[-1] in ".:;,!?" else _CELL_GAP
        between = max(piece.box.x0 - last.box.x1, last.box.x0 - piece.box.x1)
        if between > gap * max(piece.height, last.height):
            cells.append([piece])
        else:
            cells[-1].append(piece)
    while len(cells) > 1 and CLAUSE.fullmatch(" ".join(piece.text for piece in cells[0])):
        cells[0:2] = [cells[0] + cells[1]]
    return cells
