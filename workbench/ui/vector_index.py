"""The vector index: after a change of the embedding model the documents are indexed again from here."""

import streamlit as st

from workbench.domain.jobs import JobState
from workbench.services.retrieval.reindex import IndexStatus
from workbench.ui.session import Session
from workbench.ui.text import escaped, literal, visible

EVERY = 2.0
"""Seconds between two looks at a running job."""


def show(session: Session) -> None:
    """Draw the section; while every document has vectors of the present model there is none."""
    status = session.workbench.reindex.status()
    if not status.missing and not status.running:
        return
    st.subheader("Embedding model", anchor=False)
    if status.running:
        _follow(session)
    else:
        _offer(session, status)


def _offer(session: Session, status: IndexStatus) -> None:
    st.warning(_missing(status), icon=":material/model_training:")
    if status.job is not None and status.job.state is JobState.FAILED:
        st.error(literal(f"The last attempt failed. {status.job.error}"), icon=":material/error:")
    names = "".join(
        f"<li>{escaped(visible(each.name))}: {each.missing:,} of {each.documents:,} documents</li>"
        for each in status.containers
    )
    st.html(f'<ul class="pc-quiet">{names}</ul>')
    if st.button("Index them again", icon=":material/refresh:", key="reindex.start"):
        session.workbench.reindex.start()
        st.rerun()


@st.fragment(run_every=EVERY)
def _follow(session: Session) -> None:
    status = session.workbench.reindex.status()
    if not status.running:
        st.rerun()
    progress = status.progress
    share = progress.done / progress.total if progress is not None and progress.total else 0.0
    counted = (
        f"{progress.done:,} of {progress.total:,} passages" if progress is not None and progress.total else "waiting"
    )
    st.progress(share, text=f"Indexing the documents for the present embedding model: {counted}")
    st.html('<p class="pc-quiet">Search goes on meanwhile: what is not done yet is found by its words.</p>')


def _missing(status: IndexStatus) -> str:
    documents = f"{status.missing:,} document{'' if status.missing == 1 else 's'}"
    return (
        f"{documents} {'has' if status.missing == 1 else 'have'} no vectors of the present embedding model, which was "
        "changed or set up anew. They are found by their words only, until they are indexed again. Vectors of different "
        "models are never compared."
    )
