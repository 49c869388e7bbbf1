"""New context lines: a document's passages say who its supplier is, so they change when that changes."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from workbench.domain.documents import Document, DocumentState
from workbench.domain.errors import PinciteError
from workbench.domain.ids import DocumentId
from workbench.services.ingestion.chunking import chunk
from workbench.services.library import Library
from workbench.services.ports import (
    Embedder,
    Jobs,
    JobStep,
    KeywordIndex,
    KeywordRow,
    LibraryStore,
    Progress,
    VectorIndex,
    VectorRow,
)

BATCH = 16
KIND = "context"
IN_CONTEXT = "supplier"
"""The tag that stands in context lines."""


class Recontext:
    """Brings the context lines of a ready document up to date, in the store and in both indexes.

    Passages keep their ids and texts, so the document is searchable all the while and every citation stays what it was. Done
    again, or from the beginning after a crash, it comes to the same result.
    """

    def __init__(
        self,
        library: Library,
        store: LibraryStore,
        vectors: VectorIndex,
        keywords: KeywordIndex,
        embedder: Embedder,
        jobs: Jobs,
    ) -> None:
        self._library = library
        self._store = store
        self._vectors = vectors
        self._keywords = keywords
        self._embedder = embedder
        self._jobs = jobs
        self._one_at_a_time = threading.Lock()
        self._changed = threading.Condition()
        self._at_work: DocumentId | None = None
        self._queued: dict[DocumentId, set[str]] = {}
        jobs.register(KIND, [JobStep("context", self._step)])

    def queue(self, document: Document) -> None:
        """Have the context lines brought up to date, also if the process ends before that is done."""
        # A job for each value: one for the value before may be at work, and a job at work is not begun again.
        value = hashlib.sha256(document.tag(IN_CONTEXT).encode()).hexdigest()[:12]
        job_id = f"{KIND}:{document.id}:{value}"
        with self._changed:
            self._queued.setdefault(document.id, set()).add(job_id)
        if self._jobs.status(job_id) is None:
            self._jobs.enqueue(KIND, job_id, document.id)
        else:
            self._jobs.retry(job_id)

    def let_go(self, document_id: DocumentId, timeout: float) -> bool:
        """End the work on a deleted document; tell whether it ended within ``timeout`` seconds.

        One that is begun later finds the document gone and writes nothing.
        """
        with self._changed:
            queued = self._queued.pop(document_id, set())
        for job_id in queued:
            self._jobs.cancel(job_id)
        with self._changed:
            ended = self._changed.wait_for(lambda: self._at_work != document_id, timeout)
        for job_id in queued if ended else ():
            self._jobs.forget(job_id)
        return ended

    @contextmanager
    def _working(self, document_id: DocumentId) -> Iterator[None]:
        with self._one_at_a_time:  # of two changes in a row, the later one is the one that stays
            self._note(document_id)
            try:
                yield
            finally:
                self._note(None)

    def _note(self, document_id: DocumentId | None) -> None:
        with self._changed:
            self._at_work = document_id
            self._changed.notify_all()

    def _step(self, document_id: str, report: Progress) -> None:
        self.run(DocumentId(document_id), report)

    def run(self, document_id: DocumentId, report: Progress) -> int:
        """Write what has changed and return how many passages that were; 0 for a document that is gone or not ready.

        Raises PinciteError where the pages no longer give the same passages: the document has to be read in again.
        """
        with self._working(document_id):
            document = self._store.document(document_id)
            if document is None or document.state is not DocumentState.READY:
                return 0  # one that is still read in gets its context lines when it is chunked
            numbers = [page.number for page in self._store.page_outlines(document_id)]
            held = (self._store.page(document_id, number) for number in numbers)
            # The places of words are most of a page, and nothing here asks for them.
            pages = [page.model_copy(update={"words": ()}) for page in held if page is not None]
            old = self._store.document_chunks(document_id)
            new = chunk(document, pages, self._embedder.count_tokens)
            if [(each.id, each.text) for each in old] != [(each.id, each.text) for each in new]:
                raise PinciteError(
                    f"The passages of {document.display_name} can no longer be told apart as they were.",
                    "Its new supplier counts for filters; upload the file again to have it in the passages too.",
                )
            changed = [after for before, after in zip(old, new, strict=True) if before.context != after.context]
            for start in range(0, len(changed), BATCH):
                batch = changed[start : start + BATCH]
                texts = [each.indexed_text for each in batch]
                vectors = self._embedder.embed_passages(texts)
                report(start + len(batch), len(changed))
                if self._store.document(document_id) is None:
                    return 0  # deleted meanwhile: no row of it may come back
                container = document.container_id
                rows = [VectorRow(each.id, document_id, vector) for each, vector in zip(batch, vectors, strict=True)]
                self._vectors.upsert(container, rows)
                keywords = [KeywordRow(each.id, document_id, text) for each, text in zip(batch, texts, strict=True)]
                self._keywords.upsert(container, keywords)
            if changed:
                self._store.save_chunks(document_id, new)
            return len(changed)
