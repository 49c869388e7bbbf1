"""Tables on the pages of a document as wholes: what a page break cut is one table again, its rows numbered from 1."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from workbench.domain.chunks import Segment
from workbench.domain.pages import Page, TableCell


class PlacedRow(NamedTuple):
    """A row of a table: its texts by column from 1, and where it stands on its page."""

    number: int
    texts: dict[int, str]
    place: Segment
    line: str


class WholeTable(NamedTuple):
    """A table with all its rows, a header that following pages repeat left out. ``page`` is the one it begins on."""

    page: int
    label: str | None
    header_row: int
    rows: list[PlacedRow]

    @property
    def last_page(self) -> int:
        return self.rows[-1].place.page

    @property
    def columns(self) -> int:
        return max(max(row.texts) for row in self.rows)


def whole_tables(pages: Iterable[Page]) -> Iterator[WholeTable]:
    """Yield the tables that begin on ``pages``, which follow each other; what goes on from a page before them is left out."""
    current: WholeTable | None = None
    for page in pages:
        for table in page.tables:
            if not table.continues:
                if current is not None:
                    yield current
                current = WholeTable(page.number, page.label, min(table.header_rows, 1), [])
            if current is None:
                continue
            for row in table.rows[table.header_rows if table.continues else 0 :]:
                current.rows.append(_placed(len(current.rows) + 1, row, page))
    if current is not None:
        yield current


def _placed(number: int, row: tuple[TableCell, ...], page: Page) -> PlacedRow:
    texts: dict[int, str] = {}
    for cell in row:
        piece = page.text[cell.start : cell.end]
        texts[cell.column] = f"{texts[cell.column]} {piece}" if cell.column in texts else piece
    start, end = min(cell.start for cell in row), max(cell.end for cell in row)
    start -= len(page.text[:start]) - len(page.text[:start].rstrip("\t"))
    return PlacedRow(number, texts, Segment(page=page.number, start=start, end=end), page.text[start:end])
