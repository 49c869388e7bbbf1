"""The pipeline: a file's bytes become a searchable document, in steps that a job can repeat.

    read -> chunk -> embed -> index -> publish -> retire

Reading and converting are one step: both happen in one go in the reading process, and nothing between them is worth keeping.
What passes from step to step is stored: the pages, the chunks, the rows of the two indexes. Embeddings are written as they
come, so that work broken off in the middle goes on where it was.

Only ``publish`` makes the document searchable, after it has counted that both indexes hold every chunk; in the same
transaction it takes the place of the version before it, whose rows ``retire`` then removes. A document that fails, is
cancelled or is deleted meanwhile leaves no rows behind.
"""

import hashlib
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from workbench.domain.chunks import Chunk
from workbench.domain.documents import Document, DocumentState
from workbench.domain.errors import BadFile, NotFound, PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.jobs import JobInterrupted
from workbench.domain.pages import Page, ReadDocument
from workbench.services.ingestion.chunking import chunk
from workbench.services.library import Library
from workbench.services.ports import (
    Blobs,
    DocumentReader,
    Embedder,
    JobStep,
    KeywordIndex,
    KeywordRow,
    LanguageDetector,
    LibraryStore,
    Progress,
    TableStore,
    VectorIndex,
    VectorRow,
)

_Item = TypeVar("_Item")
log = logging.getLogger(__name__)

BATCH = 16
"""Passages embedded at a time: the size at which the usual model is fastest."""
_INDEX_BATCH = 500
_OPENING = 6000
"""How many characters tell the language of a document: two or three pages."""


class _Withdrawn(Exception):
    """The document was deleted or cancelled while it was being worked on."""


class Pipeline:
    """The steps of ingestion. Each gets a document's id; several documents may be worked on at once."""

    def __init__(
        self,
        *,
        library: Library,
        store: LibraryStore,
        vectors: VectorIndex,
        keywords: KeywordIndex,
        embedder: Embedder,
        blobs: Blobs,
        reader: DocumentReader,
        languages: LanguageDetector,
        tables: TableStore,
    ) -> None:
        self._library = library
        self._store = store
        self._vectors = vectors
        self._keywords = keywords
        self._embedder = embedder
        self._blobs = blobs
        self._reader = reader
        self._languages = languages
        self._tables = tables
        self._embedding = threading.Lock()
        """The model uses every core by itself: documents take turns batch by batch, so that a long one holds up no other."""

    @property
    def ingest(self) -> tuple[JobStep, ...]:
        """From the file to a searchable document."""
        return (
            JobStep("read", self._guarded(self._read)),
            JobStep("chunk", self._guarded(self._chunk)),
            *self.reindex[1:],
        )

    @property
    def reindex(self) -> tuple[JobStep, ...]:
        """From the stored chunks to fresh rows in both indexes; the document is not searchable until they are complete."""
        return (
            JobStep("clear", self._guarded(self._clear_rows)),
            JobStep("embed", self._guarded(self._embed)),
            JobStep("index", self._guarded(self._index)),
            JobStep("publish", self._guarded(self._publish)),
            JobStep("retire", self._guarded(self._retire)),
        )

    # --- endings -----------------------------------------------------------------------------------------------------

    def fail(self, document_id: DocumentId, message: str, keep_file: bool = True) -> None:
        """End a document in work as failed, without rows. Its file is kept where another attempt could succeed."""
        with self._library.records:
            document = self._store.document(document_id)
            if document is None or not document.state.working:
                return
            # The state is saved before anything is removed, so that a broken-off failure is known as one.
            document = self._library.change(
                document_id, state=DocumentState.FAILED, error=message, notes=(), **_NOTHING_READ
            )
            if document is not None and not keep_file:
                self._library.delete_unused_blobs([document.content_hash], besides=document_id)
        if document is not None:
            self.clear(document)

    def clear(self, document: Document) -> None:
        """Remove what an attempt made: rows, chunks, pages, tables, the PDF made of the file. Record and file stay."""
        self._remove_rows(document)
        self._tables.delete_document(document.id)
        with self._library.records:
            current = self._store.document(document.id)
            if current is None:
                # Deleted meanwhile: what was made after that has no record that would lead to it.
                self._library.delete_unused_blobs([document.content_hash, document.canonical_hash])
                return
            self._store.save_chunks(document.id, [])
            self._store.save_pages(document.id, [])
            if current.canonical_hash != current.content_hash:
                self._library.delete_unused_blobs([current.canonical_hash], besides=document.id)
            self._library.change(document.id, canonical_hash="", **_NOTHING_READ)

    def _guarded(self, work: Callable[[Document, Progress], None]) -> Callable[[str, Progress], None]:
        """Make a step of a job: it does nothing for a document that is gone or cancelled, and fails in words."""

        def run(argument: str, report: Progress) -> None:
            document = self._store.document(DocumentId(argument))
            if document is None:
                return
            try:
                with _interruptions_first(report):
                    self._admit(document)
                    work(document, report)
                    self._require(document.id)
            except _Withdrawn:
                self.clear(document)
            except JobInterrupted:
                if self._withdrawn(document.id):
                    self.clear(document)
                raise
            except Exception as error:
                # The boundary of a step: whatever a library raises ends this document only.
                if self._withdrawn(document.id):
                    self.clear(document)
                    return
                raise PinciteError(self._failed(document, error)) from error

        return run

    def _admit(self, document: Document) -> None:
        """Raise for a document that an earlier, broken-off run of a step has ended already."""
        self._require(document.id)
        if document.state is DocumentState.FAILED:
            raise PinciteError(document.error)

    def _failed(self, document: Document, error: Exception) -> str:
        """Record a failure and return it in words."""
        current = self._store.document(document.id) or document
        if current.state is DocumentState.FAILED:
            self.clear(current)
            return current.error
        if isinstance(error, BadFile):
            message = str(error)
        elif isinstance(error, PinciteError):
            log.exception("ingestion of %s failed", document.id)
            message = f"{document.name} could not be read in. {error}"
        else:
            log.exception("ingestion of %s failed", document.id)
            message = (
                f"{document.name} could not be read in: {type(error).__name__} in the step {current.state.value}. "
                "Retry; if it fails again, send the log to your administrator."
            )
        self.fail(document.id, message, keep_file=not isinstance(error, BadFile))
        return message

    # --- the steps ---------------------------------------------------------------------------------------------------

    def _read(self, document: Document, report: Progress) -> None:
        """Read the pages and keep them, with the PDF that the viewer shows."""
        self._save(document.id, state=DocumentState.READING)
        self.clear(document)
        data = self._file(document)
        read = self._reader.read(data, document.name, report)
        canonical = document.content_hash if read.canonical is None else hashlib.sha256(read.canonical).hexdigest()
        with self._library.records:
            # The record first: a file that no record names would never be deleted.
            self._save(
                document.id,
                title=read.title,
                language=document.language or self._languages.detect(_opening(read)),
                media_type=read.media_type,
                canonical_hash=canonical,
                page_count=len(read.pages),
                pages_without_text=tuple(page.number for page in read.pages if not page.text.strip()),
                notes=read.notes,
            )
            if read.canonical is not None:
                self._blobs.put(read.canonical)
        try:
            self._store.save_pages(document.id, read.pages)
            self._tables.save(document.id, read.tables)
            self._require(document.id)
        except (NotFound, _Withdrawn):
            self._tables.delete_document(document.id)
            self._library.delete_unused_blobs([canonical])
            raise

    def _chunk(self, document: Document, report: Progress) -> None:
        """Cut the pages into chunks and keep them."""
        self._save(document.id, state=DocumentState.CHUNKING)
        pages = list(self._pages(document, report))

        def count_tokens(texts: Sequence[str]) -> list[int]:
            report(len(pages), len(pages))  # long documents can be interrupted here too
            return self._embedder.count_tokens(texts)

        chunks = chunk(document, pages, count_tokens)
        self._store.save_chunks(document.id, chunks)
        self._save(document.id, chunk_count=len(chunks))
        report(len(pages), len(pages))

    def _clear_rows(self, document: Document, report: Progress) -> None:
        self._remove_rows(document)

    def _embed(self, document: Document, report: Progress) -> None:
        """Embed every chunk with its context line, and write the vectors as they come.

        They are written in order, so their number tells where an earlier, broken-off run of the step stopped.
        """
        self._save(document.id, state=DocumentState.EMBEDDING)
        chunks = self._chunks(document)
        done = self._vectors.count(document.container_id, document.id)
        report(done, len(chunks))
        for batch in _batches(chunks[done:], BATCH):
            with self._embedding:
                vectors = self._embedder.embed_passages([each.indexed_text for each in batch])
            self._require(document.id)
            rows = [VectorRow(each.id, document.id, vector) for each, vector in zip(batch, vectors, strict=True)]
            self._vectors.upsert(document.container_id, rows)
            done += len(batch)
            report(done, len(chunks))

    def _index(self, document: Document, report: Progress) -> None:
        """Write every chunk into the keyword index; nothing is found yet, because the document is not ready."""
        self._save(document.id, state=DocumentState.INDEXING)
        chunks = self._chunks(document)
        report(0, len(chunks))
        done = 0
        for batch in _batches(chunks, _INDEX_BATCH):
            self._require(document.id)
            rows = [KeywordRow(each.id, document.id, each.indexed_text) for each in batch]
            self._keywords.upsert(document.container_id, rows)
            done += len(batch)
            report(done, len(chunks))

    def _publish(self, document: Document, report: Progress) -> None:
        """Make the document searchable, once both indexes are seen to hold every chunk."""
        held = {
            "vector": self._vectors.count(document.container_id, document.id),
            "keyword": self._keywords.count(document.container_id, document.id),
        }
        for index, count in held.items():
            if count != document.chunk_count:
                raise PinciteError(f"The {index} index holds {count} of its {document.chunk_count} passages.", "Retry.")
        self._library.publish(document.id)

    def _retire(self, document: Document, report: Progress) -> None:
        """Remove the rows of versions that are replaced; their pages stay for the answers that cite them."""
        for each in self._library.family(document):
            if each.replaced_by is not None:
                self._remove_rows(each)

    # --- bookkeeping -------------------------------------------------------------------------------------------------

    def _file(self, document: Document) -> bytes:
        try:
            return self._blobs.path(document.content_hash).read_bytes()
        except (NotFound, OSError) as error:
            raise BadFile(f"The file of {document.name} is gone.", "Upload it again.") from error

    def _pages(self, document: Document, report: Progress) -> Iterator[Page]:
        """Yield the stored pages without the places of their words, which are most of them."""
        for number in range(1, document.page_count + 1):
            page = self._store.page(document.id, number)
            if page is None:
                raise PinciteError(f"Page {number} of {document.name} is missing in the store.", "Retry.")
            yield page.model_copy(update={"words": ()})
            report(number - 1, document.page_count)

    def _chunks(self, document: Document) -> list[Chunk]:
        chunks = self._store.document_chunks(document.id)
        if len(chunks) != document.chunk_count:
            raise PinciteError(
                f"The store holds {len(chunks)} of the {document.chunk_count} passages of {document.name}.", "Retry."
            )
        return chunks

    def _save(self, document_id: DocumentId, **changes: Any) -> None:
        with self._library.records:
            self._require(document_id)
            self._library.change(document_id, **changes)

    def _require(self, document_id: DocumentId) -> None:
        if self._withdrawn(document_id):
            raise _Withdrawn

    def _withdrawn(self, document_id: DocumentId) -> bool:
        document = self._store.document(document_id)
        return document is None or document.state is DocumentState.CANCELLED

    def _remove_rows(self, document: Document) -> None:
        self._vectors.delete_document(document.container_id, document.id)
        self._keywords.delete_document(document.container_id, document.id)


_NOTHING_READ: dict[str, Any] = {"page_count": 0, "chunk_count": 0, "pages_without_text": ()}


@contextmanager
def _interruptions_first(report: Progress) -> Iterator[None]:
    """Let an interruption take precedence over an error that it may be the cause of, such as a reader that is closed."""
    try:
        yield
    except Exception:
        report(0, 0)
        raise


def _opening(read: ReadDocument) -> str:
    text = ""
    for page in read.pages:
        if len(text) >= _OPENING:
            break
        text += f"{page.text}\n"
    return text[:_OPENING]


def _batches(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
