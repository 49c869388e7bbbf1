"""Packing: passages fill chunks, one after the other."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.services.ingestion.passages import Passage
from workbench.services.ingestion.units import Unit

_MIN_SECTION = 30
"""A section shorter than this many tokens shares its chunk with the next one; the context line then names both."""
_FULL = 100
"""A chunk that has run over a page break and holds this many tokens takes no more."""
_SHORT_HEADER = 16
"""Names of columns of this many tokens fit into a context line beside the title."""
_OVERLAP = 40
"""The most tokens that a chunk repeats of the one before."""


class Draft(NamedTuple):
    """A chunk to be: its units, and what its context line needs. ``columns`` is set where it begins inside a table."""

    units: list[Unit]
    headings: tuple[str, ...]
    columns: str
    is_table: bool = False


def pack(passages: Sequence[Passage], limit: int) -> list[Draft]:
    """Return the drafts of a document's chunks, none over ``limit`` by the sum of its units."""
    packer = _Packer(limit)
    for passage in passages:
        packer.add(passage)
    packer.close()
    return packer.drafts


class _Packer:
    """Fills chunks with passages, one after the other."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.drafts: list[Draft] = []
        self._held: list[Passage] = []
        self._tokens = 0

    def add(self, passage: Passage) -> None:
        if self._must_close(passage):
            self.close(before=passage)
        if self._tokens + passage.tokens > self.limit and passage.tokens <= self.limit:
            self.close(before=passage)
        if self._tokens + passage.tokens <= self.limit:
            self._hold(passage)
            return
        if self._tokens > self.limit // 2:
            self.close(before=passage)
        self._cut(passage)

    def close(self, before: Passage | None = None) -> None:
        """End the chunk. Headings at its end move on to the chunk that ``before`` begins, if they stand on its page."""
        moved: list[Passage] = []
        while before and len(self._held) > len(moved) and self._moves_on(self._held[-1 - len(moved)], before):
            moved.insert(0, self._held[-1 - len(moved)])
        kept = self._held[: len(self._held) - len(moved)]
        if not kept and moved and self._tokens + (before.tokens if before else 0) > self.limit:
            kept, moved = moved, []
        if kept:
            columns = kept[0].columns if kept[0].continued else ""
            units = [unit for passage in kept for unit in passage.units]
            self.drafts.append(Draft(units, _headings(kept), columns, _mostly_table(kept)))
        self._held = moved
        self._tokens = sum(passage.tokens for passage in moved)

    def _moves_on(self, passage: Passage, before: Passage) -> bool:
        return passage.is_heading and passage.block.page == before.block.page and passage.tokens < self.limit // 2

    def _must_close(self, passage: Passage) -> bool:
        if not self._held:
            return False
        last_page = self._held[-1].units[-1].segments[-1].page
        if passage.units[0].segments[0].page != last_page:
            return True
        if self._parts_table(passage):
            return True
        ran_over = self._held[0].units[0].segments[0].page != last_page
        if ran_over and self._tokens >= _FULL:
            return True
        return passage.begins_section and self._tokens >= _MIN_SECTION

    def _parts_table(self, passage: Passage) -> bool:
        """Tell whether a passage ends the chunk because only one of the two is a table, and both are more than a line."""
        if passage.block.table:
            return passage.tokens >= _MIN_SECTION and _text_tokens(self._held) >= _MIN_SECTION
        return bool(self._held[-1].block.table) and self._tokens >= _MIN_SECTION

    def _hold(self, passage: Passage) -> None:
        self._held.append(passage)
        self._tokens += passage.tokens

    def _cut(self, passage: Passage) -> None:
        """Spread a passage that is longer than a chunk over several."""
        rest = passage._replace(units=[])
        # Names of columns that take more room than the context line has are given some of the rows'.
        limit = self.limit - min(max(passage.columns_tokens - _SHORT_HEADER, 0), self.limit // 2)
        for unit in passage.units:
            if rest.units and self._tokens + rest.tokens + unit.tokens > limit:
                full = rest
                self._hold(full)
                self.close()
                overlap = [] if passage.block.is_table else _overlap(full.units, unit, self.limit)
                rest = passage._replace(units=overlap, continued=passage.block.is_table)
            elif self._held and self._tokens + unit.tokens > self.limit:
                self.close()
            rest.units.append(unit)
        self._hold(rest)


def _text_tokens(passages: Sequence[Passage]) -> int:
    return sum(passage.tokens for passage in passages if not passage.block.table and not passage.is_heading)


def _mostly_table(passages: Sequence[Passage]) -> bool:
    tables = sum(passage.tokens for passage in passages if passage.block.table)
    return tables > _text_tokens(passages)


def _headings(passages: Sequence[Passage]) -> tuple[str, ...]:
    """Return the headings above a chunk's first text, and those of further sections that it holds."""
    start = next((index for index, passage in enumerate(passages) if not passage.is_heading), len(passages) - 1)
    further = [passage.headings[-1] for passage in passages[start + 1 :] if passage.begins_section]
    return tuple(dict.fromkeys((*passages[start].headings, *further)))


def _overlap(units: Sequence[Unit], following: Unit, limit: int) -> list[Unit]:
    """Return the last one or two sentences of a chunk that the next one repeats: short ones, whole, on the same page."""
    repeated: list[Unit] = []
    tokens = 0
    for unit in reversed(units[-2:]):
        tokens += unit.tokens
        pages = {segment.page for segment in (*unit.segments, following.segments[0])}
        if tokens > _OVERLAP or tokens + following.tokens > limit or len(pages) > 1 or len(units) <= len(repeated) + 1:
            break
        repeated.insert(0, unit)
    return repeated
