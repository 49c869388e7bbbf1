"""The contract of VectorIndex, for every implementation."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import VectorIndex, VectorRow

pytestmark = pytest.mark.req("FIND-3")

LEGAL, SALES = ContainerId("ctr_legal"), ContainerId("ctr_sales")
A, B, C = DocumentId("doc_a"), DocumentId("doc_b"), DocumentId("doc_c")
EAST, NORTH, NORTH_EAST, WEST = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 0.0, 0.0)


@pytest.fixture(params=["chroma", "memory"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorIndex]:
    if request.param == "memory":
        yield MemoryVectors()
        return
    vectors = ChromaVectors(tmp_path / "chroma", HashingEmbedder.fingerprint)
    yield vectors
    vectors.close()


def row(document_id: DocumentId, number: int, vector: tuple[float, ...]) -> VectorRow:
    return VectorRow(ChunkId(f"{document_id}:{number:05d}"), document_id, vector)


def test_hits_come_best_first_with_their_cosine_similarity(index: VectorIndex) -> None:
    index.upsert(LEGAL, [row(A, 0, WEST), row(A, 1, NORTH_EAST), row(B, 0, (0.5, 0.0, 0.0)), row(B, 1, NORTH)])

    hits = index.query(LEGAL, EAST, 10, frozenset({A, B}))

    assert [hit.chunk_id for hit in hits] == ["doc_b:00000", "doc_a:00001", "doc_b:00001", "doc_a:00000"]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.5**0.5, 0.0, -1.0], abs=1e-5)


def test_the_limit_is_a_ceiling(index: VectorIndex) -> None:
    index.upsert(LEGAL, [row(A, number, EAST) for number in range(3)])

    assert len(index.query(LEGAL, EAST, 2, frozenset({A}))) == 2
    assert len(index.query(LEGAL, EAST, 1_000, frozenset({A}))) == 3
    assert index.query(LEGAL, EAST, 0, frozenset({A})) == []


@pytest.mark.req("FIND-1")
def test_no_documents_no_hits(index: VectorIndex) -> None:
    index.upsert(LEGAL, [row(A, 0, EAST)])

    assert index.query(LEGAL, EAST, 10, frozenset()) == []
    assert index.query(LEGAL, EAST, 10, frozenset({C})) == []


@pytest.mark.req("FIND-1")
def test_a_container_sees_its_own_vectors_only(index: VectorIndex) -> None:
    index.upsert(LEGAL, [row(A, 0, EAST)])
    index.upsert(SALES, [row(B, 0, EAST)])

    assert [hit.chunk_id for hit in index.query(LEGAL, EAST, 10, frozenset({A, B}))] == ["doc_a:00000"]
    assert index.query(SALES, EAST, 10, frozenset({A})) == []
    assert (index.count(LEGAL), index.count(SALES)) == (1, 1)


def test_the_documents_restrict_before_the_limit_counts(index: VectorIndex) -> None:
    index.upsert(LEGAL, [row(A, number, (1.0, number / 1000, 0.0)) for number in range(50)])
    index.upsert(LEGAL, [row(B, number, (-1.0, number / 10, 0.0)) for number in range(3)])

    hits = index.query(LEGAL, EAST, 5, frozenset({B}))

    assert {hit.chunk_id for hit in hits} == {"doc_b:00000", "doc_b:00001", "doc_b:00002"}


def test_writing_a_chunk_again_replaces_it(index: VectorIndex) -> None:
    index.upsert(LEGAL, [row(A, 0, WEST), row(A, 1, NORTH)])
    index.upsert(LEGAL, [row(A, 0, NORTH), row(A, 0, EAST)])

    hits = index.query(LEGAL, EAST, 10, frozenset({A}))

    assert [hit.chunk_id for hit in hits] == ["doc_a:00000", "doc_a:00001"]
    assert hits[0].score == pytest.approx(1.0, abs=1e-5)
    assert index.count(LEGAL, A) == 2


def test_writing_nothing_changes_nothing(index: VectorIndex) -> None:
    index.upsert(LEGAL, [])

    assert index.count(LEGAL) == 0
    assert index.query(LEGAL, EAST, 10, frozenset({A})) == []


def test_deleting_a_document_removes_its_vectors_and_no_others(index: VectorIndex) -> None:
    index.upsert(LEGAL, [row(A, 0, EAST), row(A, 1, EAST), row(B, 0, EAST)])

    index.delete_document(LEGAL, A)
    index.delete_document(LEGAL, A)
    index.delete_document(LEGAL, C)

    assert [hit.chunk_id for hit in index.query(LEGAL, EAST, 10, frozenset({A, B}))] == ["doc_b:00000"]
    assert (index.count(LEGAL), index.count(LEGAL, A), index.count(LEGAL, B)) == (1, 0, 1)


def test_an_unknown_container_is_empty(index: VectorIndex, hostile: str) -> None:
    unknown = ContainerId(hostile)

    index.delete_document(unknown, A)

    assert index.query(unknown, EAST, 10, frozenset({A})) == []
    assert index.count(unknown) == 0
    assert index.count(unknown, A) == 0


def test_ids_are_data(index: VectorIndex, hostile: str) -> None:
    index.upsert(ContainerId(f"ctr {hostile}"), [VectorRow(ChunkId(f"chunk {hostile}"), DocumentId(hostile), EAST)])
    index.upsert(ContainerId(f"ctr {hostile}"), [row(A, 0, NORTH)])

    hits = index.query(ContainerId(f"ctr {hostile}"), EAST, 10, frozenset({DocumentId(hostile)}))

    assert [hit.chunk_id for hit in hits] == [f"chunk {hostile}"]


def test_every_allowed_vector_is_found_when_all_are_asked_for(index: VectorIndex) -> None:
    numbers = random.Random(7)
    documents = [DocumentId(f"doc_{number:02d}") for number in range(40)]
    rows = [
        row(document_id, number, tuple(numbers.gauss(0, 1) for _ in range(16)))
        for document_id in documents
        for number in range(60)
    ]
    index.upsert(LEGAL, rows)

    for allowed in (documents, documents[:20], documents[5:6]):
        chosen = frozenset(allowed)
        hits = index.query(LEGAL, rows[333].vector, 5_000, chosen)
        assert sorted(hit.chunk_id for hit in hits) == sorted(
            held.chunk_id for held in rows if held.document_id in chosen
        )
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_threads_write_and_search_at_once(index: VectorIndex, together: Callable[..., list[Any]]) -> None:
    def work(thread: int) -> int:
        owner = DocumentId(f"doc_{thread}")
        for number in range(10):
            index.upsert(LEGAL, [row(owner, number, (1.0, float(thread), float(number)))])
            found = index.query(LEGAL, EAST, 100, frozenset({owner}))
            assert {hit.chunk_id for hit in found} == {f"{owner}:{n:05d}" for n in range(number + 1)}
        return index.count(LEGAL, owner)

    assert together(work, 5) == [10] * 5
    assert index.count(LEGAL) == 50
