"""Ruled tables: the words inside a grid of drawn lines, cell by cell."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import reduce

from workbench.adapters.pymupdf.fragments import Cells, Fragment, PlacedWord, RawPage, RuledTable
from workbench.adapters.pymupdf.frame import Frame
from workbench.adapters.pymupdf.rulings import Grid
from workbench.domain.pages import Box

_MOST_CUT = 0.02
"""The share of words that lines may cut through; more show that the lines have nothing to do with the text."""
_MIN_FILLED = 0.25
"""A grid with fewer of its cells filled frames something else, such as a drawing or a form."""


def with_tables(raw: RawPage) -> list[Fragment]:
    """Return the page's fragments with those inside a ruled table replaced by one that stands for it."""
    fragments = [piece for piece in raw.fragments if not piece.aside]
    for grid in raw.grids:
        inside = [piece for piece in fragments if _inside(piece, grid)]
        table = _table(inside, grid, raw.frame)
        if table is not None:
            taken = set(map(id, inside))
            fragments = [piece for piece in fragments if id(piece) not in taken]
            fragments.append(Fragment((), grid.box, table=table))
    return fragments


def _inside(piece: Fragment, grid: Grid) -> bool:
    x, y = (piece.box.x0 + piece.box.x1) / 2, (piece.box.y0 + piece.box.y1) / 2
    box = grid.box
    return piece.table is None and box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def _table(pieces: Sequence[Fragment], grid: Grid, frame: Frame) -> RuledTable | None:
    """Return the table, or None where no two rows of the grid have text in two columns: then it frames something else."""
    if not grid.certain and _cuts_words(pieces, grid, frame):
        return None
    lines = _lines(pieces, grid, frame)
    filled = Counter(row for row, _ in lines)
    if sum(count > 1 for count in filled.values()) < (1 if grid.certain else 2):
        return None
    cells = {owner for row in grid.owner for owner in row}
    if not grid.certain and len(lines) < _MIN_FILLED * len(cells):
        return None
    kept = cells if grid.certain else lines
    columns = {column: number for number, column in enumerate(sorted({c for _, c in kept}), start=1)}
    rows: dict[int, Cells] = {}
    for (row, column), words in sorted(lines.items()):
        rows.setdefault(row, {})[columns[column]] = words
    boxes = [word.box for cell in lines.values() for line in cell for word in line]
    return RuledTable(tuple(rows.values()), reduce(_joined, boxes))


def _cuts_words(pieces: Sequence[Fragment], grid: Grid, frame: Frame) -> bool:
    """Tell whether the lines run through words, as they do where underlines and boxes lie over running text."""
    boxes = [frame.box(word.box) for piece in pieces for word in piece.words]
    cut = 0
    for box in boxes:
        y, inset = (box.y0 + box.y1) / 2, min(2.0, (box.x1 - box.x0) / 4)
        cut += grid.cell(box.x0 + inset, y) != grid.cell(box.x1 - inset, y)
    return cut > max(1, _MOST_CUT * len(boxes))


def _lines(pieces: Sequence[Fragment], grid: Grid, frame: Frame) -> dict[tuple[int, int], list[list[PlacedWord]]]:
    """Return the words of each cell, line by line; words over a line belong to the cell where their middle is."""
    found: dict[tuple[int, int], list[tuple[Box, PlacedWord]]] = defaultdict(list)
    for piece in pieces:
        for word in piece.words:
            box = frame.box(word.box)
            cell = grid.cell((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
            if cell is None:
                cell = grid.cell(
                    min(max((box.x0 + box.x1) / 2, grid.xs[0]), grid.xs[-1] - 0.1),
                    min(max((box.y0 + box.y1) / 2, grid.ys[0]), grid.ys[-1] - 0.1),
                )
            if cell is not None:
                found[cell].append((box, word))
    return {cell: _in_lines(words) for cell, words in found.items()}


def _in_lines(words: list[tuple[Box, PlacedWord]]) -> list[list[PlacedWord]]:
    """Part the words of a cell into lines, from top to bottom; within a line they keep the order of the page."""
    lines: list[tuple[Box, list[PlacedWord]]] = []
    for box, word in words:
        for index, (whole, line) in enumerate(lines):
            overlap = min(box.y1, whole.y1) - max(box.y0, whole.y0)
            if overlap > 0.5 * min(box.y1 - box.y0, whole.y1 - whole.y0):
                line.append(word)
                lines[index] = (_joined(whole, box), line)
                break
        else:
            lines.append((box, [word]))
    return [line for _, line in sorted(lines, key=lambda each: each[0].y0)]


def _joined(left: Box, right: Box) -> Box:
    return Box(min(left.x0, right.x0), min(left.y0, right.y0), max(left.x1, right.x1), max(left.y1, right.y1))
