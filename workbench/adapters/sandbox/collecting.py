"""Collecting what a guest prints and answers, within its limits of time and output."""

import queue
import time
from typing import NamedTuple

from workbench.adapters.sandbox.answer import answer_bytes
from workbench.adapters.sandbox.guest_process import Chunk, GuestProcess
from workbench.domain.calculations import RunLimits, RunOutcome

PRINTED, ANSWER, DONE, CLOSED = b"O", b"E", b"D", b""


class Collected(NamedTuple):
    """``stopped`` says which limit was reached, None where the guest came to its own end; ``last`` is what ended it."""

    printed: bytes
    answer: bytes
    stopped: RunOutcome | None
    last: Chunk


def collect(guest: GuestProcess, limits: RunLimits, closings: int = 1) -> Collected:
    """Take chunks until the guest is done, or gone (``closings`` streams of it closed), or over a limit."""
    printed, answer = bytearray(), bytearray()
    end = time.monotonic() + limits.seconds
    while True:
        try:
            kind, data = guest.chunks.get(timeout=max(end - time.monotonic(), 0.001))
        except queue.Empty:
            return Collected(bytes(printed), bytes(answer), RunOutcome.TIMEOUT, (CLOSED, b""))
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
        if stopped is not None:
            return Collected(bytes(printed), bytes(answer), stopped, (kind, b""))


def _over(printed: int, answer: int, late: bool, limits: RunLimits) -> RunOutcome | None:
    if printed > limits.output_bytes + 65_536 or answer > answer_bytes(limits):
        return RunOutcome.OUTPUT
    return RunOutcome.TIMEOUT if late else None
