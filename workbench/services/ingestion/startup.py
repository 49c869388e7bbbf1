"""The check at the start: do both indexes hold what the documents say, no more and no less?"""

import logging
import threading
from collections.abc import Callable, Mapping

from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import ContainerId, DocumentId
from workbench.services.ports import KeywordIndex, LibraryStore, VectorIndex

log = logging.getLogger(__name__)


class StartUpCheck:
    """Compares the rows of each container with its documents and mends what does not match.

    One count a container and index is all it asks for. ``clear`` removes what an ended document should not have, ``rebuild``
    indexes a ready document again whose rows are not complete.
    """

    def __init__(
        self,
        store: LibraryStore,
        vectors: VectorIndex,
        keywords: KeywordIndex,
        *,
        rebuild: Callable[[Document], None],
        clear: Callable[[Document], None],
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._keywords = keywords
        self._rebuild = rebuild
        self._clear = clear
        self._stopped = threading.Event()

    def run(self) -> None:
        """Check every container; what goes wrong is logged, because nobody waits for it."""
        try:
            for container in self._store.containers():
                if self._stopped.is_set():
                    return
                self._check(container.id)
        except Exception:
            log.exception("the indexes could not be checked")

    def stop(self) -> None:
        self._stopped.set()

    def _check(self, container_id: ContainerId) -> None:
        # Rows are counted before the documents are read: a document that appears in between is not taken for gone.
        vectors, keywords = self._vectors.counts(container_id), self._keywords.counts(container_id)
        documents = {document.id: document for document in self._store.documents([container_id])}
        for document_id in {*vectors, *keywords} - documents.keys():
            log.warning("rows of %s are removed: the document is gone", document_id)
            self._remove_rows(container_id, document_id)
        if keywords and not vectors:
            log.warning("no vectors of %s are known to this embedding model; index its documents again", container_id)
            return
        for document in documents.values():
            if self._stopped.is_set():
                return
            self._mend(document, vectors, keywords)

    def _mend(self, document: Document, vectors: Mapping[DocumentId, int], keywords: Mapping[DocumentId, int]) -> None:
        held = (vectors.get(document.id, 0), keywords.get(document.id, 0))
        if document.state.working:
            return
        if document.state is DocumentState.READY and document.replaced_by is None:
            if held == (0, document.chunk_count):
                # Its vectors are of another model, or lost: indexing it again is offered, and until then words find it.
                return
            if held != (document.chunk_count,) * 2 and self._still(document):
                log.warning("%s is indexed again: %s rows of %d", document.id, held, document.chunk_count)
                self._rebuild(document)
        elif held != (0, 0) and self._still(document):
            log.warning("rows of %s are removed: it is not to be found", document.id)
            if document.state is DocumentState.READY:
                self._remove_rows(document.container_id, document.id)
            else:
                self._clear(document)

    def _still(self, document: Document) -> bool:
        """Tell whether the document is what it was when it was looked at, and its rows are still not what they should be."""
        current = self._store.document(document.id)
        if current is None or (current.state, current.replaced_by) != (document.state, document.replaced_by):
            return False
        expected = document.chunk_count if document.state is DocumentState.READY and not document.replaced_by else 0
        return (
            self._vectors.count(document.container_id, document.id),
            self._keywords.count(document.container_id, document.id),
        ) != (expected, expected)

    def _remove_rows(self, container_id: ContainerId, document_id: DocumentId) -> None:
        self._vectors.delete_document(container_id, document_id)
        self._keywords.delete_document(container_id, document_id)
