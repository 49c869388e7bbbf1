"""Tables without drawn lines: rows whose cells stand under each other."""

from collections.abc import Sequence

from workbench.adapters.pymupdf.fragments import Fragment
from workbench.adapters.pymupdf.rows import Row

_MIN_ROWS = 3
_CLEAN = 0.8
"""The least share of rows in which each cell has a column of its own."""


def columns_of(rows: Sequence[Row]) -> list[list[int]] | None:
    """Return the column of each cell of each row, counted from 1, or None where the cells do not stand in columns."""
    full = [row for row in rows if row.is_table_row]
    if len(full) < _MIN_ROWS:
        return None
    edges = _columns(full)
    if len(edges) < 2:
        return None
    edges = _without_doubles(edges, full)
    if len(edges) < 2:
        return None
    placed = [[_column(cell, edges) for cell in row.cells] for row in rows]
    if sum(row.right_to_left for row in full) > len(full) / 2:
        placed = [[len(edges) + 1 - column for column in columns] for columns in placed]
    clean = sum(
        len(set(columns)) == len(columns) for row, columns in zip(rows, placed, strict=True) if row.is_table_row
    )
    return placed if clean >= _CLEAN * len(full) else None


def _without_doubles(edges: list[tuple[float, float]], rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Join neighbouring columns of which no row fills both: a name that is centred over figures further right."""
    used = [{_column(cell, edges) for cell in row.cells} for row in rows]
    joined = edges[:1]
    members = [{1}]
    for number, edge in enumerate(edges[1:], start=2):
        both = any(columns & members[-1] and number in columns for columns in used)
        if both:
            joined.append(edge)
            members.append({number})
        else:
            joined[-1] = (joined[-1][0], max(joined[-1][1], edge[1]))
            members[-1].add(number)
    return joined


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Return from where to where each column reaches, told from the rows with most cells."""
    most = max(len(row.cells) for row in rows)
    spans = sorted(_span(cell) for row in rows if len(row.cells) == most for cell in row.cells)
    edges: list[tuple[float, float]] = []
    for start, end in spans:
        if edges and start < edges[-1][1]:
            edges[-1] = (edges[-1][0], max(edges[-1][1], end))
        else:
            edges.append((start, end))
    return edges


def _column(cell: Sequence[Fragment], edges: Sequence[tuple[float, float]]) -> int:
    """Return the column that a cell overlaps most, or the nearest one."""
    start, end = _span(cell)
    overlaps = [min(end, right) - max(start, left) for left, right in edges]
    return max(range(len(edges)), key=lambda index: overlaps[index]) + 1


def _span(cell: Sequence[Fragment]) -> tuple[float, float]:
    return min(piece.box.x0 for piece in cell), max(piece.box.x1 for piece in cell)
