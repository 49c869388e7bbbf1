"""The machine's clock."""

import time
from datetime import datetime


class SystemClock:
    """A :class:`~workbench.services.ports.Clock` in the machine's own time zone."""

    def now(self) -> datetime:
        return datetime.now().astimezone()

    def monotonic(self) -> float:
        return time.monotonic()
