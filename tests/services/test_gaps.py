"""Gaps: what is recorded of turns and searches, who sees it, and how it goes away."""

from collections.abc import Callable

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, PRIVATE, QUESTION, Asking, Bench
from workbench.adapters.fakes.memory_conversations import MemoryConversationStore
from workbench.adapters.fakes.memory_gaps import MemoryGapStore
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Step, call, say
from workbench.domain.errors import PinciteError
from workbench.domain.gaps import Gap, GapOrigin, GapReason
from workbench.domain.ids import ContainerId, UserId
from workbench.domain.scope import Access, Filters
from workbench.services.gaps import Gaps
from workbench.services.tools.search_documents import SearchArguments

pytestmark = pytest.mark.req("FIND-11")

BOARD = Access(user_id=UserId("boris"), containers=frozenset([CONTRACTS, PRIVATE]))


def search(query: str, **narrowed: object) -> Step:
    return call("search_documents", **dict.fromkeys(SearchArguments.model_fields) | {"query": query} | narrowed)


@pytest.fixture
def store() -> MemoryGapStore:
    return MemoryGapStore()


@pytest.fixture
def conversations() -> MemoryConversationStore:
    return MemoryConversationStore()


@pytest.fixture
def gaps(bench: Bench, store: MemoryGapStore, conversations: MemoryConversationStore) -> Gaps:
    return Gaps(store, conversations, bench.clock)


@pytest.fixture
def ask(asking: Callable[..., Asking], gaps: Gaps, conversations: MemoryConversationStore) -> Callable[..., Asking]:
    """Ask one question of a model that plays these steps, and wait for the end."""

    def run(*steps: Step) -> Asking:
        desk = asking(ScriptedModel(steps), store=conversations, on_end=gaps.take_turn)
        talk = desk.conversations.create(ACCESS, [CONTRACTS])
        desk.turns.wait(ACCESS, desk.turns.ask(ACCESS, talk.id, QUESTION).id)
        return desk

    return run


def recorded(store: MemoryGapStore) -> list[tuple[str, GapReason]]:
    return [(gap.query, gap.reason) for gap in store.gaps()]


def test_a_question_that_was_searched_for_and_not_answered_is_one_gap(ask, store: MemoryGapStore) -> None:
    ask(search("payment"), say("The documents do not say it."))
    (gap,) = store.gaps()

    assert (gap.query, gap.reason, gap.origin) == (QUESTION, GapReason.NOT_ANSWERED, GapOrigin.ASSISTANT)
    assert (gap.user_id, gap.containers) == (ACCESS.user_id, (CONTRACTS,))


def test_a_search_that_found_nothing_beside_one_that_answered_is_a_gap_of_its_own(ask, store: MemoryGapStore) -> None:
    ask(search("payment terms"), search("parking", tags=[{"key": "supplier", "value": "Nobody"}]), say("45 days [S1]."))

    assert recorded(store) == [("parking", GapReason.NOTHING_FOUND)]
    assert store.gaps()[0].filters.tags == {"supplier": ("Nobody",)}


def test_an_answered_question_leaves_no_gap(ask, store: MemoryGapStore) -> None:
    ask(search("payment terms"), search("payment terms again"), say("45 days [S1]."))
    assert store.gaps() == []


def test_an_answer_without_a_search_is_no_gap(ask, store: MemoryGapStore) -> None:
    ask(say("Hello."))
    assert store.gaps() == []


def test_what_was_asked_in_a_conversation_is_found_by_it(ask, gaps: Gaps, store: MemoryGapStore) -> None:
    desk = ask(search("payment"), say("Not stated."))
    gaps.record(ACCESS.user_id, [CONTRACTS], "parking", Filters(), GapOrigin.SCREEN)
    (talk,) = desk.conversations.list(ACCESS)

    assert [gap.query for gap in store.gaps_of(talk.id)] == [desk.conversations.turns(ACCESS, talk.id)[0].question]


@pytest.mark.parametrize(("containers", "seen"), [([CONTRACTS], 1), ([PRIVATE], 0), ([CONTRACTS, PRIVATE], 0)])
def test_a_gap_is_seen_only_by_who_may_see_all_its_containers(
    gaps: Gaps, containers: list[ContainerId], seen: int
) -> None:
    gaps.record(BOARD.user_id, containers, "bonus of the board", Filters(), GapOrigin.SCREEN)

    assert len(gaps.topics(ACCESS)) == seen
    assert len(gaps.topics(BOARD)) == 1


def test_only_what_one_may_see_can_be_dismissed(gaps: Gaps, store: MemoryGapStore) -> None:
    gaps.record(BOARD.user_id, [PRIVATE], "bonus", Filters(), GapOrigin.SCREEN)
    ids = [gap.id for gap in store.gaps()]
    gaps.dismiss(ACCESS, ids)
    assert len(store.gaps()) == 1
    gaps.dismiss(BOARD, ids)
    assert store.gaps() == []


def test_a_store_that_fails_stops_nothing_and_is_logged(
    bench: Bench, conversations: MemoryConversationStore, caplog: pytest.LogCaptureFixture
) -> None:
    class Full(MemoryGapStore):
        def add_gap(self, gap: Gap) -> None:
            raise PinciteError("The disk is full.")

    Gaps(Full(), conversations, bench.clock).record(ACCESS.user_id, [CONTRACTS], "x", Filters(), GapOrigin.SCREEN)
    assert "The disk is full." in caplog.text


@pytest.mark.parametrize("query", ["", "  \n "])
def test_an_empty_query_is_no_gap(gaps: Gaps, store: MemoryGapStore, query: str) -> None:
    gaps.record(ACCESS.user_id, [CONTRACTS], query, Filters(), GapOrigin.SCREEN)
    assert store.gaps() == []
