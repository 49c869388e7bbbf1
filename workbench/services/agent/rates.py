"""How often a user may ask: counted from the stored turns, so that a restart changes nothing."""

import threading
from datetime import datetime, timedelta

from workbench.domain.budgets import UserLimits
from workbench.domain.errors import TooManyTurns
from workbench.domain.ids import UserId
from workbench.services.ports import Clock, ConversationStore

_MINUTE = timedelta(minutes=1)


class Rates:
    """The limits of each user over all conversations. A day begins at midnight in the clock's zone, which is the user's.

    What was asked in a conversation that is deleted since counts as well. Whoever begins a turn checks and stores it under
    ``lock``, so that of two at once both are counted.
    """

    def __init__(self, limits: UserLimits, store: ConversationStore, clock: Clock) -> None:
        self.lock = threading.Lock()
        self._limits = limits
        self._store = store
        self._clock = clock

    def check(self, user_id: UserId) -> None:
        """Raise TooManyTurns, with the time of the next try, where the user has reached a limit."""
        now = self._clock.now()
        if self._limits.turns_per_minute:
            self._check_turns(user_id, now)
        if self._limits.tokens_per_day:
            self._check_tokens(user_id, now)

    def _check_turns(self, user_id: UserId, now: datetime) -> None:
        allowed = self._limits.turns_per_minute
        starts = (use.started_at for use in self._store.uses_since(user_id, now - _MINUTE))
        # The moment itself lies outside, so that the time named for the next try is one at which it works.
        recent = [start for start in starts if start > now - _MINUTE]
        if len(recent) < allowed:
            return
        again = (recent[-allowed] + _MINUTE).astimezone(now.tzinfo)
        raise TooManyTurns(
            f"You have asked {_questions(len(recent))} within a minute; the limit is {allowed}.",
            f"Ask again at {_ceiling(again):%H:%M:%S} ({again.tzname()}).",
            again,
        )

    def _check_tokens(self, user_id: UserId, now: datetime) -> None:
        allowed = self._limits.tokens_per_day
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        used = sum(use.tokens for use in self._store.uses_since(user_id, midnight))
        if used < allowed:
            return
        again = midnight + timedelta(days=1)
        raise TooManyTurns(
            f"You have used {used:,} tokens today; the limit is {allowed:,} a day.",
            f"Ask again from {again:%A, %d %B, %H:%M} ({again.tzname()}).",
            again,
        )


def _ceiling(moment: datetime) -> datetime:
    """Return the first full second that is not before the moment."""
    return moment if not moment.microsecond else moment.replace(microsecond=0) + timedelta(seconds=1)


def _questions(number: int) -> str:
    return "1 question" if number == 1 else f"{number} questions"
