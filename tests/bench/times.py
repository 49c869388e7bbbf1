"""Times of several ways to do the same, taken in turns, so that whatever else the machine does hits all of them alike."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Times(NamedTuple):
    """Milliseconds of a call."""

    median: float
    p95: float

    def __str__(self) -> str:
        return f"{self.median:.1f} ms (p95 {self.p95:.1f})"


def in_turns(ways: Mapping[str, Callable[[str], object]], queries: Sequence[str], rounds: int) -> dict[str, Times]:
    """Call every way with every query, ``rounds`` times, after one round to warm up; each second time in reverse order."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        order = list(ways.items())[:: -1 if number % 2 else 1]
        for query in queries:
            for name, call in order:
                started = time.perf_counter()
                call(query)
                if number:
                    taken[name].append((time.perf_counter() - started) * 1000)
    return {
        name: Times(statistics.median(each), statistics.quantiles(each, n=20, method="inclusive")[-1])
        for name, each in taken.items()
    }
