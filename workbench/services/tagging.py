"""Tagging: suggestions of tags for documents, with their reasons, to be accepted or dismissed."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.openings import Opening, Place
from workbench.domain.scope import Access
from workbench.domain.suggestions import Suggestion, open_for, suggest
from workbench.services.labels import Labels
from workbench.services.library import Library
from workbench.services.ports import KeywordIndex, LibraryStore

_PAGES = 3
_LAW = "governing law governed laws construed applies recht"
"""What a clause on the governing law says; it stands near the end, so it is searched for rather than read up to."""
_LAWS, _KEPT = 8, 2000


class Tagging:
    """Reads suggestions out of documents that are ready. What was read is kept for the next time it is asked."""

    def __init__(self, library: Library, store: LibraryStore, keywords: KeywordIndex, labels: Labels) -> None:
        self._library = library
        self._store = store
        self._keywords = keywords
        self._labels = labels
        self._openings: OrderedDict[tuple[DocumentId, str], Opening] = OrderedDict()
        self._lock = threading.Lock()

    def suggestions(self, access: Access, documents: Iterable[Document]) -> dict[DocumentId, list[Suggestion]]:
        """Return what is still to be answered of each document; documents without anything are left out.

        Values that other documents of the container carry are preferred to new spellings.
        """
        known: dict[ContainerId, Mapping[str, Sequence[str]]] = {}
        found: dict[DocumentId, list[Suggestion]] = {}
        for document in documents:
            if document.state is not DocumentState.READY or not access.may_see(document.container_id):
                continue
            if document.container_id not in known:
                known[document.container_id] = self._library.tag_values(access, [document.container_id])
            still = open_for(document, suggest(self._opening(document), known[document.container_id]))
            if still:
                found[document.id] = still
        return found

    def accept(self, access: Access, document_id: DocumentId, accepted: Iterable[Suggestion]) -> Document:
        """Put suggested tags on a document, and the suggested date; what it has of the same meanwhile stays."""
        chosen = list(accepted)

        def change(document: Document) -> Mapping[str, Any]:
            still = open_for(document, chosen)
            dated = next((each.date for each in still if each.date), document.dated)
            tags = [each.tag for each in still if each.date is None]
            return {"tags": tuple(dict.fromkeys((*document.tags, *tags))), "dated": dated}

        return self._labels.apply(access, document_id, change)

    def dismiss(self, access: Access, document_id: DocumentId, dismissed: Iterable[Suggestion]) -> Document:
        """Turn suggestions down; they are not made again for this document."""
        tags = [each.tag for each in dismissed]
        return self._labels.apply(
            access, document_id, lambda document: {"dismissed": tuple(dict.fromkeys((*document.dismissed, *tags)))}
        )

    def _opening(self, document: Document) -> Opening:
        key = (document.id, document.content_hash)
        with self._lock:
            kept = self._openings.get(key)
            if kept is not None:
                self._openings.move_to_end(key)
                return kept
        opening = self._read(document)
        with self._lock:
            self._openings[key] = opening
            if len(self._openings) > _KEPT:
                self._openings.popitem(last=False)
        return opening

    def _read(self, document: Document) -> Opening:
        numbers = range(1, min(_PAGES, document.page_count) + 1)
        pages = [page for page in (self._store.page(document.id, number) for number in numbers) if page is not None]
        hits = self._keywords.query(document.container_id, _LAW, _LAWS, frozenset({document.id}))
        chunks = self._store.chunks([hit.chunk_id for hit in hits])
        return Opening(
            name=document.name,
            title=document.title,
            pages=tuple(Place(page.number, page.text) for page in pages),
            laws=tuple(Place(chunk.first_page, chunk.text) for chunk in chunks),
        )
