"""Jobs: work that outlives the process that took it on."""

from datetime import datetime
from enum import StrEnum

from workbench.domain.values import Value


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        return self not in (JobState.QUEUED, JobState.RUNNING)


class JobStatus(Value):
    """One attempt at a job.

    ``attempt`` counts from 1 and goes up with every retry; ``starts`` says how often this attempt was taken up, which is
    more than once where the process ended in between. ``step`` is the one it is in, or was in when it ended. ``error`` says
    in words why a failed attempt failed.
    """

    job_id: str
    kind: str
    argument: str
    state: JobState
    attempt: int = 1
    starts: int = 0
    step: str = ""
    error: str = ""
    queued_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None


class JobProgress(Value):
    """How far a running step is: ``done`` of ``total`` things, 0 of 0 before it is known."""

    step: str
    done: int = 0
    total: int = 0


class JobInterrupted(BaseException):
    """Raised into a step by its ``report``: the job was cancelled, or the program ends.

    It is no error, so that code which handles errors lets it pass. The step will not be counted as finished.
    """
