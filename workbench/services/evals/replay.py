"""Replay: a stored turn once more, from what its model answered then, to see whether the same events come of it."""

from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

from workbench.domain.budgets import LimitName
from workbench.domain.conversations import Thread, Turn
from workbench.domain.errors import NotFound, ResponseIncomplete
from workbench.domain.events import EVENT, AnswerDelta, Event, LimitReached, TurnFinished, TurnStarted
from workbench.domain.ids import TurnId
from workbench.domain.items import ModelResponse
from workbench.domain.recordings import RecordedResponse, Recording
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access, build_scope
from workbench.services.agent.loop import TurnRun, TurnSetup
from workbench.services.agent.page_labels import page_labels
from workbench.services.conversations import Conversations
from workbench.services.evals.prepare import as_asked
from workbench.services.ports import (
    Clock,
    ConversationStore,
    LibraryStore,
    ModelEvent,
    ModelRequest,
    ResponseFinished,
    ResponseStarted,
    TextDelta,
)
from workbench.services.retrieval.ledger import Ledger
from workbench.services.tools.registry import ToolRegistry

TIMES = frozenset({"seq", "at", "seconds"})
"""Keys of events that hold times, or count pieces of text that may be cut elsewhere."""
_FROM_OUTSIDE = frozenset({TurnStatus.STOPPED, TurnStatus.INTERRUPTED})
"""Turns that something outside ended: like those that ran out of time, they are compared as far as they came."""


class Difference(NamedTuple):
    """The first place where a replay goes another way. ``number`` counts events from 1, without pieces of one text.

    ``then`` and ``now`` are the values at ``path``; None where there was no such event, or no such value.
    """

    number: int
    kind: str
    path: str
    then: Any
    now: Any

    @property
    def text(self) -> str:
        where = f" at {self.path}" if self.path else ""
        return (
            f"Event {self.number} ({self.kind}) differs{where}: it was {_short(self.then)}, it is {_short(self.now)}."
        )


class Replayed(NamedTuple):
    """A replay: ``events`` that it gave, how many were ``compared``, and the first difference, None where there is none."""

    turn_id: TurnId
    events: tuple[Event, ...]
    compared: int
    difference: Difference | None

    @property
    def same(self) -> bool:
        return self.difference is None


class Replay:
    """The use case of replaying. ``tools`` makes the tools for a clock, which shows the time of the turn."""

    def __init__(
        self,
        conversations: Conversations,
        store: ConversationStore,
        library: LibraryStore,
        tools: Callable[[Clock], ToolRegistry],
    ) -> None:
        self._conversations = conversations
        self._store = store
        self._library = library
        self._tools = tools

    def run(self, access: Access, turn_id: TurnId) -> Replayed:
        """Replay a turn over the library of today. Nothing is stored, and no model is asked.

        Raises NotFound where the turn is not the user's, or what its model answered was not kept, ScopeError where the user
        may no longer see what was searched then.
        """
        access = as_asked(access, self._conversations, turn_id)
        turn = self._conversations.turn(access, turn_id)
        stored = self._store.events(turn.id)
        recording = self._store.recording(turn.id)
        started = stored[0] if stored else None
        if recording is None or not isinstance(started, TurnStarted) or not isinstance(stored[-1], TurnFinished):
            raise NotFound(
                f"What the model answered in the turn {turn_id} was not kept, so it cannot be replayed.",
                "Turns that ended with this version of Pincite can be.",
            )
        if not recording.whole:
            raise NotFound(f"What the model answered in the turn {turn_id} was too much to be kept whole.")
        events = tuple(self._events(access, turn, started, recording))
        return Replayed(turn.id, events, *_compared(turn, stored, events))

    def _events(self, access: Access, turn: Turn, started: TurnStarted, recording: Recording) -> Iterator[Event]:
        clock = _TurnClock(turn.started_at)
        model = _RecordedModel(turn, recording, clock)
        setup = TurnSetup(
            turn_id=turn.id,
            conversation_id=turn.conversation_id,
            question=started.question,
            scope=build_scope(access, turn.containers, turn.filters),
            containers=started.containers,
            filters=turn.filters,
            profile=started.profile,
            limits=started.limits,
            effort="",
            instructions="",
            prompt_version=started.prompt_version,
            thread=Thread(),
            history=(),
        )
        ledger = Ledger(started.limits.chunks, page_labels(self._library))
        stopped = turn.status is TurnStatus.STOPPED
        toolbelt = self._tools(clock).toolbelt()
        run = TurnRun(setup, model, toolbelt, ledger, clock, lambda: stopped and model.broken_off)
        for number, event in enumerate(run.events(), 1):
            yield event.stamped(number, clock.monotonic())


class _TurnClock:
    """Shows the time of the turn; it moves on by what each model call took then."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._seconds = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._seconds

    def advance(self, seconds: float) -> None:
        self._seconds += seconds


class _RecordedModel:
    """A model that answers what was recorded, whatever it is asked."""

    history: Literal["chain", "replay"] = "replay"

    def __init__(self, turn: Turn, recording: Recording, clock: _TurnClock) -> None:
        self.name = turn.model
        self.identity = turn.provider
        self.broken_off = False
        self._left = iter(recording.responses)
        self._clock = clock
        self._costs: dict[str, float | None] = {}

    def stream(self, request: ModelRequest) -> Generator[ModelEvent, None, None]:
        recorded = next(self._left, None)
        if recorded is None:
            raise ResponseIncomplete("The model was asked once more than it was then.")
        self._clock.advance(recorded.seconds)
        if recorded.response_id is not None:
            yield ResponseStarted(recorded.response_id)
        if recorded.text:
            yield TextDelta(recorded.text)
        yield from self._end(recorded)

    def cost(self, response: ModelResponse) -> float | None:
        return self._costs.get(response.id)

    def _end(self, recorded: RecordedResponse) -> Iterator[ModelEvent]:
        if recorded.error is not None:
            raise recorded.error.error
        if recorded.response is None:
            self.broken_off = True
            return
        self._costs[recorded.response.id] = recorded.cost
        yield ResponseFinished(recorded.response)


def _compared(turn: Turn, stored: Sequence[Event], replayed: Sequence[Event]) -> tuple[int, Difference | None]:
    then, now = _steps(stored), _steps(replayed)
    if turn.status in _FROM_OUTSIDE or _out_of_time(stored):
        then = _as_far_as_it_came(then)
        now = now[: len(then)]
    for number, (before, after) in enumerate(zip_longest(then, now), 1):
        found = _first_difference(before, after)
        if found is not None:
            kind = str((before or after or {}).get("kind", ""))
            return number, Difference(number, kind, *found)
    return len(then), None


def _out_of_time(events: Sequence[Event]) -> bool:
    return any(isinstance(event, LimitReached) and event.limit is LimitName.SECONDS for event in events)


def _as_far_as_it_came(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave the end out, and the text before it: more of it had been streamed than was written when the turn was ended."""
    ends = ("limit_reached", "turn_finished")
    kept = steps[: next(place for place, step in enumerate(steps) if step["kind"] in ends)]
    return kept[:-1] if kept and kept[-1]["kind"] == "answer_delta" else kept


def _steps(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return the events as plain values without their times, the pieces of one text joined."""
    steps: list[dict[str, Any]] = []
    for event in events:
        values = _timeless(EVENT.dump_python(event, mode="json"))
        if isinstance(event, AnswerDelta) and steps and steps[-1]["kind"] == event.kind:
            for key in ("text", "mentions", "citations"):
                steps[-1][key] += values[key]
        else:
            steps.append(values)
    return steps


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(held) for key, held in value.items() if key not in TIMES}
    return [_timeless(held) for held in value] if isinstance(value, list) else value


def _first_difference(then: Any, now: Any, path: str = "") -> tuple[str, Any, Any] | None:
    if isinstance(then, dict) and isinstance(now, dict):
        pairs = [(f"{path}.{key}".lstrip("."), then.get(key), now.get(key)) for key in {**then, **now}]
    elif isinstance(then, list) and isinstance(now, list):
        pairs = [(f"{path}[{place}]", *both) for place, both in enumerate(zip_longest(then, now))]
    else:
        return None if then == now else (path, then, now)
    found = (_first_difference(before, after, where) for where, before, after in pairs)
    return next((each for each in found if each is not None), None)


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    text = value.get("kind", "") if isinstance(value, dict) and "kind" in value else str(value)
    return repr(text if len(text) <= 120 else text[:119] + "…")
