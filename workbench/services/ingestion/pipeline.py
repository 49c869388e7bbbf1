"""The pipeline: a file's bytes become a searchable document, in named steps.

    read -> chunk -> embed -> index -> publish

Each step saves the document's state before it begins. Only the last one makes the document searchable, after it has counted
that both indexes hold every chunk. A document that fails, or is deleted meanwhile, leaves no rows behind.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from workbench.domain.chunks import Chunk
from workbench.domain.documents import Document, DocumentState
from workbench.domain.errors import BadFile, PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.pages import ReadDocument
from workbench.services.ingestion.chunking import chunk
from workbench.services.library import Library
from workbench.services.ports import (
    Blobs,
    DocumentReader,
    Embedder,
    KeywordIndex,
    KeywordRow,
    LanguageDetector,
    LibraryStore,
    Vector,
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

Report = Callable[[DocumentState, int, int], None]
"""Called with the step a document is in, the number of things done, and the total."""


class _DeletedMeanwhile(Exception):
    """The document was deleted while it was being worked on."""


class Pipeline:
    """Ingests one document at a time; several may run at once."""

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
    ) -> None:
        self._library = library
        self._store = store
        self._vectors = vectors
        self._keywords = keywords
        self._embedder = embedder
        self._blobs = blobs
        self._reader = reader
        self._languages = languages

    def ingest(self, document: Document, data: bytes, report: Report) -> Document | None:
        """Take a document from its bytes to ready, or to failed with a message for people.

        Returns the document as it ended, or None where it was deleted meanwhile. Never raises for what a file may hold.
        """
        try:
            self.clear(document)
            document, read = self._read(document, data, report)
            chunks = self._chunk(document, read, report)
            vectors = self._embed(document, chunks, report)
            self._index(document, chunks, vectors, report)
            return self._publish(document, chunks)
        except _DeletedMeanwhile:
            self._remove_rows(document)
            self._library.delete_unused_blobs([document.content_hash, document.canonical_hash])
            return None
        except BadFile as error:
            return self.fail(document, str(error), keep_file=False)
        except PinciteError as error:
            log.exception("ingestion of %s failed", document.id)
            return self.fail(document, f"{document.name} could not be read in. {error}")
        except Exception as error:
            # The boundary of a worker: whatever a library raises ends this document, not the worker.
            log.exception("ingestion of %s failed", document.id)
            return self.fail(
                document,
                f"{document.name} could not be read in: {type(error).__name__} in the step {self._step(document.id)}. "
                "Upload it again to retry; if it fails again, send the log to your administrator.",
            )

    def clear(self, document: Document) -> None:
        """Remove what an earlier attempt left, from both indexes and the store."""
        self._remove_rows(document)
        if self._store.document(document.id) is not None:
            self._store.save_chunks(document.id, [])
            self._store.save_pages(document.id, [])

    def fail(self, document: Document, message: str, keep_file: bool = True) -> Document | None:
        """End a document as failed, without rows. Its file is kept where another attempt could succeed."""
        self.clear(document)
        current = self._store.document(document.id) or document
        # Files go before the state is saved: from then on the document may be tried again, with its file put back.
        unneeded = [current.canonical_hash] if current.canonical_hash != document.content_hash else []
        if not keep_file:
            unneeded.append(document.content_hash)
        self._library.delete_unused_blobs(unneeded, besides=document.id)
        return self._library.change(
            document.id,
            state=DocumentState.FAILED,
            error=message,
            canonical_hash="",
            page_count=0,
            chunk_count=0,
            pages_without_text=(),
            notes=(),
        )

    # --- the steps ---------------------------------------------------------------------------------------------------

    def _read(self, document: Document, data: bytes, report: Report) -> tuple[Document, ReadDocument]:
        """Read the pages and keep them, with the PDF that the viewer shows."""
        self._save(document.id, state=DocumentState.READING)
        report(DocumentState.READING, 0, 0)
        read = self._reader.read(data, document.name, lambda done, total: report(DocumentState.READING, done, total))
        canonical = document.content_hash if read.canonical is None else self._blobs.put(read.canonical)
        changed = self._library.change(
            document.id,
            title=read.title,
            language=document.language or self._languages.detect(_opening(read)),
            media_type=read.media_type,
            canonical_hash=canonical,
            page_count=len(read.pages),
            pages_without_text=tuple(page.number for page in read.pages if not page.text.strip()),
            notes=read.notes,
        )
        if changed is None:
            self._library.delete_unused_blobs([canonical])
            raise _DeletedMeanwhile
        document = changed
        self._store.save_pages(document.id, read.pages)
        return document, read

    def _chunk(self, document: Document, read: ReadDocument, report: Report) -> list[Chunk]:
        """Cut the pages into chunks and keep them."""
        self._save(document.id, state=DocumentState.CHUNKING)
        report(DocumentState.CHUNKING, 0, len(read.pages))
        chunks = chunk(document, read.pages, self._embedder.count_tokens)
        self._store.save_chunks(document.id, chunks)
        self._save(document.id, chunk_count=len(chunks))
        report(DocumentState.CHUNKING, len(read.pages), len(read.pages))
        return chunks

    def _embed(self, document: Document, chunks: Sequence[Chunk], report: Report) -> list[Vector]:
        """Embed every chunk with its context line."""
        self._save(document.id, state=DocumentState.EMBEDDING)
        report(DocumentState.EMBEDDING, 0, len(chunks))
        vectors: list[Vector] = []
        for batch in _batches(chunks, BATCH):
            vectors += self._embedder.embed_passages([each.indexed_text for each in batch])
            report(DocumentState.EMBEDDING, len(vectors), len(chunks))
        return vectors

    def _index(self, document: Document, chunks: Sequence[Chunk], vectors: Sequence[Vector], report: Report) -> None:
        """Write every chunk into both indexes; nothing is found yet, because the document is not ready."""
        self._save(document.id, state=DocumentState.INDEXING)
        report(DocumentState.INDEXING, 0, len(chunks))
        rows = [VectorRow(each.id, document.id, vector) for each, vector in zip(chunks, vectors, strict=True)]
        for batch in _batches(rows, _INDEX_BATCH):
            self._vectors.upsert(document.container_id, batch)
        done = 0
        for some in _batches(chunks, _INDEX_BATCH):
            self._keywords.upsert(
                document.container_id, [KeywordRow(each.id, document.id, each.indexed_text) for each in some]
            )
            done += len(some)
            report(DocumentState.INDEXING, done, len(chunks))

    def _publish(self, document: Document, chunks: Sequence[Chunk]) -> Document:
        """Make the document searchable, once both indexes are seen to hold every chunk."""
        held = {
            "vector": self._vectors.count(document.container_id, document.id),
            "keyword": self._keywords.count(document.container_id, document.id),
        }
        for index, count in held.items():
            if count != len(chunks):
                raise PinciteError(
                    f"The {index} index holds {count} of its {len(chunks)} passages.", "Upload the file again to retry."
                )
        return self._save(document.id, state=DocumentState.READY, error="")

    # --- bookkeeping -------------------------------------------------------------------------------------------------

    def _save(self, document_id: DocumentId, **changes: Any) -> Document:
        document = self._library.change(document_id, **changes)
        if document is None:
            raise _DeletedMeanwhile
        return document

    def _step(self, document_id: DocumentId) -> str:
        document = self._store.document(document_id)
        return document.state.value if document else "unknown"

    def _remove_rows(self, document: Document) -> None:
        self._vectors.delete_document(document.container_id, document.id)
        self._keywords.delete_document(document.container_id, document.id)


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
