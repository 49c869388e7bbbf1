"""What the next question is asked with: containers, tags, profile. Kept with the conversation, or as a draft before it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from workbench.domain.budgets import Profile
from workbench.domain.conversations import Conversation
from workbench.domain.documents import Container
from workbench.domain.ids import ContainerId
from workbench.domain.scope import Filters
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.session import Session


class Choices(NamedTuple):
    containers: tuple[ContainerId, ...]
    filters: Filters
    profile: Profile


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
        session.workbench.conversations.choose(session.access, conversation.id, *choices)


def with_tags(filters: Filters, chosen: Mapping[str, Sequence[str]]) -> Filters:
    """Return ``filters`` with these tags. A key with nothing chosen is left open: it is not a filter."""
    tags = {key: tuple(values) for key, values in chosen.items() if values}
    return filters.model_copy(update={"tags": tags})
