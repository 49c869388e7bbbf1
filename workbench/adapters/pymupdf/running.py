"""Running headers and footers: what stands at the same place of many pages with the same words, numbers aside.

They interrupt sentences and fill passages with what says nothing, so they are left out. What they say may stand nowhere
else, a contract's number for one: the first page that prints one keeps it, as a paragraph before its own text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from workbench.adapters.pymupdf.fragments import Fragment, RawPage
from workbench.adapters.pymupdf.rows import Row, rows

_MARGIN = 0.1
"""The share of a page's height, at the top and at the bottom, in which headers and footers stand."""
_NUMBER_MARGIN = 0.16
"""The same for page numbers that stand alone."""
_MIN_PAGES = 3
_MIN_SHARE = 0.4
"""Of all pages; under a half, because even and odd pages may differ and a cover carries none."""
_SAME_PLACE = 10.0
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)

_PAGE_NUMBER = re.compile(r"\W*(?:page|p|seite)?\W*#(?:\s*(?:of|von|/)\s*#)?\W*")


class _Edge(NamedTuple):
    page: int
    row: Row

    @property
    def numbers(self) -> list[str]:
        return _NUMBER.findall(self.row.text)


def without_running_text(pages: Sequence[RawPage]) -> list[RawPage]:
    """Return the pages without headers and footers, but for the first of each. A page that holds nothing else keeps them."""
    if len(pages) < _MIN_PAGES:
        return list(pages)
    seen: dict[tuple[str, str], list[_Edge]] = defaultdict(list)
    for index, page in enumerate(pages):
        for zone, row in _edges(page):
            seen[zone, _key(row)].append(_Edge(index, row))
    needed = max(_MIN_PAGES, _MIN_SHARE * len(pages))
    dropped: dict[int, set[Fragment]] = defaultdict(set)
    kept: dict[int, list[Fragment]] = defaultdict(list)
    for (_, key), edges in seen.items():
        place = median(edge.row.centre for edge in edges)
        # A page number may follow the end of the text; anything else that moves is text.
        same = [edge for edge in edges if abs(edge.row.centre - place) <= _SAME_PLACE or _PAGE_NUMBER.fullmatch(key)]
        if len({edge.page for edge in same}) >= needed:
            for edge in same:
                dropped[edge.page].update(edge.row.fragments)
            for edge in [] if _PAGE_NUMBER.fullmatch(key) else _firsts(same):
                kept[edge.page] += edge.row.fragments
    return [_without(page, dropped[index], kept[index]) for index, page in enumerate(pages)]


def _firsts(edges: Sequence[_Edge]) -> list[_Edge]:
    """Return the first of each that say the same. Numbers that count with the pages do not make a difference, others do."""
    counting = _counting(edges)
    firsts: dict[tuple[str, ...], _Edge] = {}
    for edge in edges:
        numbers = tuple("" if place in counting else number for place, number in enumerate(edge.numbers))
        firsts.setdefault(numbers, edge)
    # Where nearly every page has another number, it counts in a way of its own.
    return list(firsts.values()) if len(firsts) <= max(2, len(edges) // 3) else [edges[0]]


def _counting(edges: Sequence[_Edge]) -> set[int]:
    """Return which of the numbers in the lines are page numbers."""
    found: set[int] = set()
    for place in range(len(edges[0].numbers)):
        values = [edge.numbers[place] for edge in edges]
        offsets = Counter(int(value) - edge.page for value, edge in zip(values, edges, strict=True) if value.isdigit())
        if not offsets or offsets.most_common(1)[0][1] >= _MIN_SHARE * len(edges) > 1:
            found.add(place)
    return found


def _edges(page: RawPage) -> list[tuple[str, Row]]:
    height = page.frame_height
    near = [p for p in page.fragments if min(p.box.y1, height - p.box.y0) <= _NUMBER_MARGIN * height]
    return [
        ("top" if row.centre < height / 2 else "bottom", row)
        for row in rows(near)
        if min(row.y1, height - row.y0) <= _MARGIN * height or _PAGE_NUMBER.fullmatch(_key(row))
    ]


def _key(row: Row) -> str:
    return _NUMBER.sub("#", row.text.casefold())


def _without(page: RawPage, dropped: set[Fragment], running: list[Fragment]) -> RawPage:
    kept = tuple(piece for piece in page.fragments if piece not in dropped)
    return page._replace(fragments=kept, running=tuple(running)) if kept else page
