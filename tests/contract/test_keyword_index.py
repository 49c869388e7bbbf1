"""The contract of KeywordIndex, for every implementation."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import KeywordIndex, KeywordRow

pytestmark = pytest.mark.req("FIND-3")

LEGAL, SALES = ContainerId("ctr_legal"), ContainerId("ctr_sales")
A, B, C = DocumentId("doc_a"), DocumentId("doc_b"), DocumentId("doc_c")


@pytest.fixture(params=["fts5", "memory"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[KeywordIndex]:
    if request.param == "memory":
        yield MemoryKeywords()
        return
    keywords = Fts5KeywordIndex(tmp_path / "keywords.sqlite")
    yield keywords
    keywords.close()


def row(document_id: DocumentId, number: int, text: str) -> KeywordRow:
    return KeywordRow(ChunkId(f"{document_id}:{number:05d}"), document_id, text)


def found(index: KeywordIndex, text: str, *documents: DocumentId, limit: int = 10) -> list[str]:
    return [hit.chunk_id for hit in index.query(LEGAL, text, limit, frozenset(documents or (A, B)))]


@pytest.fixture
def filled(index: KeywordIndex) -> KeywordIndex:
    """An index in which one passage of six speaks of terminating, the others of other things."""
    index.upsert(
        LEGAL,
        [
            row(A, 0, "Either party may terminate this agreement."),
            row(A, 1, "Invoices are payable within thirty days of receipt."),
            row(A, 2, "The liability of the supplier is capped."),
            row(B, 0, "The invoice names the order. Late invoices bear interest."),
            row(B, 1, "Governing law is that of Norway."),
            row(B, 2, "Notices are sent in writing."),
        ],
    )
    return index


def test_a_word_is_found_in_its_other_forms(filled: KeywordIndex) -> None:
    assert found(filled, "TERMINATING") == ["doc_a:00000"]
    assert found(filled, "terminated") == ["doc_a:00000"]


def test_hits_come_best_first_and_a_higher_score_is_better(filled: KeywordIndex) -> None:
    hits = filled.query(LEGAL, "late invoices bear interest", 10, frozenset({A, B}))

    assert [hit.chunk_id for hit in hits] == ["doc_b:00000", "doc_a:00001"]
    assert hits[0].score > hits[1].score > 0


def test_one_word_in_common_is_enough_and_none_is_no_hit(filled: KeywordIndex) -> None:
    assert found(filled, "liability of a submarine") == ["doc_a:00002"]
    assert found(filled, "submarine") == []


def test_common_words_do_not_count_unless_there_are_no_others(filled: KeywordIndex) -> None:
    assert found(filled, "is the submarine of the") == []
    assert set(found(filled, "is of the")) == {"doc_a:00001", "doc_a:00002", "doc_b:00000", "doc_b:00001"}


def test_the_limit_is_a_ceiling(filled: KeywordIndex) -> None:
    assert len(found(filled, "invoice", limit=1)) == 1
    assert len(found(filled, "invoice", limit=1_000)) == 2
    assert found(filled, "invoice", limit=0) == []


@pytest.mark.req("FIND-1")
def test_no_documents_no_hits(filled: KeywordIndex) -> None:
    assert filled.query(LEGAL, "invoice", 10, frozenset()) == []
    assert filled.query(LEGAL, "invoice", 10, frozenset({C})) == []


@pytest.mark.req("FIND-1")
def test_a_container_sees_its_own_passages_only(filled: KeywordIndex) -> None:
    filled.upsert(SALES, [row(C, 0, "Invoices of the sales team.")])

    assert found(filled, "invoice", A, B, C) == ["doc_b:00000", "doc_a:00001"]
    assert [hit.chunk_id for hit in filled.query(SALES, "invoice", 10, frozenset({A, B, C}))] == ["doc_c:00000"]
    assert "sales" not in filled.vocabulary(LEGAL)


def test_the_documents_restrict_before_the_limit_counts(index: KeywordIndex) -> None:
    index.upsert(LEGAL, [row(A, number, "penalty penalty penalty") for number in range(50)])
    index.upsert(LEGAL, [row(B, 0, "a long passage in which the word penalty stands once, among very many others")])

    assert found(index, "penalty", B, limit=1) == ["doc_b:00000"]


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("Invoice INV-2024/0017 is open.", ["INV-2024/0017", "inv-2024/0017", "0017", "2024"]),
        ("See clause 7.2.1 below.", ["7.2.1", "clause"]),
        ("A cap of $1,250,000 applies.", ["1,250,000", "$1,250,000"]),
        ("Müller signed.", ["Muller", "MÜLLER", "mu\u0308ller"]),
        ("Muller signed.", ["Müller", "müller"]),
        ("Main Straße 5", ["strasse", "STRASSE", "Straße"]),
        ("Long-term supply", ["long term", "long-term"]),
        ("ﬁnance and １２３", ["finance", "123"]),
        ("договор поставки", ["договор", "ДОГОВОР"]),
    ],
)
def test_words_are_found_however_they_are_written(index: KeywordIndex, text: str, queries: list[str]) -> None:
    index.upsert(LEGAL, [row(A, 0, text), row(A, 1, "Something else entirely")])

    for query in queries:
        assert found(index, query) == ["doc_a:00000"], query


def test_a_query_is_data(filled: KeywordIndex, hostile: str) -> None:
    assert found(filled, hostile) == []
    assert found(filled, f"{hostile} governing") == ["doc_b:00001"]
    assert found(filled, f'"{hostile}" governing') == ["doc_b:00001"]


def test_a_passage_is_data(index: KeywordIndex, hostile: str) -> None:
    index.upsert(LEGAL, [row(A, 0, f"{hostile} indemnity")])

    assert found(index, "indemnity") == ["doc_a:00000"]
    index.delete_document(LEGAL, A)
    assert index.vocabulary(LEGAL) == {}


def test_a_query_of_thousands_of_words_is_answered(filled: KeywordIndex) -> None:
    many = " ".join(f"word{number}" for number in range(3_000))

    assert found(filled, f"{many} governing") == ["doc_b:00001"]


def test_the_vocabulary_counts_the_passages_of_each_word(index: KeywordIndex) -> None:
    index.upsert(LEGAL, [row(A, 0, "Fees. The fees, the FEES!"), row(B, 0, "Monthly fees")])

    assert index.vocabulary(LEGAL) == {"fees": 2, "the": 1, "monthly": 1}
    assert index.vocabulary(SALES) == {}


def test_writing_a_passage_again_replaces_it(index: KeywordIndex) -> None:
    index.upsert(LEGAL, [row(A, 0, "old wording"), row(A, 1, "other wording")])
    index.upsert(LEGAL, [row(A, 0, "draft"), row(A, 0, "new wording")])

    assert found(index, "old") == []
    assert found(index, "new") == ["doc_a:00000"]
    assert index.vocabulary(LEGAL) == {"new": 1, "wording": 2, "other": 1}
    assert index.count(LEGAL) == 2


def test_writing_the_same_again_changes_nothing(filled: KeywordIndex) -> None:
    before = (filled.query(LEGAL, "invoice law", 10, frozenset({A, B})), dict(filled.vocabulary(LEGAL)))

    filled.upsert(LEGAL, [row(B, 1, "Governing law is that of Norway.")])
    filled.upsert(LEGAL, [])

    assert (filled.query(LEGAL, "invoice law", 10, frozenset({A, B})), dict(filled.vocabulary(LEGAL))) == before
    assert filled.count(LEGAL) == 6


def test_deleting_a_document_removes_its_passages_and_words_and_no_others(filled: KeywordIndex) -> None:
    filled.delete_document(LEGAL, A)
    filled.delete_document(LEGAL, A)
    filled.delete_document(LEGAL, C)

    assert found(filled, "invoice liability") == ["doc_b:00000"]
    assert (filled.count(LEGAL), filled.count(LEGAL, A), filled.count(LEGAL, B)) == (3, 0, 3)
    assert "liability" not in filled.vocabulary(LEGAL)
    assert filled.vocabulary(LEGAL)["is"] == 1


def test_an_unknown_container_is_empty(index: KeywordIndex, hostile: str) -> None:
    unknown = ContainerId(hostile)

    index.delete_document(unknown, A)

    assert index.query(unknown, "invoice", 10, frozenset({A})) == []
    assert index.count(unknown) == 0
    assert index.count(unknown, A) == 0
    assert index.vocabulary(unknown) == {}


def test_threads_write_and_search_at_once(index: KeywordIndex, together: Callable[..., list[Any]]) -> None:
    def work(thread: int) -> int:
        owner = DocumentId(f"doc_{thread}")
        for number in range(8):
            index.upsert(LEGAL, [row(owner, number, f"shared word{thread}")])
            assert len(found(index, f"word{thread}", owner)) == number + 1
        return index.count(LEGAL, owner)

    assert together(work, 5) == [8] * 5
    assert index.vocabulary(LEGAL)["shared"] == 40
