"""What vectors on a disk must do beyond the contract."""

from collections.abc import Iterator
from pathlib import Path

import chromadb
import numpy as np
import pytest
from chromadb.api.models.Collection import Collection

from workbench.adapters.chroma.vectors import MAX_BATCH, ChromaVectors
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import VectorRow

pytestmark = pytest.mark.req("FIND-3")

LEGAL = ContainerId("ctr_legal")
A, B = DocumentId("doc_a"), DocumentId("doc_b")
EAST, NORTH = (1.0, 0.0), (0.0, 1.0)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[ChromaVectors]:
    opened = ChromaVectors(tmp_path / "new" / "chroma", "model-1")
    yield opened
    opened.close()


def row(document_id: DocumentId, number: int, vector: tuple[float, ...] = EAST) -> VectorRow:
    return VectorRow(ChunkId(f"{document_id}:{number:05d}"), document_id, vector)


def test_all_is_there_when_the_index_is_opened_again(tmp_path: Path) -> None:
    first = ChromaVectors(tmp_path, "model-1")
    first.upsert(LEGAL, [row(A, 0, EAST), row(A, 1, NORTH), row(B, 0, EAST)])
    first.close()

    again = ChromaVectors(tmp_path, "model-1")

    assert (again.count(LEGAL), again.count(LEGAL, A)) == (3, 2)
    assert [hit.chunk_id for hit in again.query(LEGAL, EAST, 10, frozenset({A}))] == ["doc_a:00000", "doc_a:00001"]
    again.delete_document(LEGAL, A)
    assert again.count(LEGAL) == 1
    again.close()


def test_vectors_of_two_models_never_meet(index: ChromaVectors, tmp_path: Path) -> None:
    index.upsert(LEGAL, [row(A, 0, EAST)])
    other = ChromaVectors(tmp_path / "new" / "chroma", "model-2")

    assert other.count(LEGAL) == 0
    assert other.query(LEGAL, (1.0, 0.0, 0.0), 10, frozenset({A})) == []
    other.upsert(LEGAL, [row(A, 0, (0.0, 0.0, 1.0))])

    assert index.query(LEGAL, EAST, 10, frozenset({A}))[0].score == pytest.approx(1.0, abs=1e-5)
    other.close()
    assert index.count(LEGAL) == 1


def test_more_rows_than_one_call_takes_are_written_read_and_deleted(
    index: ChromaVectors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert index._engine.client.get_max_batch_size() >= MAX_BATCH
    monkeypatch.setattr("workbench.adapters.chroma.vectors.MAX_BATCH", 20)
    index.upsert(LEGAL, [row(A, number) for number in range(41)])
    index.upsert(LEGAL, [row(B, 0)])
    again = ChromaVectors(tmp_path / "new" / "chroma", "model-1")

    assert (index.count(LEGAL, A), again.count(LEGAL, A), again.count(LEGAL)) == (41, 41, 42)
    index.delete_document(LEGAL, A)
    assert (index.count(LEGAL), index.count(LEGAL, B)) == (1, 1)
    assert [hit.chunk_id for hit in index.query(LEGAL, EAST, 10, frozenset({A, B}))] == ["doc_b:00000"]
    again.close()


@pytest.mark.req("FIND-1")
def test_hits_the_graph_search_misses_are_found_one_by_one(
    index: ChromaVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.upsert(LEGAL, [row(A, 0, EAST), row(A, 1, NORTH), row(B, 0, EAST)])
    monkeypatch.setattr(
        Collection,
        "query",
        lambda *_, **__: {"ids": [["doc_b:00000"]], "metadatas": [[{"document_id": B}]], "distances": [[0.0]]},
    )

    hits = index.query(LEGAL, (1.0, 1.0), 10, frozenset({A}))

    assert [hit.chunk_id for hit in hits] == ["doc_a:00000", "doc_a:00001"]
    assert [hit.score for hit in hits] == pytest.approx([0.5**0.5] * 2, abs=1e-5)


@pytest.mark.req("FIND-1")
def test_all_documents_are_searched_without_a_filter_and_some_with_one(
    index: ChromaVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.upsert(LEGAL, [row(A, 0), row(B, 0)])
    filters: list[object] = []
    query = Collection.query

    def watched(collection: Collection, **arguments: object) -> object:
        filters.append(arguments["where"])
        return query(collection, **arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Collection, "query", watched)

    index.query(LEGAL, EAST, 10, frozenset({A, B, DocumentId("doc_of_another_container")}))
    index.query(LEGAL, EAST, 10, frozenset({A}))
    index.delete_document(LEGAL, B)
    index.query(LEGAL, EAST, 10, frozenset({A}))

    assert filters == [None, {"document_id": {"$in": ["doc_a"]}}, None]


@pytest.mark.req("OPEN-6")
def test_nothing_is_reported_and_no_text_is_kept(index: ChromaVectors, tmp_path: Path) -> None:
    index.upsert(LEGAL, [row(A, 0)])

    client = chromadb.PersistentClient(tmp_path / "new" / "chroma", settings=index._engine.client.get_settings())
    (collection,) = client.list_collections()

    assert client.get_settings().anonymized_telemetry is False
    assert collection.get(include=["documents"])["documents"] == [None]
    assert np.allclose(collection.get(include=["embeddings"])["embeddings"], [EAST])  # type: ignore[arg-type]
    client.close()  # type: ignore[attr-defined]


@pytest.mark.req("CHAT-3")
def test_a_deleted_document_leaves_no_vectors_of_a_former_model_and_takes_none_of_others(tmp_path: Path) -> None:
    former = ChromaVectors(tmp_path, "model-1")
    former.upsert(LEGAL, [row(A, 0), row(A, 1), row(B, 0)])
    former.close()
    index = ChromaVectors(tmp_path, "model-2")
    index.upsert(LEGAL, [row(A, 0, NORTH), row(B, 0, NORTH)])
    before = (index.count(LEGAL, A), index.former(LEGAL, A), index.former(LEGAL, B))

    index.delete_document(LEGAL, A)
    index.delete_document(LEGAL, DocumentId("doc_unknown"))
    after = (index.count(LEGAL, A), index.former(LEGAL, A), index.former(LEGAL, B), index.count(LEGAL, B))
    index.close()

    assert before == (1, 2, 1)
    assert after == (0, 0, 1, 1)
