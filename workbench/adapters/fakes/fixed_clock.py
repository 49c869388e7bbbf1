"""A clock that stands still until it is told to move."""

from datetime import UTC, datetime, timedelta


class FixedClock:
    """A :class:`~workbench.services.ports.Clock` for tests and replays. ``now`` must carry its zone."""

    def __init__(self, now: datetime = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)) -> None:
        if now.tzinfo is None:
            raise ValueError("A clock shows the time of a zone.")
        self._now = now
        self._seconds = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._seconds

    def advance(self, seconds: float) -> None:
        """Move on by ``seconds``, which may not be negative."""
        if seconds < 0:
            raise ValueError("A clock never runs backwards.")
        self._now += timedelta(seconds=seconds)
        self._seconds += seconds
