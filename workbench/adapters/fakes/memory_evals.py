"""A store of evaluation runs in memory."""

import threading

from workbench.domain.evals import EvalLog
from workbench.domain.ids import RunId


class MemoryEvalStore:
    """An :class:`~workbench.services.ports.EvalStore` that ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[RunId, EvalLog] = {}

    def save_run(self, log: EvalLog) -> None:
        with self._lock:
            self._runs[log.id] = log

    def run(self, run_id: RunId) -> EvalLog | None:
        return self._runs.get(run_id)

    def runs(self, suite: str | None = None, limit: int = 100) -> list[EvalLog]:
        with self._lock:
            found = [log for log in self._runs.values() if suite in (None, log.suite)]
        return sorted(found, key=lambda log: (-log.started_at.timestamp(), log.id))[:limit]

    def delete_run(self, run_id: RunId) -> None:
        with self._lock:
            self._runs.pop(run_id, None)
