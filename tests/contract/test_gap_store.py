"""The contract of GapStore, for every implementation."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workbench.adapters.fakes.memory_gaps import MemoryGapStore
from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.gaps import SqlGapStore
from workbench.domain.gaps import Gap, GapOrigin, GapReason
from workbench.domain.ids import ContainerId, ConversationId, GapId, UserId
from workbench.domain.scope import Filters
from workbench.services.ports import GapStore

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

pytestmark = pytest.mark.req("FIND-11")


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest, open_store: Callable[[str], Database]) -> GapStore:
    return MemoryGapStore() if request.param == "memory" else SqlGapStore(open_store(request.param))


def gap(number: int, **values: Any) -> Gap:
    return Gap(
        **{
            "id": GapId(f"gap_{number}"),
            "user_id": UserId("ana"),
            "containers": (ContainerId("con_leases"),),
            "query": "parking space",
            "origin": GapOrigin.COMMAND_LINE,
            "reason": GapReason.NOTHING_FOUND,
            "asked_at": NOON + timedelta(minutes=number),
        }
        | values
    )


def test_a_gap_comes_back_as_it_was_recorded(store: GapStore, hostile: str) -> None:
    kept = gap(1, query=hostile, filters=Filters(tags={"region": (hostile,)}), conversation_id=ConversationId("conv_1"))
    store.add_gap(kept)
    assert store.gaps() == [kept]


def test_the_latest_comes_first_and_equal_times_go_by_id(store: GapStore) -> None:
    for each in (gap(2, asked_at=NOON), gap(1, asked_at=NOON), gap(3)):
        store.add_gap(each)
    assert [each.id for each in store.gaps()] == ["gap_3", "gap_1", "gap_2"]


def test_dismissed_ones_are_gone_and_unknown_ones_do_no_harm(store: GapStore) -> None:
    for number in range(1, 4):
        store.add_gap(gap(number))
    store.delete_gaps([GapId("gap_2"), GapId("gap_9")])
    store.delete_gaps([])
    assert [each.id for each in store.gaps()] == ["gap_3", "gap_1"]


def test_those_of_a_conversation_go_together_and_no_others(store: GapStore) -> None:
    store.add_gap(gap(1, conversation_id=ConversationId("conv_1")))
    store.add_gap(gap(2, conversation_id=ConversationId("conv_2")))
    store.add_gap(gap(3))
    assert {gap.conversation_id for gap in store.gaps_of(ConversationId("conv_1"))} == {"conv_1"}
    store.delete_gaps_of(ConversationId("conv_1"))
    store.delete_gaps_of(ConversationId("conv_1"))
    assert store.gaps_of(ConversationId("conv_1")) == []
    assert [each.id for each in store.gaps()] == ["gap_3", "gap_2"]


def test_many_are_recorded_at_once(store: GapStore, together: Callable[[Callable[[int], Any], int], list[Any]]) -> None:
    assert together(lambda number: store.add_gap(gap(number)), 6) == [None] * 6
    assert len(store.gaps()) == 6
