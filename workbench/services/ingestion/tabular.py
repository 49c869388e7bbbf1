"""Chunking sheets: whole rows, and the header of the table with every chunk of them.

A page that shows a part of a sheet has a heading, a line with the letters of the columns, and a line for each row that begins
with the row's number. A chunk is the letters, the row that names the columns, and as many further rows as fit: each cell's
address can be read off, and each value stands under its column's name.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from workbench.domain.chunks import Segment
from workbench.domain.pages import Page
from workbench.domain.tables import SheetArea, row_of
from workbench.services.ingestion.units import TokenCounter, Unit

_HEADER_SHARE = 0.5
"""The most of a chunk that column names may take; of longer ones the first are kept."""


class TableDraft(NamedTuple):
    """A chunk to be: its segments on one page, and the cells it holds."""

    segments: tuple[Segment, ...]
    area: SheetArea

    @property
    def label(self) -> str:
        """The cells for the context line."""
        return f"{f'Sheet {self.area.sheet} ' if self.area.sheet else ''}{self.area.cells}"


def table_drafts(pages: Sequence[Page], counter: TokenCounter) -> list[TableDraft]:
    """Return the drafts of pages that show sheets, in order."""
    drafts: list[TableDraft] = []
    for page in pages:
        if page.area is not None and page.text:
            drafts += _page_drafts(page, page.area, counter)
    return drafts


class _Rows(NamedTuple):
    top: tuple[Segment, ...]
    """The letters, and the row that names the columns where this page has it."""
    data: list[tuple[int, Segment]]


def _page_drafts(page: Page, area: SheetArea, counter: TokenCounter) -> list[TableDraft]:
    rows = _rows(page, area)
    top = _within(rows.top, counter)
    room = counter.limit - sum(unit.tokens for unit in top)
    limited = counter.limited(room)
    units = limited.units([segment for _, segment in rows.data])
    drafts: list[TableDraft] = []
    held: list[tuple[int, Unit]] = []
    for (row, _), pieces in zip(rows.data, units, strict=True):
        for unit in pieces:
            # One token for each line end that joins two rows.
            if held and sum(each.tokens + 1 for _, each in held) + unit.tokens > room:
                drafts.append(_draft(area, rows, top, held))
                held = []
            held.append((row, unit))
    if held or not rows.data:
        drafts.append(_draft(area, rows, top, held))
    return drafts


def _rows(page: Page, area: SheetArea) -> _Rows:
    """Find the rows in a page's text. The header is part of the top where it stands right below the letters."""
    start = page.text.find("\n\n") + 2
    lines: list[Segment] = []
    for line in page.text[start:].split("\n"):
        lines.append(Segment(page=page.number, start=start, end=start + len(line)))
        start += len(line) + 1
    numbered = [(row_of(page.text[line.start : line.end]) or 0, line) for line in lines]
    top = [numbered[0][1]]
    header = next((line for row, line in numbered if area.header_row and row == area.header_row), None)
    if header is not None:
        top.append(header)
    data = [(row, line) for row, line in numbered[1:] if line is not header]
    return _Rows(tuple(top), data)


def _within(top: Sequence[Segment], counter: TokenCounter) -> list[Unit]:
    """Return as much of letters and header as leaves room for rows."""
    room = int(counter.limit * _HEADER_SHARE)
    kept: list[Unit] = []
    for pieces in counter.limited(max(room // 2, 1)).units(top):
        share = 0
        for unit in pieces:
            share += unit.tokens
            if share > room or sum(each.tokens for each in kept) + unit.tokens > room:
                break
            kept.append(unit)
    return kept


def _draft(area: SheetArea, rows: _Rows, top: Sequence[Unit], held: Sequence[tuple[int, Unit]]) -> TableDraft:
    # The page that sums up a sheet has no rows with numbers: it speaks of all cells.
    numbers = [row for row, _ in held if row] or [area.first_row, area.last_row]
    header = rows.top[1] if len(rows.top) > 1 else None
    # Rows above the header, such as a title, are not what it names.
    before_header = header is not None and held and held[-1][1].segments[0].end <= header.start
    above = [unit for unit in top if not before_header or unit.segments[0].start < (header.start if header else 0)]
    cells = area.model_copy(update={"first_row": min(numbers), "last_row": max(numbers)})
    segments = _joined([segment for unit in (*above, *(unit for _, unit in held)) for segment in unit.segments])
    return TableDraft(segments, cells)


def _joined(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Join segments that follow each other with nothing but one line end or tab between them."""
    ordered = sorted(segments, key=lambda segment: segment.start)
    joined = ordered[:1]
    for before, after in pairwise(ordered):
        if after.start - before.end <= 1:
            joined[-1] = Segment(page=after.page, start=joined[-1].start, end=after.end)
        else:
            joined.append(after)
    return tuple(joined)
