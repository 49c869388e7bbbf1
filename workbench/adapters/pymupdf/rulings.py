"""Rulings: the lines drawn around the cells of a table, and the grids they make.

Only lines are looked at, which costs about a millisecond a page; whether a grid is a table is decided by the text in it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from workbench.adapters.pymupdf.engine import engine
from workbench.adapters.pymupdf.frame import Frame
from workbench.domain.pages import Box

_THIN = 3.0
"""A rectangle no thicker than this is a line."""
_REACH = 3.0
"""Lines that miss each other by less meet."""
_SAME = 2.5
"""Lines nearer to each other than this are one."""
_SHORTEST = 6.0
_MOST = 6000
"""Pages with more lines than this are drawings, such as maps, not tables."""
_LARGEST_STREAM = 4_000_000
"""Pages whose drawing commands are longer, in bytes as stored, are not looked at: to list them takes too long."""


class Grid(NamedTuple):
    """Lines that cross: columns between ``xs``, rows between ``ys``, in the reading frame.

    ``owner`` tells for each row and column the row and column whose cell it belongs to: others where cells are merged.
    ``certain`` tells that it was drawn as a table, whatever stands in it.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    owner: tuple[tuple[tuple[int, int], ...], ...]
    certain: bool = False

    @property
    def box(self) -> Box:
        return Box(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

    def cell(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the row and column of the cell at a place, or None outside."""
        row, column = _band(self.ys, y), _band(self.xs, x)
        return None if row is None or column is None else self.owner[row][column]


class _Line(NamedTuple):
    """A line along one axis: its place across that axis, and where it begins and ends."""

    place: float
    start: float
    end: float


def grids(page: Any, frame: Frame, certain: bool = False) -> tuple[Grid, ...]:
    """Return the grids of at least two rows and two columns on a MuPDF page. Hold the engine's lock.

    ``certain`` is for pages that were laid out here: every grid is a table there, and a page break may leave one row of it.
    """
    across, down = _lines(page, frame)
    least = 1 if certain else 3
    if len(across) < least or len(down) < 3:
        return ()
    found = (_grid(rows, columns, certain) for rows, columns in _connected(across, down, least))
    return tuple(grid for grid in found if grid is not None)


def _lines(page: Any, frame: Frame) -> tuple[list[_Line], list[_Line]]:
    """Return the lines that run across and those that run down, in the reading frame, pieces of one joined."""
    if _stored_size(page) > _LARGEST_STREAM:
        return [], []
    matrix = page.rotation_matrix if page.rotation else None
    across: list[_Line] = []
    down: list[_Line] = []
    for box in _strokes(page.get_cdrawings()):
        if matrix is not None:
            box = Box(*(engine().Rect(box) * matrix))  # noqa: PLW2901
        x0, y0, x1, y1 = frame.box(box)
        if y1 - y0 <= _THIN and x1 - x0 >= _SHORTEST:
            across.append(_Line((y0 + y1) / 2, x0, x1))
        elif x1 - x0 <= _THIN and y1 - y0 >= _SHORTEST:
            down.append(_Line((x0 + x1) / 2, y0, y1))
    return _joined(across), _joined(down)


def _stored_size(page: Any) -> int:
    document = page.parent
    lengths = (document.xref_get_key(xref, "Length")[1] for xref in page.get_contents())
    return sum(int(length) for length in lengths if length.isdigit())


def _strokes(drawings: Iterable[dict[str, Any]]) -> Iterator[Box]:
    """Yield the boxes of straight lines, thin rectangles, and the edges of drawn ones."""
    for drawing in drawings:
        stroked = "s" in drawing["type"]
        for kind, *points in drawing["items"]:
            if kind == "l":
                (x0, y0), (x1, y1) = points[0], points[1]
                yield Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
            elif kind == "re":
                x0, y0, x1, y1 = points[0]
                if min(x1 - x0, y1 - y0) <= _THIN:
                    yield Box(x0, y0, x1, y1)
                elif stroked:
                    yield from (Box(x0, y0, x1, y0), Box(x0, y1, x1, y1), Box(x0, y0, x0, y1), Box(x1, y0, x1, y1))


def _joined(lines: list[_Line]) -> list[_Line]:
    """Join lines at the same place that overlap or touch."""
    if len(lines) > _MOST:
        return []
    joined: list[_Line] = []
    for line in sorted(lines):
        index = _continued(joined, line)
        if index is None:
            joined.append(line)
        else:
            other = joined[index]
            joined[index] = _Line(other.place, min(line.start, other.start), max(line.end, other.end))
    return joined


def _continued(lines: Sequence[_Line], line: _Line) -> int | None:
    """Return the index of the line, among those sorted by their places, that ``line`` goes on with."""
    for index in range(len(lines) - 1, -1, -1):
        other = lines[index]
        if line.place - other.place > _SAME:
            return None
        if other.start <= line.end + _REACH and line.start <= other.end + _REACH:
            return index
    return None


def _connected(
    across: Sequence[_Line], down: Sequence[_Line], least_across: int
) -> Iterator[tuple[list[_Line], list[_Line]]]:
    """Yield the lines in groups that cross or touch."""
    left = set(range(len(down)))
    unseen = set(range(len(across)))
    while unseen:
        rows, columns, fresh = set[int](), set[int](), {min(unseen)}
        while fresh:
            rows |= fresh
            columns_met = {n for n in left if any(_meet(across[row], down[n]) for row in fresh)}
            left -= columns_met
            columns |= columns_met
            unseen -= fresh
            fresh = {n for n in unseen if any(_meet(across[n], down[column]) for column in columns_met)}
        if len(rows) >= least_across and len(columns) >= 3:
            yield [across[n] for n in rows], [down[n] for n in columns]


def _meet(across: _Line, down: _Line) -> bool:
    return (
        down.start - _REACH <= across.place <= down.end + _REACH
        and across.start - _REACH <= down.place <= across.end + _REACH
    )


def _grid(across: Sequence[_Line], down: Sequence[_Line], certain: bool) -> Grid | None:
    ends = list(_open_ends(across, down))
    across = [*across, *ends]
    ys, xs = _places(across), _places(down)
    if len(ys) < (2 if certain and ends else 3) or len(xs) < 3:
        return None
    walls = _separations(down, xs, ys)
    floors = _separations(across, ys, xs)
    owner: list[list[tuple[int, int]]] = []
    for row in range(len(ys) - 1):
        owner.append([])
        for column in range(len(xs) - 1):
            if column and not walls(column, row):
                owner[row].append(owner[row][column - 1])
            elif row and not floors(row, column):
                owner[row].append(owner[row - 1][column])
            else:
                owner[row].append((row, column))
    return Grid(tuple(xs), tuple(ys), tuple(tuple(row) for row in owner), certain)


def _open_ends(across: Sequence[_Line], down: Sequence[_Line]) -> Iterator[_Line]:
    """Yield the lines that close a grid where a page break cut it: there only the lines that run down go on."""
    left, right = min(line.start for line in across), max(line.end for line in across)
    first, last = min(line.place for line in across), max(line.place for line in across)
    sides = [[line for line in down if abs(line.place - place) <= 2 * _SAME] for place in _places(down)]
    tops = [min(line.start for line in side) for side in sides]
    bottoms = [max(line.end for line in side) for side in sides]
    for ends, beyond in ((tops, first - max(tops)), (bottoms, min(bottoms) - last)):
        if beyond > _SHORTEST and max(ends) - min(ends) <= _REACH:
            yield _Line(min(ends), left, right)


def _places(lines: Sequence[_Line]) -> list[float]:
    places: list[float] = []
    for line in sorted(lines):
        if not places or line.place - places[-1] > 2 * _SAME:
            places.append(line.place)
    return places


def _separations(lines: Sequence[_Line], places: Sequence[float], bands: Sequence[float]) -> Callable[[int, int], bool]:
    """Return whether a line at ``places[n]`` stands in the middle of the band after ``bands[m]``."""

    def stands(n: int, m: int) -> bool:
        middle = (bands[m] + bands[m + 1]) / 2
        return any(
            abs(line.place - places[n]) <= 2 * _SAME and line.start - _REACH <= middle <= line.end + _REACH
            for line in lines
        )

    return stands


def _band(edges: Sequence[float], place: float) -> int | None:
    if not edges[0] <= place < edges[-1]:
        return None
    return next(index for index in range(len(edges) - 1) if place < edges[index + 1])
