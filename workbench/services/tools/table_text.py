"""Cells as text that a model reads and a citation quotes: lines with row numbers under the letters of the columns."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.chunks import Segment
from workbench.domain.pages import Page
from workbench.domain.tables import LETTERS, CellRange, column_letters, row_of
from workbench.services.ports import TableRow


class Excerpt(NamedTuple):
    """Text of cells, and where it stands: ``segments`` as those of a chunk, one without length where no page shows it."""

    text: str
    segments: tuple[Segment, ...]
    first_column: int
    last_column: int


def on_pages(pages: Sequence[Page], cells: CellRange, header_row: int) -> Excerpt | None:
    """Return the rows of a range as the pages of their sheet show them, whole rows of each page; None where none does.

    ``header_row`` is given with the first rows of each set of columns, 0 where no row names the columns.
    """
    segments: list[Segment] = []
    columns: list[tuple[int, int]] = []
    text: list[str] = []
    for page in pages:
        area = page.area
        if area is None or area.first_column > cells.last_column or area.last_column < cells.first_column:
            continue
        top, rows = _lines(page, cells, header_row)
        if not rows:
            continue
        if columns[-1:] == [(area.first_column, area.last_column)]:
            top = []
        columns.append((area.first_column, area.last_column))
        segments += [*top, *rows]
        text += [page.text[line.start : line.end] for line in (*top, *rows)]
    if not segments:
        return None
    return Excerpt("\n".join(text), tuple(segments), min(low for low, _ in columns), max(high for _, high in columns))


def _lines(page: Page, cells: CellRange, header_row: int) -> tuple[list[Segment], list[Segment]]:
    """Return the lines of a page that name the columns, and those of the wanted rows."""
    top: list[Segment] = []
    rows: list[Segment] = []
    start = 0
    for line in page.text.split("\n"):
        segment = Segment(page=page.number, start=start, end=start + len(line))
        start += len(line) + 1
        number = row_of(line)
        if line.startswith(f"{LETTERS}\t"):
            top.append(segment)
        elif not top or number is None:
            continue
        elif cells.first_row <= number <= cells.last_row:
            rows.append(segment)
        elif number == header_row:
            top.append(segment)
    return top, rows


def written(rows: Sequence[TableRow], cells: CellRange, page: int) -> Excerpt:
    """Write rows that no page shows; ``page`` is the one that a citation of them opens."""
    held = sorted({cell.column for row in rows for cell in row.cells}) or [cells.first_column]
    lines = ["\t".join([LETTERS, *map(column_letters, held)])]
    for row in rows:
        texts = {cell.column: " ".join(cell.text.split()) for cell in row.cells}
        lines.append("\t".join([str(row.number), *(texts.get(column, "") for column in held)]).rstrip("\t"))
    return Excerpt("\n".join(lines), (Segment(page=page, start=0, end=0),), held[0], held[-1])
