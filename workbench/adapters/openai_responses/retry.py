"""When a failed attempt is made again, and after how long.

The SDK's own retries are off: they know nothing of errors that arrive inside a stream, and they ask again where the account
is out of credit. A repeated request may leave a stored response whose id nobody learned; that is why retries are few.
"""

import random
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock

from workbench.adapters.openai_responses.errors import Failure, Kind

_RETRIED_STATUS = frozenset({408, 409, 429})
_RETRIED_CODES = frozenset({"rate_limit_exceeded", "server_error"})
_REMEMBERED = 1000


@dataclass(frozen=True)
class RetryPolicy:
    """How patient a model is; every time is in seconds.

    ``longest_wait`` bounds a provider's Retry-After: a longer one is reported instead of waited for.
    ``history_patience`` is for providers that need some time until a streamed response can be continued (Azure, up to half a
    minute): within it, a response younger than ``young`` is asked for again before it counts as expired. ``wait`` waits for
    an event, for at most so many seconds.
    """

    retries: int = 3
    first_delay: float = 0.5
    longest_delay: float = 8.0
    longest_wait: float = 30.0
    history_patience: float = 40.0
    young: float = 300.0
    monotonic: Callable[[], float] = time.monotonic
    wait: Callable[[Event, float], bool] = Event.wait


class Retries:
    """The retries of one request. ``parent_age`` is that of the response it continues, None where unknown or none."""

    def __init__(self, policy: RetryPolicy, parent_age: float | None) -> None:
        self._policy = policy
        self._made = 0
        self._waited_for_history = 0.0
        self._parent_is_young = parent_age is not None and parent_age < policy.young

    def delay(self, failure: Failure) -> float | None:
        """Return how long to wait before the next attempt, or None where there is to be none."""
        if failure.history_unknown:
            return self._history_delay()
        if self._made >= self._policy.retries or not is_passing(failure):
            return None
        if failure.retry_after is not None and failure.retry_after > self._policy.longest_wait:
            return None
        self._made += 1
        return self._backoff(self._made) if failure.retry_after is None else failure.retry_after

    def _history_delay(self) -> float | None:
        left = self._policy.history_patience - self._waited_for_history
        if not self._parent_is_young or left <= 0:
            return None
        self._made += 1
        delay = min(self._backoff(self._made), left)
        self._waited_for_history += delay
        return delay

    def _backoff(self, attempt: int) -> float:
        ceiling = min(self._policy.longest_delay, self._policy.first_delay * 2.0 ** (attempt - 1))
        return ceiling * random.uniform(0.75, 1.0)


def is_passing(failure: Failure) -> bool:
    """Tell whether the same request may well succeed a little later."""
    if failure.code == "insufficient_quota":
        return False
    if failure.kind in (Kind.CONNECT, Kind.CUT):
        return True
    if failure.kind is Kind.STREAM:
        return failure.code in _RETRIED_CODES
    return failure.kind is Kind.STATUS and (failure.status in _RETRIED_STATUS or failure.status >= 500)


class RecentResponses:
    """When the responses of this process were completed, the last thousand of them. Safe to use from several threads."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._completed: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def add(self, response_id: str) -> None:
        with self._lock:
            self._completed[response_id] = self._monotonic()
            while len(self._completed) > _REMEMBERED:
                self._completed.popitem(last=False)

    def age(self, response_id: str | None) -> float | None:
        """Return the age in seconds, or None for a response of another process or of long ago."""
        with self._lock:
            completed = self._completed.get(response_id or "")
        return None if completed is None else self._monotonic() - completed
