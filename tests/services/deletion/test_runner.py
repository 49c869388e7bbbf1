"""The background: attempts at once, and later ones when their time has come."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.services.deletion.conftest import NOON
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.domain.deletions import Receipt
from workbench.domain.ids import ReceiptId, UserId
from workbench.services.deletion.runner import BackgroundRunner

pytestmark = pytest.mark.req("CHAT-2", "CHAT-3")

ONE, TWO = ReceiptId("rcpt_1"), ReceiptId("rcpt_2")


def receipt(receipt_id: ReceiptId, again_in: float | None = None) -> Receipt:
    after = None if again_in is None else FixedClock().now() + timedelta(seconds=again_in)
    return Receipt(
        id=receipt_id,
        kind="document",
        subject="doc",
        name="a",
        asked_by=UserId("ana"),
        asked_at=NOON,
        next_try_at=after,
    )


class Attempted:
    """Work that notes what was attempted; ``outcomes`` are the waits, or errors, of the attempts in turn."""

    def __init__(self, *outcomes: float | Exception | None) -> None:
        self._outcomes = list(outcomes)
        self._changed = threading.Condition()
        self.made: list[ReceiptId] = []

    def __call__(self, receipt_id: ReceiptId) -> Receipt:
        with self._changed:
            self.made.append(receipt_id)
            self._changed.notify_all()
            outcome = self._outcomes.pop(0) if self._outcomes else None
        if isinstance(outcome, Exception):
            raise outcome
        return receipt(receipt_id, outcome)

    def comes_to(self, number: int) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: len(self.made) >= number, 10)


def running(work: Callable[[ReceiptId], Receipt]) -> BackgroundRunner:
    return BackgroundRunner(work, FixedClock())


def test_what_is_asked_for_is_attempted_at_once_and_can_be_waited_for() -> None:
    work = Attempted()
    runner = running(work)
    runner.submit(ONE)
    runner.submit(TWO)
    assert runner.wait(ONE, 10)
    assert runner.wait(TWO, 10)
    assert sorted(work.made) == [ONE, TWO]
    runner.close()


def test_what_is_left_open_is_attempted_again_when_its_time_has_come() -> None:
    work = Attempted(0.0, 0.0, None)
    runner = running(work)
    runner.submit(ONE)
    assert work.comes_to(3)
    runner.close()
    assert work.made == [ONE] * 3


def test_what_has_time_is_not_attempted_yet() -> None:
    work = Attempted(3600.0)
    runner = running(work)
    runner.submit(ONE)
    assert runner.wait(ONE, 10)
    runner.submit(TWO)
    assert runner.wait(TWO, 10)
    runner.close()
    assert work.made == [ONE, TWO]


def test_an_attempt_that_breaks_off_ends_no_other(caplog: pytest.LogCaptureFixture) -> None:
    work = Attempted(OSError(28, "No space left on device"))
    runner = running(work)
    runner.submit(ONE)
    assert runner.wait(ONE, 10)
    runner.submit(TWO)
    assert runner.wait(TWO, 10)
    runner.close()
    assert "rcpt_1 broke off" in caplog.text


def test_closing_waits_for_the_attempt_under_way_and_begins_no_other() -> None:
    begun, go_on, ended = threading.Event(), threading.Event(), []

    def work(receipt_id: ReceiptId) -> Receipt:
        begun.set()
        go_on.wait(10)
        ended.append(receipt_id)
        return receipt(receipt_id)

    runner = BackgroundRunner(work, FixedClock(), threads=1)
    runner.submit(ONE)
    assert begun.wait(10)
    runner.submit(TWO)
    closing = threading.Thread(target=runner.close)
    closing.start()
    go_on.set()
    closing.join(10)
    assert ended in ([ONE], [ONE, TWO])  # the second one only where it began before the closing did
    assert not runner.wait(TWO, 0) or ended == [ONE, TWO]
