"""The answer of a guest is data: however it is made up, it becomes a result or none."""

import json
from pathlib import Path

import pytest

from workbench.adapters.sandbox.answer import plain, result
from workbench.adapters.sandbox.folder import RunFolder
from workbench.domain.calculations import LimitHit, RunLimits, RunOutcome

FOLDER = RunFolder(Path("run"), "f00d", ())
LIMITS = RunLimits(output_bytes=1000, result_bytes=1000, result_rows=2)


def _answer(**parts: object) -> bytes:
    return b"noise\n" + FOLDER.nonce.encode() + json.dumps(parts).encode()


def test_an_answer_becomes_a_result() -> None:
    given = result(b"hello\n", _answer(outcome="ok", value="2", tables=[], clipped=True), FOLDER, LIMITS, 0.5)

    assert (given.outcome, given.value, given.printed, given.seconds) == (RunOutcome.OK, "2", "hello\n", 0.5)
    assert given.limits_hit == (LimitHit.RESULT,)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b'{"outcome": "ok"}',
        b"f00d{",
        b"f00d[]",
        b"f00d" + b"[" * 200_000,
        b'f00d{"outcome": "well"}',
        b'f00d{"outcome": "ok", "tables": [{"name": 1}]}',
        b'f00d{"outcome": "error", "error": null}',
        b'f00d{"outcome": "ok", "value": 5}',
    ],
)
def test_what_is_no_answer_is_a_crash(answer: bytes) -> None:
    given = result(b"", answer, FOLDER, LIMITS, 0.1)

    assert (given.outcome, given.value) == (RunOutcome.CRASH, None)
    assert given.error is not None


def test_an_answer_cannot_exceed_its_limits() -> None:
    table = {"name": "", "columns": ["x"], "kinds": ["text"], "rows": [["1"]] * 9, "total_rows": 9}

    given = result(
        b"p" * 5000, _answer(outcome="ok", value="v" * 5000, tables=[table], clipped=False), FOLDER, LIMITS, 0.1
    )

    assert (len(given.printed), len(given.value or ""), len(given.tables[0].rows)) == (1000, 1000, 2)
    assert given.tables[0].total_rows == 9


def test_a_run_that_was_stopped_says_why_whatever_it_answered() -> None:
    given = result(b"so far", _answer(outcome="ok", value="2"), FOLDER, LIMITS, 0.1, RunOutcome.TIMEOUT)

    assert (given.outcome, given.value, given.printed) == (RunOutcome.TIMEOUT, None, "so far")
    assert given.limits_hit == (LimitHit.TIME,)
    assert given.error is not None
    assert "10 seconds" in given.error.message


def test_text_is_made_fit_for_screens_and_databases() -> None:
    assert plain("a\x00b\x1b[2J\ud800c\td\n") == "a\ufffdb\ufffd[2J?c\td\n"
