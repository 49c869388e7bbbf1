"""What a guest wrote, read as data: nothing of it is believed but that the code said so."""

import json
from typing import Any

from pydantic import ValidationError

from workbench.adapters.sandbox.folder import RunFolder
from workbench.domain.calculations import LimitHit, ResultTable, RunError, RunLimits, RunOutcome, SandboxResult

_LIMIT = {
    RunOutcome.TIMEOUT: LimitHit.TIME,
    RunOutcome.MEMORY: LimitHit.MEMORY,
    RunOutcome.OUTPUT: LimitHit.OUTPUT,
}
_SEEN_CONTROLS = "\n\t"


def answer_bytes(limits: RunLimits) -> int:
    """How much a guest may write as its answer: ASCII escapes make a character up to twelve bytes."""
    return 12 * 3 * limits.result_bytes + 100_000


def result(
    printed: bytes,
    answer: bytes,
    folder: RunFolder,
    limits: RunLimits,
    seconds: float,
    stopped: RunOutcome | None = None,
) -> SandboxResult:
    """Make the result of a run. ``stopped`` says why it was ended from outside, where it was."""
    found = None if stopped else _parsed(answer, folder.nonce)
    try:
        return _result(printed, found, folder, limits, seconds, stopped or RunOutcome.CRASH)
    except (ValidationError, KeyError, TypeError, ValueError, RecursionError, AttributeError):
        # The code wrote an answer of its own making: it gets none.
        return _result(printed, None, folder, limits, seconds, RunOutcome.CRASH)


def plain(text: str) -> str:
    """Return ``text`` without control characters and lone surrogates, which neither screens nor databases take."""
    text = text.encode("utf-8", "replace").decode()
    return "".join(c if c in _SEEN_CONTROLS or (c >= " " and c != "\x7f") else "\ufffd" for c in text)


def _parsed(answer: bytes, nonce: str) -> dict[str, Any] | None:
    _, separator, rest = answer.rpartition(nonce.encode())
    if not separator:
        return None
    try:
        found = json.loads(rest)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _result(
    printed: bytes,
    found: dict[str, Any] | None,
    folder: RunFolder,
    limits: RunLimits,
    seconds: float,
    ended: RunOutcome,
) -> SandboxResult:
    outcome = RunOutcome(found["outcome"]) if found else ended
    hit = {_LIMIT[outcome]} if outcome in _LIMIT else set()
    if found and found.get("clipped"):
        hit.add(LimitHit.RESULT)
    value = found.get("value") if found else None
    return SandboxResult(
        outcome=outcome,
        value=None if value is None else plain(value)[: limits.result_bytes],
        printed=plain(printed[: limits.output_bytes].decode("utf-8", "replace")),
        tables=tuple(_table(each, limits) for each in found.get("tables", ())) if found else (),
        error=_error(found) if found and "error" in found else _stopped(outcome, limits),
        seconds=round(seconds, 4),
        limits_hit=tuple(sorted(hit)),
        inputs=folder.hashes,
    )


def _table(found: dict[str, Any], limits: RunLimits) -> ResultTable:
    rows = found["rows"][: limits.result_rows]
    return ResultTable(
        name=plain(found["name"]),
        columns=tuple(plain(name) for name in found["columns"]),
        kinds=tuple(found["kinds"]),
        rows=tuple(tuple(None if cell is None else plain(cell) for cell in row) for row in rows),
        total_rows=found["total_rows"],
    )


def _error(found: dict[str, Any]) -> RunError:
    error = found["error"]
    return RunError(
        type=plain(error["type"]),
        message=plain(error["message"]),
        line=error["line"],
        traceback=plain(found.get("traceback", "")),
    )


def _stopped(outcome: RunOutcome, limits: RunLimits) -> RunError | None:
    words = {
        RunOutcome.TIMEOUT: ("TimeoutError", f"stopped after {limits.seconds:g} seconds"),
        RunOutcome.MEMORY: ("MemoryError", f"needed more than {limits.memory_mb} MB"),
        RunOutcome.OUTPUT: ("OutputLimit", f"printed more than {limits.output_bytes:,} bytes"),
        RunOutcome.STOPPED: ("Stopped", "stopped, because the turn ended"),
        RunOutcome.CRASH: ("SandboxCrashed", "the interpreter ended: too deep a recursion or nesting, or an exit"),
    }
    return RunError(type=words[outcome][0], message=words[outcome][1]) if outcome in words else None
