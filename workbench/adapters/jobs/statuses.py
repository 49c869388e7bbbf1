"""Statuses: what DBOS keeps of a workflow, read as an attempt at a job."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from workbench.domain.jobs import JobState, JobStatus

if TYPE_CHECKING:
    from dbos import WorkflowStatus

ACTIVE = ("ENQUEUED", "PENDING", "DELAYED")
_STATES = {
    "ENQUEUED": JobState.QUEUED,
    "DELAYED": JobState.QUEUED,
    "PENDING": JobState.RUNNING,
    "CANCELLED": JobState.CANCELLED,
}


class AttemptId(NamedTuple):
    """A workflow's id: the job's, and the number of the attempt."""

    job_id: str
    attempt: int

    @classmethod
    def parse(cls, workflow_id: str) -> "AttemptId":
        job_id, _, attempt = workflow_id.rpartition("#")
        return cls(job_id, int(attempt))

    def __str__(self) -> str:
        return f"{self.job_id}#{self.attempt}"


def job_status(workflow: "WorkflowStatus") -> JobStatus:
    """Read a workflow as an attempt. Its output says which step was the last, and what went wrong in it."""
    job_id, attempt = AttemptId.parse(workflow.workflow_id)
    state, step, error = _outcome(workflow)
    return JobStatus(
        job_id=job_id,
        kind=workflow.name,
        argument=_argument(workflow),
        state=state,
        attempt=attempt,
        starts=workflow.recovery_attempts or 0,
        step=step,
        error=error,
        queued_at=_time(workflow.created_at) or datetime.now(UTC),
        started_at=_time(workflow.dequeued_at),
        ended_at=_time(workflow.completed_at),
    )


def _outcome(workflow: "WorkflowStatus") -> tuple[JobState, str, str]:
    if workflow.status in _STATES:
        return _STATES[workflow.status], "", ""
    if workflow.status == "SUCCESS":
        step, error = workflow.output or ("", "")
        return (JobState.FAILED if error else JobState.DONE), step, error
    if workflow.status == "MAX_RECOVERY_ATTEMPTS_EXCEEDED":
        return JobState.FAILED, "", "The program ended too often while this was at work, so it is not tried again."
    return JobState.FAILED, "", str(workflow.error)


def _argument(workflow: "WorkflowStatus") -> str:
    arguments: Sequence[str] = workflow.input["args"] if workflow.input else ("", "")
    return arguments[1]


def _time(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)
