"""Passages: paragraphs and tables in the order of the document, each with the headings above it."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.chunks import Segment
from workbench.domain.pages import Bookmark, Page
from workbench.services.ingestion.blocks import Block, blocks, runs_on
from workbench.services.ingestion.context import Outline
from workbench.services.ingestion.headings import Heading, Level, bookmarked, heading, named_below
from workbench.services.ingestion.units import TokenCounter, Unit


class Passage(NamedTuple):
    """Units that belong together: a paragraph or a table, with the headings above it."""

    units: list[Unit]
    headings: tuple[str, ...]
    begins_section: bool
    is_heading: bool
    block: Block
    columns: str
    """The table's header row where this is the continuation of a table, else its own first row; empty for text."""
    continued: bool
    columns_tokens: int = 0

    @property
    def tokens(self) -> int:
        return sum(unit.tokens for unit in self.units)


def passages(pages: Sequence[Page], counter: TokenCounter) -> list[Passage]:
    """Return the document's passages in order, a sentence over a page break joined to the passage where it begins."""
    outline = Outline()
    found: list[Passage] = []
    of_page = [list(blocks(page)) for page in pages]
    units_of = _units([block for page in of_page for block in page], counter)
    for page, source in zip(of_page, pages, strict=True):
        headings = _headings(page, source.bookmarks)
        for index, block in enumerate(page):
            units, title = units_of[block], headings[index]
            previous = found[-1] if found else None
            if index == 0 and previous and not previous.is_heading and runs_on(previous.block, block):
                units, title = _run_over(previous, units, counter.limit), None
                if not units:
                    # All of this page so far belongs to that sentence, which may go on over the next break.
                    found[-1] = previous._replace(block=block)
                    continue
            found.append(_passage(block, units, title, outline, previous if index == 0 else None))
    return _with_counted_columns(found, counter)


def _with_counted_columns(found: Sequence[Passage], counter: TokenCounter) -> list[Passage]:
    named = list(dict.fromkeys(passage.columns for passage in found if passage.columns))
    tokens = dict(zip(named, counter.count(named), strict=True))
    return [passage._replace(columns_tokens=tokens.get(passage.columns, 0)) for passage in found]


def _units(of: Sequence[Block], counter: TokenCounter) -> dict[Block, list[Unit]]:
    """Count a whole document at once, which is much faster than block by block."""
    parts = [Segment(page=block.page, start=part.start, end=part.end) for block in of for part in block.parts]
    counted = iter(counter.units(parts))
    return {block: [unit for _ in block.parts for unit in next(counted)] for block in of}


def _headings(page: Sequence[Block], bookmarks: Sequence[Bookmark]) -> list[Heading | None]:
    """Return the heading of each block. Annexes in a row are a list of them, such as a table of contents, not headings."""
    found: list[Heading | None] = []
    for block in page:
        above = found[-1] if found else None
        title = None if block.is_table else heading(block.text) or bookmarked(block.text, bookmarks)
        if title is None and above is not None and above.bare:
            title = named_below(block.text)
        found.append(title)
    parts = [title is not None and title.level is Level.PART for title in found]
    listed = [
        part and index > 0 and (parts[index - 1] or any(parts[index + 1 : index + 2]))
        for index, part in enumerate(parts)
    ]
    return [None if in_list else title for title, in_list in zip(found, listed, strict=True)]


def _run_over(previous: Passage, units: list[Unit], limit: int) -> list[Unit]:
    """Join the last unit of a page to the first of the next where both fit in a chunk; return the units left over."""
    last, first = previous.units[-1], units[0]
    if last.tokens + first.tokens > limit:
        return units
    previous.units[-1] = Unit(last.segments + first.segments, last.tokens + first.tokens)
    return units[1:]


def _passage(
    block: Block, units: list[Unit], title: Heading | None, outline: Outline, before: Passage | None
) -> Passage:
    begins_section = outline.enter(title) if title else False
    columns, continued = _columns(block, before) if block.is_table else ("", False)
    return Passage(
        units=units,
        headings=outline.lines,
        begins_section=begins_section,
        is_heading=title is not None and len(block.text) < 120 and len(units) == 1,
        block=block,
        columns=columns,
        continued=continued,
    )


def _columns(block: Block, before: Passage | None) -> tuple[str, bool]:
    """Return the row that names a table's columns, and whether the table goes on without it from the page before.

    A table split over two pages prints its header once, or again; either way the first one names the columns.
    """
    goes_on = block.table.continues if block.table else before is not None and before.block.cells == block.cells
    if before is not None and before.columns and goes_on:
        return before.columns, block.first_row != before.columns
    names = block.first_row.split("\t")
    lettered = sum(any(character.isalpha() for character in name) for name in names)
    return (block.first_row if lettered >= len(names) / 2 else ""), False
