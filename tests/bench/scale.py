"""Search over many passages: time against the query's embedding and the raw vector query, growth, memory, start.

Passages are synthetic: words drawn by Zipf's law, vectors around the topics that the words stand for. PINCITE_SCALE names the
sizes, such as ``10000,100000``.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import psutil

from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.adapters.sql.engine import open_database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.scope import Access, Filters, build_scope
from workbench.services.ports import KeywordRow, VectorRow
from workbench.services.retrieval.search import Search

SIZES = (10_000, 100_000)
OF_DOCUMENT = 100
OF_CONTAINER = 5_000
WORDS = 90
"""Words of a passage."""
VOCABULARY = 30_000
ROUNDS = 5
NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUERIES = (
    "payment terms of late invoices",
    "cap on liability",
    "which law governs the agreement",
    "notice of renewal",
    "service credits for missed levels",
    "assignment without consent",
)
Rows = np.ndarray[Any, np.dtype[np.float32]]


class Built(NamedTuple):
    store: SqlLibraryStore
    vectors: ChromaVectors
    keywords: Fts5KeywordIndex
    containers: list[ContainerId]


def main() -> None:
    sizes = [int(size) for size in os.environ.get("PINCITE_SCALE", "").split(",") if size] or list(SIZES)
    embedder = SentenceTransformerEmbedder()
    embedder.warm_up()
    before: float | None = None
    for size in sizes:
        with tempfile.TemporaryDirectory() as directory:
            took = measure(size, Path(directory), embedder)
        if before is not None:
            print(f"scale: a search in one container takes {took / before:.2f} times what it took at the size before")
        before = took


def measure(size: int, directory: Path, embedder: SentenceTransformerEmbedder) -> float:
    """Print the figures of one size; return the milliseconds of a search in one container."""
    started = time.perf_counter()
    built = build(size, directory, embedder)
    filled = time.perf_counter() - started
    memory = psutil.Process().memory_info().rss / 2**20
    search = Search(built.store, built.vectors, built.keywords, embedder)
    access = Access(user_id=UserId("bench"), containers=frozenset(built.containers))
    one = [built.containers[0]]
    few = tuple(document.id for document in built.store.documents(one)[:5])
    print(f"scale: {size:,} passages in {len(built.containers)} containers, built in {filled:.0f} s, {memory:,.0f} MB")
    took = 0.0
    for label, containers, filters in (
        ("one container", one, None),
        ("five documents of one container", one, Filters(document_ids=few)),
        ("every container", built.containers, None),
    ):
        scope = build_scope(access, containers, filters)
        documents = search.documents(scope)
        whole = median(partial(search.run, scope))
        raw = median(raw_query(built, embedder, documents))
        print(
            f"scale: {size:,}, {label}: search {whole:.1f} ms, embedding and raw query {raw:.1f} ms: {whole / raw:.2f} times"
        )
        took = took or whole
    start(directory, embedder, built)
    return took


def raw_query(
    built: Built, embedder: SentenceTransformerEmbedder, documents: Sequence[Document]
) -> Callable[[str], object]:
    by_container: dict[ContainerId, set[DocumentId]] = {}
    for document in documents:
        by_container.setdefault(document.container_id, set()).add(document.id)

    def run(query: str) -> object:
        vector = embedder.embed_query(query)
        return [built.vectors.query(one, vector, 100, frozenset(held)) for one, held in by_container.items()]

    return run


def start(directory: Path, embedder: SentenceTransformerEmbedder, built: Built) -> None:
    """Print how long it takes to open what was built, and to search it for the first time."""
    built.vectors.close()
    built.keywords.close()
    started = time.perf_counter()
    vectors = ChromaVectors(directory / "vectors", embedder.fingerprint)
    keywords = Fts5KeywordIndex(directory / "keywords.db")
    opened = time.perf_counter() - started
    search = Search(built.store, vectors, keywords, embedder)
    one = built.containers[0]
    scope = build_scope(Access(user_id=UserId("bench"), containers=frozenset([one])), [one])
    search.run(scope, QUERIES[0])
    first = time.perf_counter() - started - opened
    print(f"scale: opened again in {opened:.2f} s, the first search took {first:.2f} s")
    vectors.close()
    keywords.close()


def median(run: Callable[[str], object]) -> float:
    """Return the median milliseconds of a run over all queries, after one round to warm up."""
    for query in QUERIES:
        run(query)
    seconds = []
    for _ in range(ROUNDS):
        for query in QUERIES:
            started = time.perf_counter()
            run(query)
            seconds.append(time.perf_counter() - started)
    return statistics.median(seconds) * 1000


def build(size: int, directory: Path, embedder: SentenceTransformerEmbedder) -> Built:
    built = Built(
        SqlLibraryStore(open_database(f"sqlite:///{directory / 'library.db'}")),
        ChromaVectors(directory / "vectors", embedder.fingerprint),
        Fts5KeywordIndex(directory / "keywords.db"),
        [],
    )
    random = np.random.default_rng(8)
    words = vocabulary()
    ranks = np.arange(1, len(words) + 1)
    shares = (1 / ranks) / (1 / ranks).sum()
    topics = random.normal(size=(200, embedder.dimensions)).astype(np.float32)
    for start_at in range(0, size, OF_CONTAINER):
        container = ContainerId(f"box{start_at // OF_CONTAINER:04d}")
        built.store.add_container(Container(id=container, name=f"Box {container}", created_at=NOW))
        built.containers.append(container)
        for document in documents_of(container, min(OF_CONTAINER, size - start_at)):
            texts = [
                " ".join(words[n] for n in row) for row in random.choice(len(words), (OF_DOCUMENT, WORDS), p=shares)
            ]
            near = topics[random.integers(len(topics), size=OF_DOCUMENT)]
            rows = near + random.normal(scale=1.5, size=near.shape).astype(np.float32)
            put(built, document, texts, rows / np.linalg.norm(rows, axis=1, keepdims=True))
    return built


def vocabulary() -> list[str]:
    """The words of the queries first, as the frequent ones, then invented ones."""
    known = list(dict.fromkeys(word for query in QUERIES for word in query.split()))
    return [*known, *(f"w{number:x}" for number in range(VOCABULARY))]


def documents_of(container: ContainerId, passages: int) -> Iterator[Document]:
    for number in range(passages // OF_DOCUMENT):
        yield Document(
            id=DocumentId(f"{container}_d{number:03d}"),
            container_id=container,
            name=f"{container}_{number:03d}.pdf",
            state=DocumentState.READY,
            chunk_count=OF_DOCUMENT,
            uploaded_at=NOW,
        )


def put(built: Built, document: Document, texts: Sequence[str], rows: Rows) -> None:
    built.store.save_document(document)
    chunks = [
        Chunk(
            id=chunk_id(document.id, number),
            document_id=document.id,
            container_id=document.container_id,
            ordinal=number,
            text=text,
            segments=(Segment(page=number // 3 + 1, start=0, end=len(text)),),
        )
        for number, text in enumerate(texts)
    ]
    built.store.save_chunks(document.id, chunks)
    ids = [chunk.id for chunk in chunks]
    built.vectors.upsert(
        document.container_id,
        [VectorRow(one, document.id, row) for one, row in zip(ids, rows.tolist(), strict=True)],
    )
    built.keywords.upsert(
        document.container_id, [KeywordRow(one, document.id, text) for one, text in zip(ids, texts, strict=True)]
    )
