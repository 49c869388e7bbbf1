"""The Ask screen, put together. Everything shown comes from stored turns and their events."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from workbench.domain.conversations import Conversation, Turn
from workbench.domain.errors import NotFound
from workbench.domain.results import TurnStatus
from workbench.ui import links
from workbench.ui.ask import (
    asking,
    choices,
    composer,
    conversation_list,
    empty_state,
    keyboard,
    model_banner,
    panel,
    turn_view,
)
from workbench.ui.ask.navigation import current, go
from workbench.ui.ask.place import Place, Tab
from workbench.ui.ask.running_turn import RunningTurn
from workbench.ui.ask.turn_note import Remedy
from workbench.ui.session import Session
from workbench.ui.text import literal

_STYLE = Path(__file__).with_name("ask.css")


def show(session: Session) -> None:
    """Draw the whole screen. Returns when it stands, or follows a running turn to its end."""
    st.html(_STYLE)
    place = current()
    conversation, turns = _load(session, place)
    if conversation is None:
        place = Place()
    running = turns[-1] if turns and turns[-1].status is TurnStatus.RUNNING else None
    links.router(lambda link: go(place.followed(link)))
    opened = (
        f"{place.turn}:{place.mention}" if place.tab is Tab.SOURCE and place.mention is not None else place.step or ""
    )
    keyboard.mount(turns[-1].id if turns else None, opened)
    conversation_list.show(session, conversation)
    share = panel.width()
    centre, side = st.columns([1 - share, share], gap="medium")
    with side:  # first, since it is what a click on a citation waits for
        trace = panel.show(session, place, turns)
    with centre, st.container(key="ask-centre", gap="medium"):
        # Each part in a container of its own: a part that comes or goes must not move the others to new places, where
        # they would be drawn beside what the last run left until this run ends, and that can be minutes.
        with st.container():
            model_banner.show(session)
        with st.container(key="ask-conversation", gap="medium"):
            live = _conversation(session, conversation, turns, running, place)
        gauge = composer.show(session, conversation, turns, running)
    if live is not None:
        live.follow(session, gauge, trace)


def _load(session: Session, place: Place) -> tuple[Conversation | None, Sequence[Turn]]:
    """Return the conversation of the address; say so where it names none of the user's."""
    if place.conversation is None:
        return None, ()
    try:
        conversation = session.workbench.conversations.get(session.access, place.conversation)
        return conversation, session.workbench.conversations.turns(session.access, conversation.id)
    except NotFound as error:
        st.warning(literal(str(error)), icon=":material/link_off:")
        return None, ()


def _conversation(
    session: Session,
    conversation: Conversation | None,
    turns: Sequence[Turn],
    running: Turn | None,
    place: Place,
) -> RunningTurn | None:
    """Draw the turns, or what to do where there are none. Return the running one, to be followed."""
    ask_example, remedies = _actions(session, conversation, seen=len(turns))
    if not turns:
        empty_state.show(session, ask_example)
        return None
    for turn in turns:
        if turn is not running:
            turn_view.show(session, turn, place, remedies, last=turn is turns[-1])
    return RunningTurn(running, place) if running is not None else None


def _actions(
    session: Session, conversation: Conversation | None, seen: int
) -> tuple[Callable[[str], None], dict[Remedy, Callable[[Turn], None]]]:
    """Return what the buttons of the conversation do."""
    chosen = choices.read(conversation, session.workbench.library.containers(session.access))

    def ask(question: str) -> None:
        asking.ask(session, conversation, chosen, question, seen=seen)

    def new_chat(_turn: Turn) -> None:
        choices.remember(session, None, chosen)
        go(Place())

    def from_our_copy(turn: Turn) -> None:
        asking.ask(session, conversation, chosen, turn.question, seen=seen, from_transcript=True)

    return ask, {
        Remedy.ASK_AGAIN: lambda turn: ask(turn.question),
        Remedy.NEW_CHAT: new_chat,
        Remedy.CONTINUE: from_our_copy,
    }
