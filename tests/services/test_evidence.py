"""What a citation opens, and for whom."""

from collections.abc import Callable

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, QUESTION, Asking, Bench
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_receipts import MemoryReceiptStore
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.adapters.fakes.scripted_model import ScriptedModel, call, say
from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound
from workbench.domain.ids import UserId
from workbench.domain.pages import Page, Word
from workbench.domain.scope import Access
from workbench.services.deletion.deleted_sources import DeletedSources
from workbench.services.evidence import Evidence
from workbench.services.library import Library
from workbench.services.ports import Model, PageImage


class NoPictures:
    """A renderer that is not asked."""

    def image(self, pdf: object, page: int, width: int) -> PageImage:
        raise AssertionError


@pytest.fixture
def asked(bench: Bench, asking: Callable[[Model], Asking]) -> tuple[Evidence, Turn]:
    orbex = bench.documents["orbex.pdf"]
    second = bench.library.page(orbex, 2)
    assert second is not None
    # Each word is 10 points wide, on one line.
    words, at = [], 0
    for number, word in enumerate(second.text.split(" ")):
        words.append(Word(at, at + len(word), number * 10.0, 100.0, number * 10.0 + 9, 110.0))
        at += len(word) + 1
    third = bench.library.page(orbex, 3)
    first = bench.library.page(orbex, 1)
    assert first is not None
    assert third is not None
    bench.library.save_pages(orbex, [first, Page(number=2, text=second.text, words=tuple(words)), third])
    search = call(
        "search_documents",
        query="payment terms",
        document_ids=None,
        tags=None,
        language=None,
        date_from=None,
        date_to=None,
        period=None,
    )
    made = asking(ScriptedModel([search, say("Within 45 days of receipt [S1]. Unicorns are purple and gallop [S1].")]))
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    turn = made.turns.wait(ACCESS, made.turns.ask(ACCESS, talk.id, QUESTION).id)
    library = Library(bench.library, MemoryVectors(), MemoryKeywords(), MemoryBlobs(), NoPictures(), bench.clock)
    return Evidence(made.conversations, library, DeletedSources(MemoryReceiptStore())), turn


@pytest.mark.req("CITE-7")
def test_a_located_passage_gives_its_page_and_boxes(asked: tuple[Evidence, Turn]) -> None:
    evidence, turn = asked
    found = evidence.of_mention(ACCESS, turn.id, 0)
    assert (found.page, found.located) == (2, True)
    assert "within 45 days of receipt" in found.quote
    (marked,) = found.pages
    assert marked.page == 2
    assert marked.boxes
    assert all(box.y0 == 100.0 for box in marked.boxes)


@pytest.mark.req("CITE-7")
def test_a_claim_that_the_page_does_not_hold_is_not_marked_anywhere(asked: tuple[Evidence, Turn]) -> None:
    evidence, turn = asked
    found = evidence.of_mention(ACCESS, turn.id, 1)
    assert (found.page, found.located, found.quote) == (2, False, "")
    assert [marked.boxes for marked in found.pages] == [()]
    assert "not located" in found.pages[0].note


@pytest.mark.req("CITE-9")
def test_an_old_link_needs_the_same_rights_as_the_search(asked: tuple[Evidence, Turn]) -> None:
    evidence, turn = asked
    removed = Access(user_id=ACCESS.user_id, containers=frozenset())
    stranger = Access(user_id=UserId("bob"), containers=ACCESS.containers)
    for access in (removed, stranger):
        with pytest.raises(NotFound):
            evidence.of_mention(access, turn.id, 0)


@pytest.mark.parametrize("index", [-1, 2, 99])
def test_a_mention_that_is_not_there_is_not_found(asked: tuple[Evidence, Turn], index: int) -> None:
    evidence, turn = asked
    with pytest.raises(NotFound):
        evidence.of_mention(ACCESS, turn.id, index)
