"""Collecting what a guest prints and answers, within its limits of time and output."""

import queue
import time
from collections.abc import Callable
from typing import NamedTuple

from workbench.adapters.sandbox.answer import answer_bytes
from workbench.adapters.sandbox.guest_process import Chunk, GuestProcess
from workbench.domain.calculations import RunLimits, RunOutcome
from workbench.domain.errors import SandboxUnavailable

POLL = 0.1
"""Seconds between two looks at whether the run is to go on."""
PRINTED, ANSWER, DONE, CLOSED = b"O", b"E", b"D", b""


class Collected(NamedTuple):
    """``stopped`` says which limit was reached, None where the guest came to its own end; ``last`` is what ended it."""

    printed: bytes
    answer: bytes
    stopped: RunOutcome | None
    last: Chunk


def collect(
    guest: GuestProcess, limits: RunLimits, closings: int = 1, stop: Callable[[], bool] = lambda: False
) -> Collected:
    """Take chunks until the guest is done, or gone (``closings`` streams of it closed), or over a limit, or stopped."""
    printed, answer = bytearray(), bytearray()
    end = time.monotonic() + limits.seconds
    while True:
        try:
            kind, data = guest.chunks.get(timeout=min(max(end - time.monotonic(), 0.001), POLL))
        except queue.Empty:
            ended = RunOutcome.STOPPED if stop() else RunOutcome.TIMEOUT if time.monotonic() >= end else None
            if ended is None:
                continue
            return Collected(bytes(printed), bytes(answer), ended, (CLOSED, b""))
        if kind == PRINTED:
            printed += data
        elif kind == ANSWER:
            answer += data
        elif kind == CLOSED and closings > 1:
            closings -= 1
            continue
        else:
            return Collected(bytes(printed), bytes(answer), None, (kind, data))
        # The harness stops the code at the limit; one that writes past it is ended from here.
        stopped = _over(len(printed), len(answer), time.monotonic() > end, limits)
        stopped = stopped or (RunOutcome.STOPPED if stop() else None)
        if stopped is not None:
            return Collected(bytes(printed), bytes(answer), stopped, (kind, b""))


def never_began() -> SandboxUnavailable:
    """Return the error of a run whose turn ended while it waited for its place."""
    return SandboxUnavailable("The turn ended before the code could run.", "Ask again.")


def _over(printed: int, answer: int, late: bool, limits: RunLimits) -> RunOutcome | None:
    if printed > limits.output_bytes + 65_536 or answer > answer_bytes(limits):
        return RunOutcome.OUTPUT
    return RunOutcome.TIMEOUT if late else None
