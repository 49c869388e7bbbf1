"""How much a user may ask."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from itertools import repeat

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, QUESTION, Asking
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_conversations import MemoryConversationStore
from workbench.adapters.fakes.scripted_model import ScriptedModel, say
from workbench.domain.budgets import UserLimits
from workbench.domain.conversations import Turn
from workbench.domain.errors import TooManyTurns
from workbench.domain.ids import UserId
from workbench.domain.items import TokenUsage
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access
from workbench.services.agent.rates import Rates

pytestmark = pytest.mark.req("ASK-14")

Make = Callable[..., Asking]
EVENING = datetime(2026, 3, 31, 22, 30, tzinfo=timezone(timedelta(hours=2), "CEST"))
OTHER = Access(user_id=UserId("bob"), containers=ACCESS.containers)


class Office:
    """Users who ask, under limits; every answer reads 90 tokens and writes 10."""

    def __init__(self, asking: Make, **limits: int) -> None:
        self.clock = FixedClock(EVENING)
        self.model = ScriptedModel(repeat(say("Noted.").but(usage=TokenUsage(input_tokens=90, output_tokens=10))))
        self._limits = UserLimits(**limits)
        self._store = MemoryConversationStore()
        self._asking = asking
        self.restart()

    def restart(self) -> None:
        """Start the application again on the same store."""
        rates = Rates(self._limits, self._store, self.clock)
        self.app = self._asking(self.model, clock=self.clock, store=self._store, rates=rates)

    def ask(self, access: Access = ACCESS) -> Turn:
        """Ask in a new conversation, so that no limit is one of a conversation."""
        talk = self.app.conversations.create(access, [CONTRACTS])
        return self.app.turns.wait(access, self.app.turns.ask(access, talk.id, QUESTION).id)


def test_without_limits_nothing_is_counted(asking: Make) -> None:
    office = Office(asking)
    answered = [office.ask().status for _ in range(20)]
    assert answered == [TurnStatus.ANSWERED] * 20


def test_turns_a_minute_slide_and_name_the_second_of_the_next_try(asking: Make) -> None:
    office = Office(asking, turns_per_minute=2)
    office.ask()
    office.clock.advance(20.5)
    office.ask()
    with pytest.raises(TooManyTurns, match=r"limit is 2\. Ask again at 22:31:00 \(CEST\)") as told:
        office.ask()
    assert told.value.retry_at == EVENING + timedelta(minutes=1)
    office.clock.advance(39)
    with pytest.raises(TooManyTurns):
        office.ask()
    office.clock.advance(0.5)
    office.ask()
    with pytest.raises(TooManyTurns, match="22:31:21"):
        office.ask()


def test_tokens_a_day_end_at_midnight_in_the_users_zone(asking: Make) -> None:
    office = Office(asking, tokens_per_day=250)
    for _ in range(3):
        office.ask()
    with pytest.raises(
        TooManyTurns, match=r"300 tokens today; the limit is 250.*Wednesday, 01 April, 00:00 \(CEST\)"
    ) as told:
        office.ask()
    assert told.value.retry_at == datetime(2026, 3, 31, 22, 0, tzinfo=UTC)
    office.clock.advance(90 * 60 - 1)
    with pytest.raises(TooManyTurns):
        office.ask()
    office.clock.advance(1)
    office.ask()


def test_a_refused_question_costs_nothing_and_leaves_nothing(asking: Make) -> None:
    office = Office(asking, turns_per_minute=1)
    talk = office.app.conversations.create(ACCESS, [CONTRACTS])
    office.ask()
    with pytest.raises(TooManyTurns):
        office.app.turns.ask(ACCESS, talk.id, QUESTION)
    assert len(office.model.requests) == 1
    assert not office.app.conversations.turns(ACCESS, talk.id)


def test_one_user_does_not_use_up_anothers_limit_and_a_restart_changes_nothing(asking: Make) -> None:
    office = Office(asking, turns_per_minute=1, tokens_per_day=100)
    office.ask()
    office.ask(OTHER)
    office.restart()
    for access in (ACCESS, OTHER):
        with pytest.raises(TooManyTurns):
            office.ask(access)


@pytest.mark.req("CHAT-2")
def test_deleting_conversations_gives_nothing_back(asking: Make) -> None:
    by_turns, by_tokens = Office(asking, turns_per_minute=2), Office(asking, tokens_per_day=200)
    for office in (by_turns, by_tokens):
        for _ in range(2):
            office.app.store.delete_conversation(office.ask().conversation_id)
        with pytest.raises(TooManyTurns, match=r"2 questions within a minute|200 tokens today"):
            office.ask()
