from collections.abc import Iterable

import pytest

from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.ids import ContainerId, DocumentId, Ref
from workbench.services.retrieval.ledger import Ledger, Naming
from workbench.services.retrieval.ranking import Ranked

DOCUMENT = DocumentId("doc")


def chunk(ordinal: int, text: str, document: DocumentId = DOCUMENT, page: int = 1) -> Chunk:
    return Chunk(
        id=chunk_id(document, ordinal),
        document_id=document,
        container_id=ContainerId("c"),
        ordinal=ordinal,
        text=text,
        segments=(Segment(page=page, start=0, end=len(text)),),
    )


def distinct(ordinal: int) -> Chunk:
    return chunk(ordinal, " ".join(f"word{ordinal}x{n}" for n in range(20)))


def no_labels(document_id: DocumentId, numbers: Iterable[int]) -> dict[int, str]:
    return {}


def name(_: Chunk) -> Naming:
    return Naming("a.pdf", "Contracts")


def admit(ledger: Ledger, *chunks: Chunk, call_id: str = "call_1") -> tuple[list[str], list[str]]:
    admission = ledger.admit([Ranked(c, 0.5) for c in chunks], name, call_id)
    return [source.ref for source in admission.sources], [hit.reason for hit in admission.held_back]


@pytest.mark.req("FIND-7")
def test_refs_count_up_over_all_searches_of_the_turn_and_stay_with_their_chunk() -> None:
    ledger = Ledger(10, no_labels)
    assert admit(ledger, distinct(1), distinct(2)) == (["S1", "S2"], [])
    assert admit(ledger, distinct(2), distinct(3), call_id="call_2") == (["S3"], ["already given as S2"])
    second = ledger.source(Ref("S2"))
    assert second is not None
    assert (second.chunk.id, second.call_id) == ("doc:00002", "call_1")


@pytest.mark.req("FIND-5")
def test_the_budget_is_shared_by_all_searches() -> None:
    ledger = Ledger(2, no_labels)
    assert admit(ledger, distinct(1), distinct(2), distinct(3)) == (
        ["S1", "S2"],
        ["the turn's budget of 2 passages is spent"],
    )
    assert admit(ledger, distinct(4)) == ([], ["the turn's budget of 2 passages is spent"])
    assert (ledger.given, ledger.left) == (2, 0)


@pytest.mark.req("FIND-5")
def test_near_identical_passages_of_one_document_count_once_but_those_of_two_are_both_given() -> None:
    text = " ".join(f"clause{n}" for n in range(60))
    ledger = Ledger(10, no_labels)
    assert admit(ledger, chunk(1, text), chunk(2, text + " end")) == (["S1"], ["nearly the same as S1"])
    assert admit(ledger, chunk(1, text, document=DocumentId("other"))) == (["S2"], [])


@pytest.mark.req("FIND-6")
def test_a_source_carries_the_printed_labels_of_its_pages() -> None:
    ledger = Ledger(10, lambda document, numbers: {number: f"{'i' * number}" for number in numbers})
    ledger.admit([Ranked(chunk(1, "text of the page", page=3), 1.0)], name, "call")
    source = ledger.sources[0]
    assert source.labels == {3: "iii"}
    assert source.pages == "p. iii (PDF 3)"


@pytest.mark.req("FIND-5")
@pytest.mark.parametrize(
    ("given", "searches", "share"), [(0, 3, 8), (0, 6, 4), (0, 1, 24), (20, 2, 3), (24, 5, 3), (0, 0, 24)]
)
def test_the_searches_of_a_batch_share_what_is_left(given: int, searches: int, share: int) -> None:
    ledger = Ledger(24, no_labels)
    admit(ledger, *(distinct(number) for number in range(given)))
    assert ledger.share(searches) == share
