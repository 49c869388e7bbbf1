"""Listings: find documents by what is known of them, page by page, without a model and without an index.

A document matches a text where each word of it begins a word of the document's name, title, tags or opening passage. (The
opening passage names the parties; what the rest says is for the search.) Order and pages are computed over all documents
that match, so that the pages together hold each of them exactly once.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from workbench.domain.chunks import chunk_id
from workbench.domain.conversations import Turn
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound
from workbench.domain.ids import DocumentId
from workbench.domain.listing import Listing, ListingQuery, Sort, listed
from workbench.domain.scope import Access, Scope, build_scope, left_out_undated, left_out_without_language
from workbench.services.ports import LibraryStore

_WORD = re.compile(r"[^\W_]+")
_LINKING = frozenset(
    "a an and for from in of on or the to with das der die für mit oder und von в для и на о от по с".split()
)
"""Words that a text to match may hold and that say nothing about a document."""


class Found(NamedTuple):
    """One page of a listing, and the ids of the documents on all its pages."""

    listing: Listing
    matched: frozenset[DocumentId]


class Listings:
    """Lists the documents of a scope. Only ready and visible ones are ever listed."""

    def __init__(self, store: LibraryStore) -> None:
        self._store = store

    def find(self, scope: Scope, query: ListingQuery) -> Found:
        """Return the page that ``query`` asks for; a page past the last one is empty and still says the total."""
        inside = [document for document in self._store.documents(scope.containers) if scope.admits(document)]
        candidates = self._with_words(inside, query.text)
        filters = query.filters
        matching = sorted_documents([each for each in candidates if filters.admits(each)], query.sort)
        start = (query.page - 1) * query.page_size
        listing = Listing(
            query=query,
            items=tuple(listed(document) for document in matching[start : start + query.page_size]),
            total=len(matching),
            undated=left_out_undated(candidates, filters),
            without_language=left_out_without_language(candidates, filters),
        )
        return Found(listing, frozenset(document.id for document in matching))

    def page_of(self, access: Access, turn: Turn, page: int) -> Listing:
        """Return another page of a stored turn's listing, by its stored parameters and the user's present rights.

        No model is asked, and the turn stays as it was. Raises NotFound where the turn listed nothing, ScopeError where none
        of its containers is the user's any more.
        """
        if turn.listing is None:
            raise NotFound("This answer has no list of documents.", "Ask for a list.")
        scope = build_scope(access, [each for each in turn.containers if access.may_see(each)], turn.filters)
        return self.find(scope, turn.listing.query.on_page(page)).listing

    def _with_words(self, documents: Sequence[Document], text: str) -> list[Document]:
        wanted = _words(text)
        if not wanted:
            return list(documents)
        known = {document.id: _known_words(document) for document in documents}
        unsure = [document.id for document in documents if not _all_begin(wanted, known[document.id])]
        openings = self._store.chunks([chunk_id(document_id, 0) for document_id in unsure])
        for opening in openings:
            known[opening.document_id] |= _words(opening.text)
        return [document for document in documents if _all_begin(wanted, known[document.id])]


def sorted_documents(documents: Iterable[Document], order: Sort) -> list[Document]:
    """Return the documents in a listing's order, the same at every call: ties go by id, undated ones come last."""
    if order is Sort.NAME:
        return sorted(documents, key=lambda document: (document.display_name.casefold(), document.id))
    sign = 1 if order is Sort.OLDEST else -1
    return sorted(
        documents,
        key=lambda document: (document.dated is None, sign * (document.dated or date.min).toordinal(), document.id),
    )


def _known_words(document: Document) -> set[str]:
    return _words(" ".join([document.display_name, document.title, *(tag.value for tag in document.tags)]))


def _words(text: str) -> set[str]:
    """Return the words of a text without case and accents: letters and digits that stand together."""
    plain = text.casefold()
    if not plain.isascii():
        plain = "".join(each for each in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(each))
    return set(_WORD.findall(plain)) - _LINKING


def _all_begin(wanted: Iterable[str], words: Iterable[str]) -> bool:
    """Tell whether each wanted word begins one of the words, whatever the ending of a plural."""
    return all(any(word.startswith(start) for word in words) for start in wanted)
