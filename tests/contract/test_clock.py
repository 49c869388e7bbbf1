"""The contract of Clock, for every implementation."""

from datetime import UTC, datetime, timedelta

import pytest

from workbench.adapters.clock import SystemClock
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.services.ports import Clock


@pytest.fixture(params=[SystemClock, FixedClock])
def clock(request: pytest.FixtureRequest) -> Clock:
    made: Clock = request.param()
    return made


def test_the_time_has_its_zone(clock: Clock) -> None:
    assert clock.now().utcoffset() is not None


def test_seconds_never_run_backwards(clock: Clock) -> None:
    readings = [clock.monotonic() for _ in range(100)]

    assert readings == sorted(readings)


def test_a_system_clock_shows_the_time() -> None:
    before = datetime.now(UTC)

    assert before <= SystemClock().now() <= before + timedelta(minutes=1)


def test_a_fixed_clock_moves_when_told() -> None:
    clock = FixedClock(datetime(2026, 12, 31, 23, 59, tzinfo=UTC))

    clock.advance(90.5)

    assert clock.now() == datetime(2027, 1, 1, 0, 0, 30, 500_000, tzinfo=UTC)
    assert clock.monotonic() == 90.5
    with pytest.raises(ValueError, match="backwards"):
        clock.advance(-1)
    with pytest.raises(ValueError, match="zone"):
        FixedClock(datetime(2026, 1, 1))  # noqa: DTZ001 - that is the point
