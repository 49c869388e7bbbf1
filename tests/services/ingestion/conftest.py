"""A library in memory, and ingestion over it."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.fixed_language import FixedLanguage
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_tables import MemoryTables
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.adapters.pymupdf import PyMuPdfReader, PyMuPdfRenderer
from workbench.domain.documents import Container, Document
from workbench.domain.ids import DocumentId, UserId
from workbench.domain.scope import Access
from workbench.services.ingestion.jobs import Ingestion, Upload
from workbench.services.library import Library
from workbench.services.ports import (
    Blobs,
    DocumentReader,
    Embedder,
    Jobs,
    KeywordIndex,
    LanguageDetector,
    LibraryStore,
    VectorIndex,
)

USER = UserId("usr_1")


class Bench(NamedTuple):
    """Everything that ingestion works on."""

    store: LibraryStore
    vectors: VectorIndex
    keywords: KeywordIndex
    blobs: Blobs
    library: Library
    ingestion: Ingestion
    container: Container

    @property
    def access(self) -> Access:
        return self.library.access(USER)

    def document(self, document_id: DocumentId | None) -> Document:
        assert document_id is not None
        return self.library.document(self.access, document_id)

    def ingest(self, *uploads: Upload) -> list[Document]:
        """Take files in and wait for them."""
        outcomes = self.ingestion.submit(self.access, self.container.id, uploads)
        ids = [outcome.document_id for outcome in outcomes if outcome.document_id]
        assert self.ingestion.wait(ids, timeout=60)
        return [self.document(document_id) for document_id in ids]

    def rows(self, document: Document) -> tuple[int, int, int]:
        """Count a document's rows: vectors, keyword rows, chunks."""
        return (
            self.vectors.count(document.container_id, document.id),
            self.keywords.count(document.container_id, document.id),
            len(self.store.document_chunks(document.id)),
        )


Make = Callable[..., Bench]


@pytest.fixture
def make() -> Iterator[Make]:
    """Build a bench of fakes, some of which a test may replace; its threads end with the test."""
    started: list[Ingestion] = []

    def build(
        *,
        store: LibraryStore | None = None,
        vectors: VectorIndex | None = None,
        keywords: KeywordIndex | None = None,
        blobs: Blobs | None = None,
        embedder: Embedder | None = None,
        reader: DocumentReader | None = None,
        languages: LanguageDetector | None = None,
        jobs: Jobs | None = None,
    ) -> Bench:
        store, vectors, keywords = (
            store or MemoryLibraryStore(),
            vectors or MemoryVectors(),
            keywords or MemoryKeywords(),
        )
        blobs, clock, tables = blobs or MemoryBlobs(), FixedClock(), MemoryTables()
        jobs = jobs or MemoryJobs(clock, workers=1)
        library = Library(store, vectors, keywords, blobs, PyMuPdfRenderer(), clock)
        ingestion = Ingestion(
            library=library,
            store=store,
            vectors=vectors,
            keywords=keywords,
            embedder=embedder or HashingEmbedder(),
            blobs=blobs,
            reader=reader or PyMuPdfReader(),
            languages=languages or FixedLanguage(),
            tables=tables,
            clock=clock,
            jobs=jobs,
        )
        jobs.resume()
        started.append(ingestion)
        container = library.ensure_container(library.access(USER), "Procurement")
        return Bench(store, vectors, keywords, blobs, library, ingestion, container)

    yield build
    for ingestion in started:
        ingestion.close()


@pytest.fixture
def bench(make: Make) -> Bench:
    return make()
