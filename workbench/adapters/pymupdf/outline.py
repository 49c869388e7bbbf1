"""Outlines: the bookmarks of a PDF, as its reader's sidebar lists them."""

from typing import Any

from workbench.adapters.pymupdf.characters import clean
from workbench.adapters.pymupdf.engine import LOCK, mupdf_errors
from workbench.domain.pages import Bookmark

MAX_ENTRIES = 2000
_MAX_TITLE = 200
_MAX_LEVEL = 12


def bookmarks(document: Any) -> dict[int, list[Bookmark]]:
    """Return the first bookmarks that lead to a page of the document, by the page's number; none where they are broken."""
    with LOCK:
        try:
            listed = document.get_toc(simple=True)
            count = document.page_count
        except mupdf_errors():
            return {}
    found: dict[int, list[Bookmark]] = {}
    for level, raw, page, *_ in listed[:MAX_ENTRIES]:
        title = " ".join(clean(word) for word in str(raw).split()).strip()[:_MAX_TITLE]
        if title and 1 <= page <= count:
            found.setdefault(page, []).append(Bookmark(level=max(1, min(level, _MAX_LEVEL)), title=title))
    return found
