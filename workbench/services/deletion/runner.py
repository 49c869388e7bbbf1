"""The runner: works at open receipts in the background, and again later at those that are left with something to do."""

import heapq
import itertools
import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Protocol

from workbench.domain.deletions import Receipt, wait_after
from workbench.domain.ids import ReceiptId
from workbench.services.ports import Clock

log = logging.getLogger(__name__)


class Runner(Protocol):
    """Runs attempts. What is left open when it ends is taken up at the next start: receipts are the queue that lasts."""

    def submit(self, receipt_id: ReceiptId) -> None:
        """Have an attempt made as soon as possible."""
        ...

    def wait(self, receipt_id: ReceiptId, seconds: float) -> bool:
        """Wait until the attempts asked for have been made; tell whether they have."""
        ...

    def close(self) -> None: ...


class BackgroundRunner:
    """A few daemon threads. ``work`` makes one attempt at a receipt and returns it."""

    def __init__(self, work: Callable[[ReceiptId], Receipt], clock: Clock, threads: int = 2) -> None:
        self._work = work
        self._clock = clock
        self._changed = threading.Condition()
        self._due: list[tuple[float, int, ReceiptId]] = []
        self._numbers = itertools.count()
        self._asked: dict[ReceiptId, int] = {}
        self._closing = False
        self._threads = [
            threading.Thread(target=self._run, name=f"deletion-{number}", daemon=True)
            for number in range(1, threads + 1)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, receipt_id: ReceiptId) -> None:
        with self._changed:
            self._asked[receipt_id] = self._asked.get(receipt_id, 0) + 1
            self._put(receipt_id, timedelta())

    def wait(self, receipt_id: ReceiptId, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: receipt_id not in self._asked, seconds)

    def close(self, timeout: float = 30.0) -> None:
        """Begin no further attempt and wait for those under way, at most ``timeout`` seconds."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout)

    def _put(self, receipt_id: ReceiptId, delay: timedelta) -> None:
        heapq.heappush(self._due, (self._clock.monotonic() + delay.total_seconds(), next(self._numbers), receipt_id))
        self._changed.notify_all()

    def _run(self) -> None:
        while (receipt_id := self._next()) is not None:
            delay = self._attempt(receipt_id)
            with self._changed:
                self._asked.pop(receipt_id, None)
                self._changed.notify_all()
                if delay is not None:
                    self._put(receipt_id, delay)

    def _next(self) -> ReceiptId | None:
        """Wait for the receipt that is due first; return None at the end."""
        with self._changed:
            while not self._closing:
                seconds = self._due[0][0] - self._clock.monotonic() if self._due else None
                if seconds is not None and seconds <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(seconds)
        return None

    def _attempt(self, receipt_id: ReceiptId) -> timedelta | None:
        """Make one attempt; return how long to wait for the next one, None where none is needed."""
        try:
            receipt = self._work(receipt_id)
        except Exception:
            # Not even the receipt could be written (a full disk, say). It stays as it was, and is tried again.
            log.exception("the attempt at deletion %s broke off", receipt_id)
            return wait_after(1)
        return None if receipt.next_try_at is None else receipt.next_try_at - self._clock.now()
