"""The jobs at work in this process: how far each is, and whether it is to stop. What every runner of jobs needs."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from workbench.domain.jobs import JobInterrupted, JobProgress
from workbench.services.ports import Progress


class _Work:
    """One attempt at work."""

    def __init__(self) -> None:
        self.progress: JobProgress | None = None
        self.stopped = False


class AtWork:
    """Keeps track of running attempts. An attempt never runs beside an earlier one of the same job."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._work: dict[str, _Work] = {}
        self._closing = False

    @contextmanager
    def working(self, job_id: str) -> Iterator[None]:
        """Count a job as at work for the block, once an earlier attempt has ended.

        Raises JobInterrupted where no more work is begun.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closing or job_id not in self._work)
            if self._closing:
                raise JobInterrupted
            self._work[job_id] = _Work()
        try:
            yield
        finally:
            with self._changed:
                del self._work[job_id]
                self._changed.notify_all()

    def report(self, job_id: str, step: str) -> Progress:
        """Return what a step calls to say how far it is; it raises JobInterrupted where the step is to stop."""
        work = self._work[job_id]

        def report(done: int, total: int) -> None:
            if work.stopped or self._closing:
                raise JobInterrupted
            work.progress = JobProgress(step=step, done=done, total=total)

        report(0, 0)
        return report

    def progress(self, job_id: str) -> JobProgress | None:
        work = self._work.get(job_id)
        return work.progress if work is not None else None

    def stop(self, job_id: str) -> None:
        """Let the running attempt of a job end at its next report; a later attempt is not concerned."""
        with self._changed:
            if job_id in self._work:
                self._work[job_id].stopped = True

    def close(self, timeout: float) -> bool:
        """Begin nothing more and wait for what is at work to stop; tell whether it did in time."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: not self._work, timeout)

    def changed(self) -> None:
        """Wake those who wait, because a job has ended that was not at work."""
        with self._changed:
            self._changed.notify_all()

    def wait_for(self, predicate: Callable[[], bool], timeout: float | None) -> bool:
        """Wait until ``predicate`` holds, looked at whenever a job ends."""
        with self._changed:
            return self._changed.wait_for(predicate, timeout)

    @property
    def closing(self) -> bool:
        return self._closing

    @property
    def jobs(self) -> frozenset[str]:
        with self._changed:
            return frozenset(self._work)

    def __contains__(self, job_id: str) -> bool:
        return job_id in self._work
