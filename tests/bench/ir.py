"""Ranking on public collections: nDCG@10 and recall@10 of the whole search, of meaning alone and of words alone.

cuad200: 100 commercial contracts, a question for each clause that a contract has, the contract known. scifact: 300 claims
against 5,183 abstracts, a field that the search was not made for. Both lie in the folder that PINCITE_IR names.
PINCITE_BENCH_HOME keeps their vectors between runs, also of a run that was broken off; PINCITE_IR_PASSAGES takes about so
many passages of each collection only (those with a judgement first), for a machine that is not free.
"""

import gzip
import hashlib
import json
import math
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.bench.engines import Engines
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.domain.chunks import Chunk, Segment
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.ids import ChunkId, ContainerId, DocumentId, UserId
from workbench.domain.scope import Access, Filters, Reach, build_scope
from workbench.services.ports import KeywordRow, VectorRow
from workbench.services.retrieval.ranking import Cutoff
from workbench.services.retrieval.search import Search

DEPTH = 10
AT_ONCE = 512
CONTRACTS = 100
BOX = ContainerId("bench")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
BEFORE = {
    "cuad200": "plain, elsewhere: words .582/.744, meaning .492/.674, min-max .610/.774",
    "scifact": "plain, elsewhere: words .693/.827, meaning .648/.788, min-max .728/.845",
}

Ranking = Callable[[str, frozenset[DocumentId]], Sequence[str]]


class Query(NamedTuple):
    text: str
    document: DocumentId | None
    relevant: Mapping[str, float]


def main() -> None:
    folder = os.environ.get("PINCITE_IR")
    if not folder:
        print("ir: skipped, PINCITE_IR names no outside collections")
        return
    embedder = SentenceTransformerEmbedder()
    for name in ("cuad200", "scifact"):
        measure(name, Path(folder) / name, embedder)


def measure(name: str, folder: Path, embedder: SentenceTransformerEmbedder) -> None:
    passages = read_passages(name, folder)
    queries = read_queries(folder, {DocumentId(each["doc"]) for each in passages})
    part = os.environ.get("PINCITE_IR_PASSAGES")
    if part:
        passages, queries = thinned(passages, queries, int(part))
    with tempfile.TemporaryDirectory() as directory:
        vectors = ChromaVectors(Path(directory) / "vectors", embedder.fingerprint)
        keywords = Fts5KeywordIndex(Path(directory) / "keywords.db")
        store = fill(name, passages, embedder, vectors, keywords)
        open_ended = Cutoff(band=0.0, at_least=DEPTH, at_most=DEPTH, floor=-1.0)
        search = Search(store, vectors, keywords, embedder, open_ended)
        everything = frozenset(document.id for document in store.documents([BOX]))
        access = Access(user_id=UserId("bench"), containers=frozenset([BOX]))

        def whole(text: str, documents: frozenset[DocumentId]) -> Sequence[str]:
            filters = None if documents == everything else Filters(document_ids=tuple(documents))
            return [hit.chunk.id for hit in search.run(build_scope(access, [BOX], filters), text).kept]

        engines = Engines(embedder, vectors, keywords)

        def meaning(text: str, documents: frozenset[DocumentId]) -> Sequence[str]:
            return [hit.chunk_id for hit in engines.by_meaning(text, [_reach(documents)], DEPTH)]

        def words(text: str, documents: frozenset[DocumentId]) -> Sequence[str]:
            return [hit.chunk_id for hit in engines.by_words(text, [_reach(documents)], DEPTH)]

        print(f"ir: {name}, {len(passages)} passages, {len(queries)} queries ({BEFORE[name]})")
        for label, ranking in (("the search", whole), ("meaning alone", meaning), ("words alone", words)):
            gain, recall = score(ranking, queries, everything)
            print(f"ir: {name}, {label}: nDCG@10 {gain:.3f}, recall@10 {recall:.3f}", flush=True)
        vectors.close()
        keywords.close()


def score(ranking: Ranking, queries: Sequence[Query], everything: frozenset[DocumentId]) -> tuple[float, float]:
    """Return the means of nDCG and recall at ten."""
    gains, recalls = [], []
    for query in queries:
        documents = everything if query.document is None else frozenset([query.document])
        ranked = ranking(query.text, documents)[:DEPTH]
        best = sorted(query.relevant.values(), reverse=True)[:DEPTH]
        gains.append(_discounted([query.relevant.get(one, 0.0) for one in ranked]) / _discounted(best))
        recalls.append(sum(one in query.relevant for one in ranked) / len(query.relevant))
    return sum(gains) / len(gains), sum(recalls) / len(recalls)


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))


def read_passages(name: str, folder: Path) -> list[dict[str, Any]]:
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        row["doc"] = row.get("doc") or row["_id"]
    if name != "cuad200":
        return [row | {"text": f"{row['title']} {row['text']}"} for row in rows]
    first = sorted({row["doc"] for row in rows})[:CONTRACTS]
    return [row for row in rows if row["doc"] in first]


def read_queries(folder: Path, documents: set[DocumentId]) -> list[Query]:
    relevant: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, passage, grade = line.split("\t")[-3:]
        if grade.isdigit() and int(grade):
            relevant[query][passage] = float(grade)
    rows = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Query(row.get("q_long") or row["text"], DocumentId(row["doc"]) if "doc" in row else None, relevant[row["_id"]])
        for row in rows
        if relevant[row["_id"]] and ("doc" not in row or row["doc"] in documents)
    ]


def thinned(
    passages: Sequence[dict[str, Any]], queries: Sequence[Query], limit: int
) -> tuple[list[dict[str, Any]], list[Query]]:
    """Return about ``limit`` passages and the queries that they can answer: whole contracts, or judged passages first."""
    if queries[0].document is None:
        judged = {passage for query in queries for passage in query.relevant}
        return sorted(passages, key=lambda row: (row["_id"] not in judged, row["_id"]))[:limit], list(queries)
    kept: list[dict[str, Any]] = []
    for row in sorted(passages, key=lambda row: str(row["doc"])):
        if len(kept) >= limit and row["doc"] != kept[-1]["doc"]:
            break
        kept.append(row)
    documents = {row["doc"] for row in kept}
    return kept, [query for query in queries if query.document in documents]


def fill(
    name: str,
    passages: Sequence[dict[str, Any]],
    embedder: SentenceTransformerEmbedder,
    vectors: ChromaVectors,
    keywords: Fts5KeywordIndex,
) -> MemoryLibraryStore:
    store = MemoryLibraryStore()
    store.add_container(Container(id=BOX, name="Bench", created_at=NOW))
    by_document: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in passages:
        by_document[row["doc"]].append(row)
    for document, rows in by_document.items():
        owner = DocumentId(document)
        store.save_document(
            Document(id=owner, container_id=BOX, name=document, state=DocumentState.READY, uploaded_at=NOW)
        )
        store.save_chunks(owner, [_chunk(owner, number, row) for number, row in enumerate(rows)])
    embedded = embed(name, [row["text"] for row in passages], embedder)
    for start in range(0, len(passages), 500):
        some = range(start, min(start + 500, len(passages)))
        held = [(ChunkId(passages[n]["_id"]), DocumentId(passages[n]["doc"]), n) for n in some]
        vectors.upsert(BOX, [VectorRow(chunk, document_id, embedded[n].tolist()) for chunk, document_id, n in held])
        keywords.upsert(BOX, [KeywordRow(chunk, document_id, passages[n]["text"]) for chunk, document_id, n in held])
    return store


def _chunk(document: DocumentId, number: int, row: Mapping[str, Any]) -> Chunk:
    # Every passage has a page of its own: these collections know no pages.
    page = Segment(page=number + 1, start=0, end=len(row["text"]))
    return Chunk(
        id=ChunkId(row["_id"]),
        document_id=document,
        container_id=BOX,
        ordinal=number,
        text=row["text"],
        segments=(page,),
    )


def _reach(documents: frozenset[DocumentId]) -> Reach:
    return Reach(container_id=BOX, documents=documents)


def embed(name: str, texts: Sequence[str], embedder: SentenceTransformerEmbedder) -> np.ndarray[Any, Any]:
    """Embed the texts, or take from the bench's home what an earlier run embedded."""
    home = os.environ.get("PINCITE_BENCH_HOME")
    if not home:
        return np.asarray(embedder.embed_passages(texts), dtype=np.float32)
    kept = Path(home) / f"ir-{name}-{embedder.fingerprint}.npz"
    kept.parent.mkdir(parents=True, exist_ok=True)
    known: dict[str, Any] = {}
    if kept.exists():
        with np.load(kept) as stored:
            known = dict(zip(stored["keys"].tolist(), stored["rows"], strict=True))
    keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    missing = [index for index, key in enumerate(keys) if key not in known]
    for start in range(0, len(missing), AT_ONCE):
        some = missing[start : start + AT_ONCE]
        vectors = np.asarray(embedder.embed_passages([texts[index] for index in some]), dtype=np.float32)
        known |= {keys[index]: vector for index, vector in zip(some, vectors, strict=True)}
        np.savez(kept, keys=list(known), rows=list(known.values()))
        print(f"ir: {name}, {start + len(some):,} of {len(missing):,} passages embedded", flush=True)
    return np.asarray([known[key] for key in keys])
