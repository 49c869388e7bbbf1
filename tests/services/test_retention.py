"""Conversations that nobody went on with for the time that is set are deleted, with receipts, and no others."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from tests.services.deletion.conftest import ANA, World
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.domain.conversations import Conversation
from workbench.domain.deletions import Fate
from workbench.domain.errors import ModelUnavailable
from workbench.domain.results import TurnStatus
from workbench.services.conversations import Conversations
from workbench.services.retention import KIND, Retention

pytestmark = pytest.mark.req("CHAT-2")

DAYS = 30
Make = Callable[..., Retention]


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def jobs(world: World) -> Iterator[MemoryJobs]:
    made = MemoryJobs(world.clock)
    yield made
    made.close()


@pytest.fixture
def retention(world: World, jobs: MemoryJobs) -> Iterator[Make]:
    made: list[Retention] = []

    def make(days: int = DAYS) -> Retention:
        made.append(Retention(world.talks, world.deletion, jobs, world.clock, days))
        return made[-1]

    yield make
    for each in made:
        each.close()


def aged(world: World, days: float, **changes: object) -> Conversation:
    """A conversation whose last question is so many days old now."""
    talk = world.talk((["resp_old"], []))
    changed = talk.model_copy(update={"updated_at": world.clock.now() - timedelta(days=days), **changes})
    world.talks.save_conversation(changed)
    return changed


def begun(retention: Retention, jobs: MemoryJobs) -> None:
    jobs.resume()
    retention.begin()
    jobs.wait([status.job_id for status in jobs.jobs(KIND)], 20)


def left(world: World) -> list[str]:
    return [talk.id for talk in world.talks.conversations(ANA.user_id)]


def test_what_is_older_goes_with_a_receipt_and_what_is_exactly_as_old_stays(
    world: World, jobs: MemoryJobs, retention: Make
) -> None:
    old, edge, young = aged(world, DAYS + 1e-5), aged(world, DAYS), aged(world, 1)

    begun(retention(), jobs)

    assert set(left(world)) == {edge.id, young.id}
    (receipt,) = world.receipts.receipts()
    assert (receipt.subject, receipt.asked_by, receipt.open) == (old.id, ANA.user_id, False)
    assert receipt.reason == "retention time of 30 days"
    assert {item.fate for item in receipt.items} <= {Fate.DELETED, Fate.ALREADY_GONE}
    assert world.deletion.receipts(ANA) == [receipt]


def test_pinned_ones_and_those_at_work_stay_and_everybodys_others_go(
    world: World, jobs: MemoryJobs, retention: Make
) -> None:
    pinned, busy, bobs = aged(world, 99, pinned=True), aged(world, 99), aged(world, 99, user_id="bob")
    (turn,) = world.talks.turns(busy.id)
    world.talks.save_turn(turn.model_copy(update={"status": TurnStatus.RUNNING}))

    begun(retention(), jobs)

    assert set(left(world)) == {pinned.id, busy.id}
    assert world.talks.conversation(bobs.id) is None
    assert [receipt.asked_by for receipt in world.receipts.receipts()] == ["bob"]


def test_without_a_time_nothing_is_deleted_not_even_by_a_job_that_was_left(
    world: World, jobs: MemoryJobs, retention: Make
) -> None:
    aged(world, 9999)
    off = retention(0)
    jobs.enqueue(KIND, f"{KIND}:2020-01-01", "")

    begun(off, jobs)

    assert len(left(world)) == 1
    assert world.receipts.receipts() == []


def test_it_runs_at_each_start_and_every_day_and_keeps_no_old_jobs(
    world: World, jobs: MemoryJobs, retention: Make
) -> None:
    each_day = retention()
    begun(each_day, jobs)
    first = aged(world, DAYS + 1)
    each_day.look()  # today's has run
    assert left(world) == [first.id]

    each_day.begin()  # another start on the same day
    jobs.wait([status.job_id for status in jobs.jobs(KIND)], 20)
    assert left(world) == []

    aged(world, DAYS - 1)
    world.clock.advance(timedelta(days=1, seconds=1).total_seconds())
    each_day.look()
    jobs.wait([status.job_id for status in jobs.jobs(KIND)], 20)
    assert left(world) == []
    each_day.look()
    assert {status.job_id for status in jobs.jobs(KIND)} == {f"{KIND}:{world.clock.now():%Y-%m-%d}"}


def test_a_provider_that_is_away_holds_nobody_up(world: World, jobs: MemoryJobs, retention: Make) -> None:
    aged(world, DAYS + 1)
    aged(world, DAYS + 2)
    world.provider.refusing["resp_old"] = ModelUnavailable("The host could not be reached.")

    begun(retention(), jobs)

    assert left(world) == []
    assert [receipt.open for receipt in world.receipts.receipts()] == [True, True]


def test_one_that_is_gone_on_with_or_pinned_meanwhile_stays(
    world: World, jobs: MemoryJobs, retention: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned, asked = aged(world, DAYS + 1), aged(world, DAYS + 2)
    found = world.talks.idle_conversations(world.clock.now())
    talks = Conversations(world.talks, FixedClock(world.clock.now()))
    talks.pin(ANA, pinned.id, pinned=True)
    talks.touch(ANA, asked.id, "And now?")
    monkeypatch.setattr(world.talks, "idle_conversations", lambda _: found)

    begun(retention(), jobs)

    assert set(left(world)) == {pinned.id, asked.id}
