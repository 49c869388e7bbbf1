"""What the next question is asked with: containers, tags, profile. Kept with the conversation, or as a draft before it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import streamlit as st

from workbench.domain.budgets import Profile
from workbench.domain.conversations import Conversation
from workbench.domain.documents import Container
from workbench.domain.errors import NotFound
from workbench.domain.ids import ContainerId
from workbench.domain.scope import Filters
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.session import Session


class Choices(NamedTuple):
    containers: tuple[ContainerId, ...]
    filters: Filters
    profile: Profile


class Seen(NamedTuple):
    """The choices of the conversation ``name`` as one tab showed them; ``version`` counts changes made elsewhere."""

    name: str
    choices: Choices
    version: int


def read(conversation: Conversation | None, containers: Sequence[Container]) -> Choices:
    """Return the remembered choices. A container that is gone or no longer the user's is left out."""
    visible = {container.id for container in containers}
    if conversation is not None:
        kept = tuple(each for each in conversation.containers if each in visible)
        return Choices(kept, conversation.filters, conversation.profile)
    draft: Choices | None = st.session_state.get(AskKey.DRAFT)
    if draft is None:
        return Choices(tuple(container.id for container in containers), Filters(), Profile.QUICK)
    return draft._replace(containers=tuple(each for each in draft.containers if each in visible))


def remember(session: Session, conversation: Conversation | None, choices: Choices) -> None:
    """Keep the choices for the next question. Those for a new conversation carry over to the one after it."""
    st.session_state[AskKey.DRAFT] = choices
    if conversation is not None:
        with suppress(NotFound):  # deleted in another tab meanwhile, which the screen tells
            session.workbench.conversations.choose(session.access, conversation.id, *choices)


def owner(conversation: Conversation | None, chosen: Choices) -> str:
    """Return the name under which this tab draws the choices of a conversation.

    It becomes another one when they were changed in another tab: widgets under the old name would go on showing what they
    showed, and so write it back.
    """
    name = conversation.id if conversation else "draft"
    seen: Seen | None = st.session_state.get(AskKey.CHOICES_SEEN)
    if seen is None or seen.name != name:
        seen = Seen(name, chosen, 0)
    elif seen.choices != chosen and conversation is not None:
        seen = Seen(name, chosen, seen.version + 1)
    st.session_state[AskKey.CHOICES_SEEN] = seen
    return f"{name}-{seen.version}" if seen.version else name


def note_seen(made: Choices) -> None:
    """Note what this tab shows now."""
    seen: Seen = st.session_state[AskKey.CHOICES_SEEN]
    st.session_state[AskKey.CHOICES_SEEN] = seen._replace(choices=made)


def with_tags(filters: Filters, chosen: Mapping[str, Sequence[str]]) -> Filters:
    """Return ``filters`` with these tags. A key with nothing chosen is left open: it is not a filter."""
    tags = {key: tuple(values) for key, values in chosen.items() if values}
    return filters.model_copy(update={"tags": tags})
