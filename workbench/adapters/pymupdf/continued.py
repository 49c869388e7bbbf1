"""Tables over page breaks, and which of their rows name the columns."""

import re
from collections.abc import Sequence

from workbench.domain.pages import PageTable

_SHIFT = 20.0
"""The most, in points, by which the sides of a table differ from page to page."""
_LONGEST_NAME = 80
_FIGURE = re.compile(r"[^\w]*\d[\d.,'’\s/–-]*[%\w]{0,3}\W*")
"""A cell that holds an amount, a date or a share, and so names no column; a year does."""
_YEAR = re.compile(r"\D{0,12}(?:19|20)\d\d\D{0,3}")


class TablesOverPages:
    """Looks at the tables page after page, because the end of one page tells what the next one begins with."""

    def __init__(self) -> None:
        self._open: PageTable | None = None
        """The table at the end of the page before."""
        self._header: list[str] = []

    def of_page(self, tables: Sequence[PageTable], text: str, body: int) -> tuple[PageTable, ...]:
        """Return a page's tables with headers and continuations told; its own text begins at ``body``."""
        told: list[PageTable] = []
        for table in tables:
            rows = table.texts(text)
            begins_page = not text[body : table.start].strip()
            if begins_page and self._open is not None and _alike(self._open, table):
                # A continuation repeats the header as it was, or has none.
                told.append(table.model_copy(update={"continues": True, "header_rows": int(rows[0] == self._header)}))
            else:
                told.append(table.model_copy(update={"header_rows": int(_names_columns(rows))}))
                self._header = rows[0] if told[-1].header_rows else []
        self._open = told[-1] if told and not text[told[-1].end :].strip() else None
        return tuple(told)


def _alike(before: PageTable, after: PageTable) -> bool:
    sides = (before.box.x0 - after.box.x0, before.box.x1 - after.box.x1)
    return before.columns == after.columns and min(map(abs, sides)) <= _SHIFT


def _names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row names the columns: short words, no figures but years, in all columns but the first."""
    first = rows[0]
    named = [cell for cell in first if cell]
    if len(rows) < 2 or len(named) < max(2, len(first) - 1):
        return False
    return all(len(cell) <= _LONGEST_NAME and (not _FIGURE.fullmatch(cell) or _YEAR.fullmatch(cell)) for cell in named)
