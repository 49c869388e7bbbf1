"""A running turn as a job: a thread produces its events, any number of followers read them."""

import threading
from collections.abc import Callable, Iterator

from workbench.domain.events import AnswerDelta, Event, ModelCallFinished, SearchFinished, SourcesGathered
from workbench.domain.ids import TurnId

HEARTBEAT = 0.5
"""Seconds after which a follower hears that nothing new has happened, so that it can notice that nobody is watching."""


_FOLLOWED = (AnswerDelta, SearchFinished, SourcesGathered, ModelCallFinished)
"""Events that never are the last for long."""


class TurnJob:
    """The live events of one turn. ``stop`` asks it to end; ``stopping`` tells the turn whether it was asked."""

    def __init__(self, turn_id: TurnId) -> None:
        self.turn_id = turn_id
        self._events: list[Event] = []
        self._ended = False
        self._changed = threading.Condition()
        self._stop = threading.Event()

    def stop(self) -> None:
        self._stop.set()

    def stopping(self) -> bool:
        return self._stop.is_set()

    @property
    def ended(self) -> bool:
        return self._ended

    def publish(self, event: Event) -> None:
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def end(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def follow(self, after: int = 0) -> Iterator[Event | None]:
        """Yield the events with ``seq`` over ``after`` as they come, and None as a heartbeat; end when the turn has."""
        position = 0
        while True:
            with self._changed:
                if position >= len(self._events) and not self._ended:
                    self._changed.wait(HEARTBEAT)
                news, ended = self._events[position:], self._ended
            position += len(news)
            yield from (event for event in news if event.seq > after)
            if ended and position >= len(self._events):
                return
            if not news:
                yield None


class Recorder:
    """Stamps events with their number and time and hands them on in portions: text deltas wait for company."""

    PORTION = 25

    def __init__(self, append: Callable[[list[Event]], None], seconds: Callable[[], float]) -> None:
        self._append = append
        self._seconds = seconds
        self._seq = 0
        self._waiting: list[Event] = []

    def record(self, event: Event) -> Event:
        """Stamp the event; store it now, or soon where it is the next piece of text or another event follows at once."""
        self._seq += 1
        stamped: Event = event.stamped(self._seq, self._seconds())
        self._waiting.append(stamped)
        if not isinstance(event, _FOLLOWED) or len(self._waiting) >= self.PORTION:
            self.flush()
        return stamped

    def flush(self) -> None:
        if self._waiting:
            self._append(self._waiting)
            self._waiting = []
