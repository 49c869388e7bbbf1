"""Nothing outside the scope is ever found: both engines and the whole search against brute force, over generated libraries.

The oracle knows nothing of engines or of ``Scope.admits``: it reads the rules anew over plain rows.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.errors import ScopeError
from workbench.domain.ids import ContainerId, DocumentId, UserId, new_id
from workbench.domain.scope import Access, Filters, build_scope, reaches
from workbench.domain.tags import Tag
from workbench.services.ports import KeywordRow, VectorRow
from workbench.services.retrieval.ranking import Cutoff
from workbench.services.retrieval.search import Search

pytestmark = [pytest.mark.req("FIND-1"), pytest.mark.req("FIND-2")]

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EVERYTHING = Cutoff(band=0.0, at_least=500, at_most=500, floor=-1.0)
BOXES = ("legal", "sales", 'o\'brien "x"')
VALUES = ("HR", "HR-EU", "H", "R&D, Oslo", "Oslo", "l'Anse", "x' OR '1'='1", "*", '{"$ne": ""}', "a\x00b", "🙂")
WORDS = ("invoice", "liability", "renewal", "notice", "Straße", "договор")
LANGUAGES = ("en", "de", None)
DATES = (date(2023, 5, 1), date(2024, 2, 29), None)

DOCUMENTS = st.fixed_dictionaries(
    {
        "box": st.sampled_from(BOXES),
        "tags": st.lists(st.sampled_from(VALUES), max_size=2, unique=True),
        "language": st.sampled_from(LANGUAGES),
        "dated": st.sampled_from(DATES),
        "state": st.sampled_from((DocumentState.READY, DocumentState.READY, DocumentState.FAILED)),
        "hidden": st.booleans(),
        "replaced": st.booleans(),
        "texts": st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
    }
)
FILTERS = st.fixed_dictionaries(
    {
        "tags": st.none() | st.lists(st.sampled_from(VALUES), max_size=2),
        "language": st.sampled_from(LANGUAGES),
        "date_from": st.sampled_from(DATES),
        "date_to": st.sampled_from(DATES),
        "ids": st.none() | st.lists(st.integers(0, 9), max_size=4),
    }
)


class Shelf(NamedTuple):
    search: Search
    store: MemoryLibraryStore
    vectors: ChromaVectors
    keywords: Fts5KeywordIndex


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ChromaVectors, Fts5KeywordIndex]]:
    """One pair of indexes for all examples: each has containers of its own, so those of the others must not show either."""
    folder: Path = tmp_path_factory.mktemp("engines")
    vectors = ChromaVectors(folder / "vectors", HashingEmbedder.fingerprint)
    keywords = Fts5KeywordIndex(folder / "keywords.db")
    yield vectors, keywords
    vectors.close()
    keywords.close()


def shelve(engines: tuple[ChromaVectors, Fts5KeywordIndex], rows: list[dict[str, Any]]) -> tuple[Shelf, list[Document]]:
    vectors, keywords = engines
    store, embedder = MemoryLibraryStore(), HashingEmbedder()
    run = new_id("run")
    for box in BOXES:
        store.add_container(Container(id=ContainerId(f"{run} {box}"), name=box, created_at=NOW))
    documents = []
    for number, row in enumerate(rows):
        box = ContainerId(f"{run} {row['box']}")
        document = Document(
            id=DocumentId(f"{run}_{number}"),
            container_id=box,
            name=f"{number}.pdf",
            tags=tuple(Tag(key="team", value=value) for value in row["tags"] if value.strip()),
            language=row["language"],
            dated=row["dated"],
            state=row["state"],
            hidden=row["hidden"],
            replaced_by=DocumentId("other") if row["replaced"] else None,
            uploaded_at=NOW,
        )
        store.save_document(document)
        chunks = [
            Chunk(
                id=chunk_id(document.id, place),
                document_id=document.id,
                container_id=box,
                ordinal=place,
                text=f"{text} clause",
                segments=(Segment(page=place + 1, start=0, end=len(text)),),
            )
            for place, text in enumerate(row["texts"])
        ]
        store.save_chunks(document.id, chunks)
        embedded = embedder.embed_passages([chunk.text for chunk in chunks])
        vectors.upsert(box, [VectorRow(c.id, document.id, v) for c, v in zip(chunks, embedded, strict=True)])
        keywords.upsert(box, [KeywordRow(c.id, document.id, c.text) for c in chunks])
        documents.append(document)
    return Shelf(Search(store, vectors, keywords, embedder, EVERYTHING), store, vectors, keywords), documents


def narrowing(documents: list[Document], raw: dict[str, Any]) -> Filters:
    ids = raw["ids"]
    chosen = (
        None if ids is None else tuple(documents[n].id if n < len(documents) else DocumentId("no such") for n in ids)
    )
    return Filters(
        tags={} if raw["tags"] is None else {"team": tuple(raw["tags"])},
        language=raw["language"],
        date_from=raw["date_from"],
        date_to=raw["date_to"],
        document_ids=chosen,
    )


def allowed(
    documents: list[Document], rows: list[dict[str, Any]], boxes: set[str], mine: set[str], raws: list[dict[str, Any]]
) -> set[str]:
    """The oracle: which documents a search may see, read from the rules."""
    found = set()
    for number, (document, row) in enumerate(zip(documents, rows, strict=True)):
        if row["box"] not in boxes & mine or row["state"] != "ready" or row["hidden"] or row["replaced"]:
            continue
        held = {value.strip().casefold() for value in row["tags"]}
        for raw in raws:
            if raw["tags"] is not None and not held & {value.strip().casefold() for value in raw["tags"]}:
                break
            if raw["language"] is not None and row["language"] != raw["language"]:
                break
            if raw["date_from"] is not None and not (row["dated"] and row["dated"] >= raw["date_from"]):
                break
            if raw["date_to"] is not None and not (row["dated"] and row["dated"] <= raw["date_to"]):
                break
            if raw["ids"] is not None and number not in raw["ids"]:
                break
        else:
            found.add(document.id)
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(DOCUMENTS, min_size=1, max_size=8),
    boxes=st.sets(st.sampled_from(BOXES), min_size=1),
    mine=st.sets(st.sampled_from(BOXES)),
    raws=st.lists(FILTERS, max_size=2),
    query=st.sampled_from((*WORDS, "clause", '"clause"', "* OR clause", "{'$ne': 1}", "NEAR(invoice notice)", "\x00")),
)
def test_a_search_finds_all_that_is_in_scope_and_nothing_else(
    engines: tuple[ChromaVectors, Fts5KeywordIndex],
    rows: list[dict[str, Any]],
    boxes: set[str],
    mine: set[str],
    raws: list[dict[str, Any]],
    query: str,
) -> None:
    shelf, documents = shelve(engines, rows)
    ids = {container.name: container.id for container in shelf.store.containers()}
    access = Access(user_id=UserId("anna"), containers=frozenset(ids[box] for box in mine))
    chosen = [ids[box] for box in sorted(boxes)]
    if not boxes <= mine:
        with pytest.raises(ScopeError):
            build_scope(access, chosen)
        return
    scope = build_scope(access, chosen)
    for raw in raws:
        scope = scope.narrowed(narrowing(documents, raw))
    expected = allowed(documents, rows, boxes, mine, raws)

    outcome = shelf.search.run(scope, query)

    assert set(outcome.documents) == expected
    assert {hit.chunk.document_id for hit in [*outcome.kept, *outcome.cut]} <= expected
    if "clause" in query:
        assert {hit.chunk.document_id for hit in outcome.kept} == expected
    reached = reaches(scope, documents)
    assert {document for reach in reached for document in reach.documents} == expected
    vector = HashingEmbedder().embed_query("clause")
    for engine in (
        [hit for r in reached for hit in shelf.vectors.query(r.container_id, vector, 500, r.documents)],
        [hit for r in reached for hit in shelf.keywords.query(r.container_id, "clause", 500, r.documents)],
        [hit for r in reached for hit in shelf.keywords.phrase(r.container_id, "clause", 500, r.documents)],
    ):
        passages = {
            chunk_id(each.id, place)
            for each, row in zip(documents, rows, strict=True)
            for place in range(len(row["texts"]))
            if each.id in expected
        }
        assert {hit.chunk_id for hit in engine} == passages
    for reach in reached:
        assert set(shelf.keywords.holders(reach.container_id, "clause", 500, reach.documents)) == reach.documents


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(DOCUMENTS, min_size=1, max_size=6), limit=st.integers(0, 20))
def test_no_engine_gives_more_than_it_was_asked_for(
    engines: tuple[ChromaVectors, Fts5KeywordIndex], rows: list[dict[str, Any]], limit: int
) -> None:
    shelf, documents = shelve(engines, rows)
    every = frozenset(document.id for document in documents)
    vector = HashingEmbedder().embed_query("clause")
    for container in shelf.store.containers():
        assert len(shelf.vectors.query(container.id, vector, limit, every)) <= limit
        assert len(shelf.keywords.query(container.id, "clause", limit, every)) <= limit
        assert len(shelf.keywords.holders(container.id, "clause", limit, every)) <= limit
