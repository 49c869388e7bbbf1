"""The files that are being worked on. What is shown is read from the library, so it is there after a page switch too."""

from collections.abc import Sequence

import streamlit as st

from workbench.domain.documents import DocumentState
from workbench.domain.ids import DocumentId
from workbench.ui import session as door
from workbench.ui.documents.wording import count, state_class, state_word
from workbench.ui.state import Key
from workbench.ui.text import escaped

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
    still = [file for file in files if file.state.working]
    if len(still) < len(working) and not st.session_state.get(Key.DIALOG_OPEN):
        st.rerun()  # the whole page: the table shows what became of the file that is done
    begun = [file for file in files if file.state is not DocumentState.QUEUED]
    rows = "".join(
        f'<span class="pc-name" title="{escaped(file.name)}">{escaped(file.name)}</span>'
        f'<span class="pc-state {state_class(file.state)}">{escaped(state_word(file.state))}</span>'
        f"{_bar(file.done, file.total)}"
        for file in begun
    )
    waiting = len(files) - len(begun)
    more = f'<p class="pc-quiet pc-more">{count(waiting, "more file")} waiting</p>' if waiting else ""
    st.html(f'<div class="pc-files" role="status">{rows}</div>{more}')


def _bar(done: int, total: int) -> str:
    percent = 100 * done // total if total else 0
    return (
        f'<span class="pc-bar" role="progressbar" aria-valuenow="{percent}" aria-valuemin="0" aria-valuemax="100">'
        f'<i style="width:{percent}%"></i></span>'
        f'<span class="pc-count">{f"{done:,} of {total:,}" if total else ""}</span>'
    )
