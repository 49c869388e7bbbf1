"""Finding: the places of a document that hold the words a reader looks for."""

from typing import NamedTuple

from workbench.domain.errors import PinciteError
from workbench.domain.finding import Place, find, fold
from workbench.domain.ids import DocumentId
from workbench.domain.scope import Access
from workbench.services.library import Library

LONGEST = 200
"""Characters of a search; nobody types more, and more would only cost time."""
_AROUND = 48


class Hit(NamedTuple):
    """Characters ``start`` to ``end`` of a page's text, and on one line what stands there and around it."""

    page: int
    start: int
    end: int
    before: str
    text: str
    after: str


class Hits(NamedTuple):
    """The first places in reading order, and how many there are in all."""

    hits: tuple[Hit, ...]
    total: int


class Finder:
    """Looks for words in the stored text of one document, with the same rights as the search."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def find(self, access: Access, document_id: DocumentId, words: str, limit: int = 500) -> Hits:
        """Return at most ``limit`` places; no words, no places.

        Raises NotFound where the document is missing or not the user's, PinciteError where ``words`` is too long.
        """
        if len(words) > LONGEST:
            raise PinciteError(f"A search in a document has at most {LONGEST} characters.", "Search for fewer words.")
        texts = self._library.page_texts(access, document_id)
        folded = fold(words.strip()).strip()
        hits: list[Hit] = []
        total = 0
        for page, text in texts:
            places = find(folded, text)
            total += len(places)
            hits += [_hit(page, text, place) for place in places[: limit - len(hits)]]
        return Hits(tuple(hits), total)


def _hit(page: int, text: str, place: Place) -> Hit:
    start, end = place
    before = text[max(0, start - _AROUND) : start]
    after = text[end : end + _AROUND]
    # A word that the cut leaves half of is left out.
    before = before if start <= _AROUND else before.partition(" ")[2]
    after = after if end + _AROUND >= len(text) else after.rpartition(" ")[0]
    return Hit(page, start, end, *(" ".join(part.split("\n")) for part in (before, text[start:end], after)))
