"""The files that are being worked on. What is shown is read from the library, so it is there after a page switch too."""

from collections.abc import Sequence

import streamlit as st

from workbench.domain.documents import DocumentState
from workbench.domain.ids import DocumentId
from workbench.services.ingestion.jobs import FileProgress, overall
from workbench.ui import session as door
from workbench.ui.documents.wording import count, state_class, state_word
from workbench.ui.state import Key
from workbench.ui.text import escaped, visible

EVERY = 1.0
"""Seconds between two looks at the work, while there is any."""


def show(working: Sequence[DocumentId]) -> None:
    """Show each of ``working`` with its stage and a bar, followed live until all are done; nothing for no files."""
    if working:
        _follow(tuple(working))


@st.fragment(run_every=EVERY)
def _follow(working: tuple[DocumentId, ...]) -> None:
    session = door.require()
    files = session.workbench.ingestion.progress(session.access, working)
    if _moved(files, working) and not st.session_state.get(Key.DIALOG_OPEN):
        st.rerun()  # the whole page: the table shows what became of the file
    still = [file for file in files if file.state.working]
    begun = [file for file in still if file.state is not DocumentState.QUEUED]
    rows = "".join(
        f'<span class="pc-name" title="{escaped(visible(file.name))}">{escaped(visible(file.name))}</span>'
        f'<span class="pc-state {state_class(file.state)}">{escaped(state_word(file.state))}</span>'
        f"{_bar(file.done, file.total)}"
        for file in begun
    )
    waiting = len(still) - len(begun)
    more = f'<p class="pc-quiet pc-more">{count(waiting, "more file")} waiting</p>' if waiting else ""
    together = _all_files(files, len(working)) if len(working) > 1 else ""
    st.html(f'{together}<div class="pc-files" role="status">{rows}</div>{more}')


def _moved(files: Sequence[FileProgress], working: tuple[DocumentId, ...]) -> bool:
    """Tell whether a file has come to another step than the table shows."""
    states = {file.document_id: file.state for file in files}
    before: dict[DocumentId, DocumentState] = st.session_state.get(Key.SEEN_STATES, {})
    st.session_state[Key.SEEN_STATES] = states
    ended = any(document_id not in states or not states[document_id].working for document_id in working)
    return ended or any(before.get(document_id, state) is not state for document_id, state in states.items())


def _all_files(files: Sequence[FileProgress], number: int) -> str:
    """A line for all files that are still in work."""
    percent = int(100 * overall(files))
    return (
        f'<div class="pc-overall"><span>{count(number, "file")} in work</span>'
        f'<span class="pc-bar" role="progressbar" aria-label="All files" aria-valuenow="{percent}" aria-valuemin="0" '
        f'aria-valuemax="100"><i style="width:{percent}%"></i></span><span class="pc-count">{percent}%</span></div>'
    )


def _bar(done: int, total: int) -> str:
    percent = 100 * done // total if total else 0
    return (
        f'<span class="pc-bar" role="progressbar" aria-valuenow="{percent}" aria-valuemin="0" aria-valuemax="100">'
        f'<i style="width:{percent}%"></i></span>'
        f'<span class="pc-count">{f"{done:,} of {total:,}" if total else ""}</span>'
    )
