"""Putting a question: the conversation is made at the first one, and a refusal keeps what was written."""

from typing import NamedTuple

import streamlit as st

from workbench.domain.conversations import Conversation
from workbench.domain.errors import PinciteError, ScopeError
from workbench.ui.ask.choices import Choices
from workbench.ui.ask.navigation import go
from workbench.ui.ask.place import Place
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.session import Session


class Refused(NamedTuple):
    """A question that could not be asked, and why."""

    question: str
    message: str
    advice: str


def ask(
    session: Session,
    conversation: Conversation | None,
    choices: Choices,
    question: str,
    *,
    seen: int,
    from_transcript: bool = False,
) -> None:
    """Start a turn and move to it. Works as a callback. ``seen`` is how many turns this tab shows; ``from_transcript`` as in
    :meth:`Turns.ask`. A question that is not asked goes back to where it was written.
    """
    workbench, access = session.workbench, session.access
    st.session_state.pop(AskKey.REFUSED, None)
    try:
        if not choices.containers:
            # Asked before a conversation is made, which would stay behind empty.
            raise ScopeError("No container is chosen, so there is nothing to search.", "Choose at least one container.")
        target = conversation or workbench.conversations.create(access, *choices)
        workbench.turns.ask(access, target.id, question, from_transcript=from_transcript, seen=seen)
    except PinciteError as error:
        st.session_state[AskKey.REFUSED] = Refused(question, error.message, error.advice)
        st.session_state[AskKey.QUESTION] = question
        return
    go(Place(target.id))


def take_refused() -> Refused | None:
    """Return the question refused last, which is shown until the next one is asked."""
    refused: Refused | None = st.session_state.get(AskKey.REFUSED)
    return refused
