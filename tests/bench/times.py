"""Times of several ways to do the same, taken in turns, so that whatever else the machine does hits all of them alike."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Times(NamedTuple):
    """Milliseconds of a call by the clock; ``cpu`` is the median of processor time, which no other load lengthens."""

    median: float
    p95: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.median:.1f} ms (p95 {self.p95:.1f}, CPU {self.cpu:.1f})"

    def over(self, other: "Times") -> str:
        """Say how many times as long as ``other`` this takes."""
        return f"{self.median / other.median:.2f} times, {self.cpu / other.cpu:.2f} in CPU"


def in_turns(ways: Mapping[str, Callable[[str], object]], queries: Sequence[str], rounds: int) -> dict[str, Times]:
    """Call every way with every query, ``rounds`` times, after one round to warm up; each second time in reverse order."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        order = list(ways.items())[:: -1 if number % 2 else 1]
        for query in queries:
            for name, call in order:
                clock, cpu = time.perf_counter(), time.process_time()
                call(query)
                if number:
                    taken[name].append((time.perf_counter() - clock, time.process_time() - cpu))
    return {name: _times(each) for name, each in taken.items()}


def _times(taken: Sequence[tuple[float, float]]) -> Times:
    clock, cpu = ([1000 * each for each in column] for column in zip(*taken, strict=True))
    return Times(
        statistics.median(clock), statistics.quantiles(clock, n=20, method="inclusive")[-1], statistics.median(cpu)
    )
