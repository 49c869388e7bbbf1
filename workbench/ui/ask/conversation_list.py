"""The list of conversations in the sidebar: start, search, open, pin, rename, export, delete."""

import streamlit as st

from workbench.domain.conversations import Conversation, ConversationPage
from workbench.domain.errors import PinciteError
from workbench.ui.ask import conversation_dialogs
from workbench.ui.ask.conversation_dialogs import UNTITLED
from workbench.ui.ask.navigation import go
from workbench.ui.ask.place import Place
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.ask.visible_text import one_line
from workbench.ui.session import Session
from workbench.ui.text import literal

SHOWN = 30
"""How many rows stand in the sidebar at once: the rest is a page further, however many there are."""
_TITLE = 48
_RENAME, _EXPORT, _DELETE = ":material/edit: Rename", ":material/download: Export", ":material/delete: Delete"
_DIALOGS = {_RENAME: "rename", _EXPORT: "export", _DELETE: "delete"}
_PIN, _UNPIN = ":material/keep: Pin to the top", ":material/keep_off: Unpin"


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
        words = st.text_input(
            "Search your conversations",
            key=AskKey.LIST_WORDS,
            placeholder="Search conversations",
            icon=":material/search:",
            label_visibility="collapsed",
            max_chars=200,
            on_change=_turn_to,
            args=(0,),
        )
        page, found = _page(session, words)
        if words and not found.total:
            st.caption("No conversation has all of these words.")
        shown = [opened] if opened is not None and opened.id not in {each.id for each in found.items} else []
        for conversation in (*shown, *found.items):
            _row(session, conversation, opened=opened is not None and opened.id == conversation.id)
        if found.total > SHOWN:
            _pager(page, found.total)
    conversation_dialogs.show(session, opened)


def _page(session: Session, words: str) -> tuple[int, ConversationPage]:
    """Return the number of the page, from 0, and what stands on it; the last one where the list has become shorter."""
    page = int(st.session_state.get(AskKey.LIST_PAGE, 0))
    find = session.workbench.conversations.find
    found = find(session.access, words, limit=SHOWN, offset=page * SHOWN)
    last = max(0, (found.total - 1) // SHOWN)
    if page > last:
        page, found = last, find(session.access, words, limit=SHOWN, offset=last * SHOWN)
    return page, found


def _turn_to(page: int) -> None:
    st.session_state[AskKey.LIST_PAGE] = page


def _pager(page: int, total: int) -> None:
    first, last = page * SHOWN + 1, min((page + 1) * SHOWN, total)
    with st.container(key="ask-list-pager", horizontal=True, wrap=False, gap="small", vertical_alignment="center"):
        st.button(
            "",
            icon=":material/chevron_left:",
            type="tertiary",
            key="ask.list.newer",
            help="Conversations used later",
            disabled=page == 0,
            on_click=_turn_to,
            args=(page - 1,),
        )
        st.caption(f"{first:,}–{last:,} of {total:,}")
        st.button(
            "",
            icon=":material/chevron_right:",
            type="tertiary",
            key="ask.list.older",
            help="Conversations used earlier",
            disabled=last == total,
            on_click=_turn_to,
            args=(page + 1,),
        )


def _row(session: Session, conversation: Conversation, opened: bool) -> None:
    if not opened:
        _name(conversation)
        return
    with st.container(key="ask-opened-row", horizontal=True, wrap=False, gap=None, vertical_alignment="center"):
        _name(conversation)
        chosen = st.menu_button(
            "",
            [_RENAME, _UNPIN if conversation.pinned else _PIN, _EXPORT, _DELETE],
            icon=":material/more_horiz:",
            type="tertiary",
            key=f"ask-menu-{conversation.id}",
            help="Rename, pin, export or delete this conversation",
        )
    if chosen in (_PIN, _UNPIN):
        _pin(session, conversation)
    elif chosen:
        conversation_dialogs.open_(_DIALOGS[chosen], conversation)


def _name(conversation: Conversation) -> None:
    whole = one_line(conversation.title or UNTITLED, 200)
    short = one_line(whole, _TITLE)
    st.button(
        f":material/keep: {literal(short)}" if conversation.pinned else literal(short),
        key=f"ask-open-{conversation.id}",
        type="tertiary",
        width="stretch",
        help=literal(whole) if short != whole else None,
        on_click=go,
        args=(Place(conversation.id),),
    )


def _pin(session: Session, conversation: Conversation) -> None:
    try:
        session.workbench.conversations.pin(session.access, conversation.id, pinned=not conversation.pinned)
    except PinciteError as error:
        st.toast(literal(str(error)), icon=":material/error:")
    else:
        st.rerun()
