"""Jobs that end with the process."""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.domain.errors import NotFound
from workbench.domain.jobs import JobInterrupted, JobProgress, JobState, JobStatus
from workbench.services.jobs import AtWork
from workbench.services.ports import Clock, JobStep

log = logging.getLogger(__name__)


@dataclass
class _Attempt:
    status: JobStatus
    finished: set[str] = field(default_factory=set)

    def change(self, **changes: Any) -> None:
        self.status = self.status.model_copy(update=changes)


class MemoryJobs:
    """A :class:`~workbench.services.ports.Jobs` on ``workers`` threads.

    One that is made after ``earlier`` was closed goes on with its jobs, as another process would.
    """

    def __init__(self, clock: Clock, workers: int = 2, earlier: "MemoryJobs | None" = None) -> None:
        self._clock = clock
        self._kinds: dict[str, tuple[JobStep, ...]] = {}
        self._attempts: list[_Attempt] = earlier._attempts if earlier is not None else []
        self._at_work = AtWork()
        self._lock = threading.RLock()
        self._queued = threading.Semaphore(0)
        self._closing = False
        self._threads = [
            threading.Thread(target=self._work, name=f"job-{number}", daemon=True) for number in range(1, workers + 1)
        ]

    def register(self, kind: str, steps: Sequence[JobStep]) -> None:
        self._kinds[kind] = tuple(steps)

    def resume(self) -> None:
        with self._lock:
            for attempt in self._attempts:
                if not attempt.status.state.ended:
                    attempt.change(state=JobState.QUEUED)
                    self._queued.release()
        for thread in self._threads:
            thread.start()

    def enqueue(self, kind: str, job_id: str, argument: str) -> None:
        if kind not in self._kinds:
            raise ValueError(f"no job of the kind {kind!r} is known")
        with self._lock:
            if self._newest(job_id) is None:
                self._add(JobStatus(job_id=job_id, kind=kind, argument=argument, **self._now_queued()))

    def retry(self, job_id: str) -> None:
        with self._lock:
            newest = self._newest(job_id)
            if newest is None:
                raise NotFound(f"There is no job {job_id}.")
            if newest.status.state.ended:
                held = newest.status
                self._add(
                    JobStatus(
                        job_id=job_id,
                        kind=held.kind,
                        argument=held.argument,
                        attempt=held.attempt + 1,
                        **self._now_queued(),
                    )
                )

    def cancel(self, job_id: str) -> None:
        with self._lock:
            newest = self._newest(job_id)
            if newest is not None and not newest.status.state.ended:
                newest.change(state=JobState.CANCELLED, ended_at=self._clock.now())
                self._at_work.stop(job_id)
        self._at_work.changed()

    def status(self, job_id: str) -> JobStatus | None:
        newest = self._newest(job_id)
        return newest.status if newest is not None else None

    def progress(self, job_id: str) -> JobProgress | None:
        return self._at_work.progress(job_id)

    def jobs(self, kind: str | None = None, job_id: str | None = None, limit: int = 100) -> list[JobStatus]:
        with self._lock:
            found = [
                attempt.status
                for attempt in reversed(self._attempts)
                if kind in (None, attempt.status.kind) and job_id in (None, attempt.status.job_id)
            ]
        return found[:limit]

    def wait(self, job_ids: Sequence[str], timeout: float | None = None) -> bool:
        def ended() -> bool:
            return not any(self._active(job_id) for job_id in job_ids)

        self._at_work.wait_for(lambda: self._at_work.closing or ended(), timeout)
        return ended()

    def forget(self, job_id: str) -> None:
        with self._lock:
            if not self._active(job_id):
                self._attempts[:] = [each for each in self._attempts if each.status.job_id != job_id]

    def close(self) -> None:
        self._closing = True
        for _ in self._threads:
            self._queued.release()
        if not self._at_work.close(timeout=30.0):
            log.warning("a job did not stop in time")

    def _add(self, status: JobStatus) -> None:
        self._attempts.append(_Attempt(status))
        self._queued.release()

    def _now_queued(self) -> dict[str, Any]:
        return {"state": JobState.QUEUED, "queued_at": self._clock.now()}

    def _newest(self, job_id: str) -> _Attempt | None:
        with self._lock:
            return next((each for each in reversed(self._attempts) if each.status.job_id == job_id), None)

    def _active(self, job_id: str) -> bool:
        newest = self._newest(job_id)
        return job_id in self._at_work or (newest is not None and not newest.status.state.ended)

    def _work(self) -> None:
        while self._queued.acquire() and not self._closing:
            attempt = self._take()
            if attempt is None:  # it was cancelled before its turn
                continue
            try:
                with self._at_work.working(attempt.status.job_id):
                    self._run(attempt)
            except JobInterrupted:
                log.debug("job %s was interrupted", attempt.status.job_id)

    def _take(self) -> _Attempt | None:
        with self._lock:
            queued = (each for each in self._attempts if each.status.state is JobState.QUEUED)
            attempt = next(queued, None)
            if attempt is not None:
                starts = attempt.status.starts + 1
                attempt.change(state=JobState.RUNNING, starts=starts, started_at=self._clock.now())
            return attempt

    def _run(self, attempt: _Attempt) -> None:
        for step in self._kinds[attempt.status.kind]:
            if attempt.status.state.ended:  # cancelled between two steps
                return
            if step.name in attempt.finished:
                continue
            report = self._at_work.report(attempt.status.job_id, step.name)
            attempt.change(step=step.name)
            try:
                step.run(attempt.status.argument, report)
            except Exception as error:  # whatever a step raises ends its job, not the worker
                log.exception("job %s failed in the step %s", attempt.status.job_id, step.name)
                self._end(attempt, JobState.FAILED, str(error) or type(error).__name__)
                return
            attempt.finished.add(step.name)
        self._end(attempt, JobState.DONE)

    def _end(self, attempt: _Attempt, state: JobState, error: str = "") -> None:
        with self._lock:
            if not attempt.status.state.ended:  # it may have been cancelled meanwhile
                attempt.change(state=state, error=error, ended_at=self._clock.now())
