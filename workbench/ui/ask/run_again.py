"""*Run again*: the reader repeats a calculation on the same cells, and sees whether it gives the same."""

import streamlit as st

from workbench.domain.calculations import CodeRun
from workbench.domain.errors import NotFound
from workbench.domain.ids import TurnId
from workbench.services.calculations import Repeat, Verdict
from workbench.ui.ask.run_html import run_html
from workbench.ui.session import Session
from workbench.ui.text import literal

_ICONS = {
    Verdict.SAME: "check_circle",
    Verdict.DIFFERENT: "difference",
    Verdict.CHANGED: "edit_document",
    Verdict.GONE: "delete",
    Verdict.NOT_RUN: "block",
}
_MARK = "ask-run-again"


def show(session: Session, turn_id: TurnId, call_id: str, run: CodeRun) -> None:
    """Draw the button, and what came of it. What ran at the provider has none: it cannot be had again from here."""
    if run.at_provider:
        return
    key = f"{_MARK}-{turn_id}-{call_id}"
    with st.container(key=f"run-again-{call_id}", gap="xsmall"):
        st.button(
            "Run again",
            icon=":material/replay:",
            type="tertiary",
            key=key,
            help="Runs this code once more on the same cells and compares the result",
        )
        if st.session_state.get(key):
            _repeat(session, turn_id, call_id)


def _repeat(session: Session, turn_id: TurnId, call_id: str) -> None:
    try:
        with st.spinner("Running the code…"):
            repeat = session.workbench.calculations.again(session.access, turn_id, call_id)
    except NotFound as error:
        repeat = Repeat(Verdict.GONE, str(error))
    said = st.success if repeat.verdict is Verdict.SAME else st.warning
    said(literal(repeat.text), icon=f":material/{_ICONS[repeat.verdict]}:")
    if repeat.run is not None and repeat.verdict in (Verdict.DIFFERENT, Verdict.CHANGED):
        st.html(f'<div class="pc-step-details">{run_html(repeat.run)}</div>')
