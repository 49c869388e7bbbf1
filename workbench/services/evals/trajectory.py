"""A trajectory as the scorers read it: the calls, rounds and searches in the stored events of a turn."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.conversations import Turn
from workbench.domain.events import (
    Event,
    LimitReached,
    ModelCallFinished,
    QueryRewritten,
    SearchFinished,
    ToolCallFinished,
    ToolCallStarted,
)

REWRITE, SEARCH = "rewrite_query", "search_documents"
ENDING = frozenset({"ask_user", "recommend"})
"""Tools that end the turn."""
_WORD = re.compile(r"\w+")


class Trajectory(NamedTuple):
    """A stored turn with its stored events: all that a scorer sees."""

    turn: Turn
    events: tuple[Event, ...]


class MadeCall(NamedTuple):
    """A tool call that the model made. ``round`` is the number of the model call that made it; ``outcome`` as in the event,
    empty where the turn ended before there was one."""

    call_id: str
    name: str
    arguments: str
    round: int
    outcome: str = ""

    @property
    def key(self) -> str:
        """What makes two calls the same: name and arguments, whatever their spacing, case and order."""
        try:
            arguments = json.dumps(json.loads(self.arguments), sort_keys=True)
        except (ValueError, TypeError, RecursionError):
            arguments = str(self.arguments)
        return f"{self.name} {' '.join(arguments.casefold().split())}"


def calls(events: Sequence[Event]) -> list[MadeCall]:
    """Return the tool calls in order. Arguments are text: whatever a model wrote is kept as it is."""
    outcomes = {event.call_id: event.outcome for event in events if isinstance(event, ToolCallFinished)}
    made: list[MadeCall] = []
    number = 0
    for event in events:
        if isinstance(event, ModelCallFinished):
            number = event.number
        elif isinstance(event, ToolCallStarted):
            outcome = outcomes.get(event.call_id, "")
            made.append(MadeCall(event.call_id, event.name, event.arguments, number, outcome))
    return made


def searches(events: Sequence[Event]) -> list[SearchFinished]:
    return [event for event in events if isinstance(event, SearchFinished)]


def rewrites(events: Sequence[Event]) -> list[QueryRewritten]:
    return [event for event in events if isinstance(event, QueryRewritten)]


def limit_reached(events: Sequence[Event]) -> LimitReached | None:
    return next((event for event in events if isinstance(event, LimitReached)), None)


def words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
