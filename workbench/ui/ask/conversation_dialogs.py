"""What the menu of a conversation opens: rename, export, delete.

The end of a turn draws the whole screen anew, which would sweep an open dialog away: which one is open is kept.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from workbench.domain.conversations import Conversation
from workbench.domain.errors import PinciteError
from workbench.services.export import ExportFormat, file_name
from workbench.ui.ask.navigation import go
from workbench.ui.ask.place import Place
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.receipt_wording import told
from workbench.ui.session import Session
from workbench.ui.text import literal, visible

UNTITLED = "New conversation"
_FORMATS = {
    ExportFormat.MARKDOWN: (
        "Markdown",
        ":material/article:",
        "Questions, answers and numbered sources, to read and to send",
    ),
    ExportFormat.JSON: ("JSON", ":material/data_object:", "Everything that is stored, with the trace, for programs"),
}


def closed() -> None:
    st.session_state.pop(AskKey.DIALOG, None)


def _done() -> None:
    """Close the dialog and draw the screen anew."""
    closed()
    st.rerun()


@st.dialog("Rename the conversation", on_dismiss=closed)
def rename(session: Session, conversation: Conversation) -> None:
    title = st.text_input("Name", value=conversation.title, max_chars=80, key=f"ask-title-{conversation.id}")
    if st.button("Rename", type="primary", key="ask.rename"):
        try:
            session.workbench.conversations.rename(session.access, conversation.id, title)
        except PinciteError as error:
            st.error(literal(str(error)))
        else:
            _done()


@st.dialog("Export the conversation", on_dismiss=closed)
def export(session: Session, conversation: Conversation) -> None:
    """Offer the files. Each is made when it is asked for, of what is stored then."""
    st.text(f"“{visible(conversation.title or UNTITLED)}”")
    for format_, (name, icon, what) in _FORMATS.items():
        st.download_button(
            name,
            data=partial(_text, session, conversation, format_),
            file_name=file_name(conversation, format_),
            mime="text/plain" if format_ is ExportFormat.MARKDOWN else "application/json",
            icon=icon,
            key=f"ask-export-{format_.value}",
            on_click="ignore",
            width="stretch",
        )
        st.caption(what)


def _text(session: Session, conversation: Conversation, format_: ExportFormat) -> str:
    return session.workbench.export.file(session.access, conversation.id, format_).text


@st.dialog("Delete the conversation?", on_dismiss=closed)
def delete(session: Session, conversation: Conversation) -> None:
    st.text(
        f"“{visible(conversation.title or UNTITLED)}” with its questions, answers and traces, here and at the "
        "model's provider. This cannot be undone."
    )
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="ask.delete"):
            try:
                with st.spinner("Deleting…"):
                    receipt = session.workbench.deletion.delete_conversation(session.access, conversation.id)
            except PinciteError as error:
                st.error(literal(str(error)))
                return
            # Said in the next run: a toast of this one would go with it.
            st.session_state[AskKey.DELETED] = told(receipt)
            go(Place())
            _done()
        if st.button("Keep it", key="ask.keep"):
            _done()


_DIALOGS: dict[str, Callable[[Session, Conversation], None]] = {"rename": rename, "export": export, "delete": delete}


def open_(name: str, conversation: Conversation) -> None:
    """Open "rename", "export" or "delete" for a conversation in this run and the next ones."""
    st.session_state[AskKey.DIALOG] = (name, conversation.id)


def show(session: Session, opened: Conversation | None) -> None:
    """Draw the dialog that is open. One of another conversation than ``opened`` is forgotten."""
    name, conversation_id = st.session_state.get(AskKey.DIALOG, ("", ""))
    if opened is not None and opened.id == conversation_id:
        _DIALOGS[name](session, opened)
    else:
        closed()
