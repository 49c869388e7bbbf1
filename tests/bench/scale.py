"""Search over many passages: time against the query's embedding and the raw vector query, growth, memory, start.

Passages are synthetic: words drawn by Zipf's law, the function words of English and the usual words of contracts first;
vectors around topics, of the size that the embedding model gives. Each size is built and measured in processes of its own.
PINCITE_SCALE names the sizes, such as ``10000,100000``; PINCITE_BENCH_HOME keeps what was built.
"""

import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import psutil

from tests.bench.engines import Engines
from tests.bench.times import in_turns
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.adapters.keyword.stopwords import ENGLISH
from workbench.adapters.sql.engine import Database, open_database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.scope import Access, Filters, Reach, build_scope, reaches
from workbench.services.ports import KeywordRow, VectorRow
from workbench.services.retrieval.notions import NOTIONS
from workbench.services.retrieval.search import Search

SIZES = (10_000, 100_000)
OF_DOCUMENT = 100
OF_CONTAINER = 5_000
AT_ONCE = 10
"""Documents written together."""
WORDS = 90
"""Words of a passage."""
INVENTED = 30_000
CANDIDATES = 100
ROUNDS = 8
LIMIT = 1.5
USER = UserId("bench")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUERIES = (
    "payment terms of late invoices",
    "cap on liability",
    "which law governs the agreement",
    "notice of renewal",
    "service credits for missed levels",
    "assignment without consent",
    "wa1f records kept by the wb2e",
)
Rows = np.ndarray[Any, np.dtype[np.float32]]


class Opened(NamedTuple):
    """The stores of a built collection."""

    database: Database
    store: SqlLibraryStore
    vectors: ChromaVectors
    keywords: Fts5KeywordIndex

    @classmethod
    def at(cls, directory: Path, embedder: SentenceTransformerEmbedder) -> "Opened":
        database = open_database(f"sqlite:///{directory / 'library.db'}")
        vectors = ChromaVectors(directory / "vectors", embedder.fingerprint)
        return cls(database, SqlLibraryStore(database), vectors, Fts5KeywordIndex(directory / "keywords.db"))

    def close(self) -> None:
        self.vectors.close()
        self.keywords.close()
        self.database.close()


def main() -> None:
    sizes = [int(size) for size in os.environ.get("PINCITE_SCALE", "").split(",") if size] or list(SIZES)
    before: tuple[int, float] | None = None
    with tempfile.TemporaryDirectory() as directory:
        home = Path(os.environ.get("PINCITE_BENCH_HOME") or directory)
        for size in sizes:
            folder = home / f"scale-{size}"
            if not (folder / "built").exists():
                _alone(build, size, folder)
            took = _alone(measure, size, folder)
            if before is not None:
                times = took / before[1]
                print(
                    f"scale: a search in one container takes {times:.2f} times what it took at {before[0]:,} passages"
                )
            before = size, took


def _alone(work: Any, size: int, folder: Path) -> float:
    """Run a step in a process of its own, so that the memory of one is not taken for that of another."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return float(pool.submit(work, size, folder).result())


# --- measuring -------------------------------------------------------------------------------------------------------


def measure(size: int, directory: Path) -> float:
    """Print the figures of one size; return the milliseconds of a search in one container."""
    embedder = SentenceTransformerEmbedder()
    embedder.warm_up()
    process = psutil.Process()
    empty = process.memory_info().rss
    started = time.perf_counter()
    opened = Opened.at(directory, embedder)
    ready = time.perf_counter() - started
    containers = [container.id for container in opened.store.containers()]
    access = Access(user_id=USER, containers=frozenset(containers))
    search = Search(opened.store, opened.vectors, opened.keywords, embedder)
    search.run(build_scope(access, containers[:1]), QUERIES[0])
    first = time.perf_counter() - started - ready
    print(f"scale: {size:,} in {len(containers)} containers, opened in {ready:.2f} s, first search {first:.2f} s")
    engines = Engines(embedder, opened.vectors, opened.keywords)
    few = tuple(document.id for document in opened.store.documents(containers[:1])[:5])
    took = 0.0
    for label, some, filters in (
        ("one container", containers[:1], None),
        ("five documents of one container", containers[:1], Filters(document_ids=few)),
        ("every container", containers, None),
    ):
        scope = build_scope(access, some, filters)
        within = reaches(scope, opened.store.documents(some))
        ways: dict[str, Callable[[str], object]] = {
            "whole": partial(search.run, scope),
            "raw": partial(raw_query, engines, within),
        }
        times = in_turns(ways, QUERIES, ROUNDS)
        whole, raw = times["whole"], times["raw"]
        limit = f" (limit {LIMIT})" if not took else ""
        print(
            f"scale: {size:,}, {label}: search {whole}, embedding and raw vector query {raw}: {whole.over(raw)}{limit}"
        )
        took = took or whole.median
    grown = (process.memory_info().rss - empty) / 2**20
    print(f"scale: {size:,}: memory {grown:+,.0f} MB over the embedding model alone ({empty / 2**20:,.0f} MB)")
    opened.close()
    sys.stdout.flush()
    return took


def raw_query(engines: Engines, within: Sequence[Reach], query: str) -> object:
    return engines.by_meaning(query, within, CANDIDATES)


# --- building --------------------------------------------------------------------------------------------------------


def build(size: int, directory: Path) -> float:
    """Write the passages through the product's own stores; return the seconds it took."""
    directory.mkdir(parents=True, exist_ok=True)
    embedder = SentenceTransformerEmbedder()
    started = time.perf_counter()
    opened = Opened.at(directory, embedder)
    random = np.random.default_rng(8)
    words = np.asarray(vocabulary(), dtype=object)
    shares = np.cumsum(1 / np.arange(1, len(words) + 1))
    topics = random.normal(size=(200, embedder.dimensions)).astype(np.float32)
    for start_at in range(0, size, OF_CONTAINER):
        container = ContainerId(f"box{start_at // OF_CONTAINER:04d}")
        opened.store.add_container(Container(id=container, name=f"Box {container}", created_at=NOW))
        for documents in documents_of(container, min(OF_CONTAINER, size - start_at)):
            passages = len(documents) * OF_DOCUMENT
            drawn = np.searchsorted(shares, random.random((passages, WORDS)) * shares[-1])
            texts = [" ".join(words[row]) for row in drawn]
            near = topics[random.integers(len(topics), size=passages)]
            rows = near + random.normal(scale=1.5, size=near.shape).astype(np.float32)
            put(opened, documents, texts, rows / np.linalg.norm(rows, axis=1, keepdims=True))
    opened.close()
    seconds = time.perf_counter() - started
    (directory / "built").touch()
    print(f"scale: {size:,} passages built in {seconds:.0f} s", flush=True)
    return seconds


def vocabulary() -> list[str]:
    """The most frequent first: function words, among them the usual words of contracts, and then invented ones.

    By Zipf's law "agreement" is then in two of five passages and "liability" in one of fifteen, much as in contracts.
    """
    counted = Counter(word for notion in NOTIONS for word in notion.terms.split())
    usual = iter([word for word, _ in counted.most_common() if word not in ENGLISH])
    function = sorted(ENGLISH)
    mixed = function[:10]
    for start in range(10, len(function), 3):
        mixed += [*function[start : start + 3], *islice(usual, 1)]
    asked = [word for query in QUERIES for word in query.split()]
    invented = (f"w{number:x}" for number in range(INVENTED))
    return list(dict.fromkeys(chain(mixed, usual, asked, invented)))


def documents_of(container: ContainerId, passages: int) -> Iterator[list[Document]]:
    numbers = range(passages // OF_DOCUMENT)
    for start in range(0, len(numbers), AT_ONCE):
        yield [
            Document(
                id=DocumentId(f"{container}_d{number:03d}"),
                container_id=container,
                name=f"{container}_{number:03d}.pdf",
                state=DocumentState.READY,
                chunk_count=OF_DOCUMENT,
                uploaded_at=NOW,
            )
            for number in numbers[start : start + AT_ONCE]
        ]


def put(opened: Opened, documents: Sequence[Document], texts: Sequence[str], rows: Rows) -> None:
    chunks: list[Chunk] = []
    for place, document in enumerate(documents):
        own = [
            Chunk(
                id=chunk_id(document.id, number),
                document_id=document.id,
                container_id=document.container_id,
                ordinal=number,
                text=text,
                segments=(Segment(page=number // 3 + 1, start=0, end=len(text)),),
            )
            for number, text in enumerate(texts[place * OF_DOCUMENT : (place + 1) * OF_DOCUMENT])
        ]
        opened.store.save_document(document)
        opened.store.save_chunks(document.id, own)
        chunks += own
    container = documents[0].container_id
    opened.vectors.upsert(
        container,
        [VectorRow(one.id, one.document_id, row) for one, row in zip(chunks, rows.tolist(), strict=True)],
    )
    opened.keywords.upsert(container, [KeywordRow(one.id, one.document_id, one.text) for one in chunks])
