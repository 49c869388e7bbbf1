"""Waiting that can be called off: what blocks runs in a thread of its own, and whoever waits for it looks up in between.

A model may say nothing for minutes, and a search may stand at a slow embedding. The turn must end within a second all the
same when the user presses Stop or its time is over. So the turn's own thread never blocks for longer than :data:`POLL`.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Condition
from typing import Generic, TypeVar

from workbench.services.ports import Interruptible

POLL = 0.1
"""Seconds between two looks at whether to go on."""
_AHEAD = 1
"""How many items are read before they are wanted: few, so that nothing goes on long behind a turn that has ended."""

T = TypeVar("T")
Halted = Callable[[], Exception | None]
"""Returns the reason why there is to be no further waiting, or None."""


class Pump(Generic[T]):
    """Reads a stream in a thread and hands its items on as they come.

    ``start`` makes the stream, in that thread. The thread ends with the stream; after ``close`` it ends as soon as the stream
    lets it, which is at once where the stream is :class:`~workbench.services.ports.Interruptible`.
    """

    def __init__(self, start: Callable[[], Iterator[T]], halted: Halted) -> None:
        self._start = start
        self._halted = halted
        self._items: deque[T] = deque()
        self._changed = Condition()
        self._closed = False
        self._stream: Iterator[T] | None = None
        executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._reading = executor.submit(self._read)
        self._reading.add_done_callback(lambda _: self._wake())
        executor.shutdown(wait=False)

    def items(self) -> Generator[T]:
        """Yield the items. Raises what the stream raised, or what ``halted`` returned.

        What had come when a halt was noticed is still yielded: it may hold the id of something stored at the provider.
        """
        try:
            while not self._is_over():
                yield from self._received()
                halt = self._halted()
                if halt is not None:
                    self.close()
                    yield from self._received()
                    raise halt
            self._reading.result()
        finally:
            self.close()

    def close(self) -> None:
        """End the stream without waiting for it. Safe from any thread, more than once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            stream = self._stream
        if isinstance(stream, Interruptible):
            stream.interrupt()

    def _is_over(self) -> bool:
        """Wait a little for news; tell whether there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._items or self._reading.done(), POLL)
            return self._reading.done() and not self._items

    def _received(self) -> Iterator[T]:
        while self._items:
            item = self._items.popleft()
            self._wake()
            yield item

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _read(self) -> None:
        stream = self._start()
        with self._changed:
            self._stream = stream
        # Closed in the thread that runs it: a generator cannot be closed from another one while it runs.
        try:
            while not self._closed and (item := next(stream, None)) is not None:
                self._give(item)
        finally:
            if isinstance(stream, Generator):
                stream.close()

    def _give(self, item: T) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._items) < _AHEAD)
            self._items.append(item)
            self._changed.notify_all()


def outcome(future: Future[T], halted: Halted) -> T:
    """Wait for a future and return its result. Raises what it raised, or what ``halted`` returned."""
    while True:
        halt = halted()
        if halt is not None:
            future.cancel()
            raise halt
        if wait([future], timeout=POLL).done:
            return future.result()
