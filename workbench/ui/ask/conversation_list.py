"""The list of conversations in the sidebar: start, open, rename, delete."""

import streamlit as st

from workbench.domain.conversations import Conversation
from workbench.domain.errors import PinciteError
from workbench.ui.ask.navigation import go
from workbench.ui.ask.place import Place
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.ask.visible_text import one_line
from workbench.ui.receipt_wording import told
from workbench.ui.session import Session
from workbench.ui.text import literal

_SHOWN = 30
_RENAME, _DELETE = ":material/edit: Rename", ":material/delete: Delete"
UNTITLED = "New conversation"


def show(session: Session, opened: Conversation | None) -> None:
    """Draw the list in the sidebar. Only the open conversation has a menu, so that the list stays quiet."""
    said = st.session_state.pop(AskKey.DELETED, None)
    if said:
        st.toast(literal(said), icon=":material/delete:", duration="long")
    with st.sidebar, st.container(key="ask-conversations", gap=None):
        st.button(
            "New conversation",
            icon=":material/add:",
            key="ask.new",
            width="stretch",
            on_click=go,
            args=(Place(),),
        )
        conversations = session.workbench.conversations.list(session.access)
        everything = bool(st.session_state.get(AskKey.ALL_CONVERSATIONS))
        for conversation in conversations if everything else conversations[:_SHOWN]:
            _row(session, conversation, opened=opened is not None and opened.id == conversation.id)
        if len(conversations) > _SHOWN and not everything:
            st.button(
                f"Show all {len(conversations)}",
                type="tertiary",
                key="ask.all",
                on_click=st.session_state.update,
                args=({AskKey.ALL_CONVERSATIONS: True},),
            )


def _row(session: Session, conversation: Conversation, opened: bool) -> None:
    title = literal(one_line(conversation.title or UNTITLED, 48))
    if not opened:
        key = f"ask-open-{conversation.id}"
        st.button(title, key=key, type="tertiary", width="stretch", on_click=go, args=(Place(conversation.id),))
        return
    with st.container(key="ask-opened-row", horizontal=True, wrap=False, gap=None, vertical_alignment="center"):
        st.button(
            title,
            key=f"ask-open-{conversation.id}",
            type="tertiary",
            width="stretch",
            on_click=go,
            args=(Place(conversation.id),),
        )
        chosen = st.menu_button(
            "",
            [_RENAME, _DELETE],
            icon=":material/more_horiz:",
            type="tertiary",
            key=f"ask-menu-{conversation.id}",
            help="Rename or delete this conversation",
        )
    if chosen == _RENAME:
        _rename(session, conversation)
    elif chosen == _DELETE:
        _delete(session, conversation)


@st.dialog("Rename the conversation")
def _rename(session: Session, conversation: Conversation) -> None:
    title = st.text_input("Name", value=conversation.title, max_chars=80, key=f"ask-title-{conversation.id}")
    if st.button("Rename", type="primary", key="ask.rename"):
        try:
            session.workbench.conversations.rename(session.access, conversation.id, title)
        except PinciteError as error:
            st.error(literal(str(error)))
        else:
            st.rerun()


@st.dialog("Delete the conversation?")
def _delete(session: Session, conversation: Conversation) -> None:
    st.text(
        f"“{conversation.title or UNTITLED}” with its questions, answers and traces, here and at the "
        "model's provider. This cannot be undone."
    )
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="ask.delete"):
            with st.spinner("Deleting…"):
                receipt = session.workbench.deletion.delete_conversation(session.access, conversation.id)
            st.session_state[AskKey.DELETED] = told(
                receipt
            )  # said in the next run: a toast of this one would go with it
            go(Place())
            st.rerun()
        if st.button("Keep it", key="ask.keep"):
            st.rerun()
