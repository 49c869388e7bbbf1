"""The work that was done on a document: every attempt with its steps' end, its times and its error."""

from datetime import datetime

import streamlit as st

from workbench.domain.documents import Document, DocumentState
from workbench.domain.jobs import JobState, JobStatus
from workbench.ui.documents import permitted
from workbench.ui.documents.actions import each_of
from workbench.ui.session import Session
from workbench.ui.text import escaped, visible

_STYLES = {JobState.DONE: "pc-ready", JobState.FAILED: "pc-failed", JobState.CANCELLED: "pc-failed"}
_KINDS = {"ingest": "Reading in", "reindex": "Indexing again"}


def show(session: Session, document: Document) -> None:
    """List the attempts, the newest first, with what can be done now."""
    statuses = session.workbench.ingestion.jobs(session.access, document.id)
    rows = "".join(_row(status) for status in statuses)
    st.html(f'<div class="pc-jobs">{rows}</div>' if rows else '<p class="pc-quiet">No work is recorded.</p>')
    if not permitted.with_documents(session.access, [document]).edit:
        return
    if document.state.working and st.button("Cancel", icon=":material/cancel:", key="job.cancel"):
        each_of(session.workbench.ingestion.cancel, session, [document.id])
    ended = document.state in (DocumentState.FAILED, DocumentState.CANCELLED)
    if ended and st.button("Retry", icon=":material/refresh:", key="job.retry"):
        each_of(session.workbench.ingestion.retry, session, [document.id])


def _row(status: JobStatus) -> str:
    """Kind and state, step, times; how often it was taken up where that was more than once."""
    parts = [
        f"attempt {status.attempt}",
        f"step {status.step}" if status.step and status.state is not JobState.DONE else "",
        _times(status),
        f"taken up {status.starts} times" if status.starts > 1 else "",
    ]
    error = f"<br>{escaped(visible(status.error))}" if status.error else ""
    kind = _KINDS.get(status.kind, status.kind)
    return (
        f'<p><span class="pc-state {_STYLES.get(status.state, "pc-working")}">{escaped(kind)}: '
        f'{escaped(status.state.value)}</span><span class="pc-quiet"> · '
        f"{' · '.join(escaped(part) for part in parts if part)}{error}</span></p>"
    )


def _times(status: JobStatus) -> str:
    if status.started_at is None:
        return f"queued {_clock(status.queued_at)}"
    if status.ended_at is None:
        return f"since {_clock(status.started_at)}"
    return f"{_clock(status.started_at)}, {(status.ended_at - status.started_at).total_seconds():.1f} s"


def _clock(at: datetime) -> str:
    return f"{at:%-d %b %H:%M:%S}"
