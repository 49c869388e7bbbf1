"""The composer: what is searched, how thoroughly, what it may cost, and the question."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from workbench.domain.budgets import LimitName, Limits, Profile
from workbench.domain.conversations import Conversation, Turn
from workbench.domain.documents import Container
from workbench.domain.results import ResultType
from workbench.ui.ask import asking, choices, scope_choice
from workbench.ui.ask.choices import Choices
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.ask.trace_html import icon_html
from workbench.ui.ask.visible_text import one_line
from workbench.ui.ask.wording import amount, counted
from workbench.ui.session import Session
from workbench.ui.text import escaped


def show(
    session: Session, conversation: Conversation | None, turns: Sequence[Turn], running: Turn | None
) -> DeltaGenerator:
    """Draw the composer and return the place for the gauge of a running turn."""
    containers = session.workbench.library.containers(session.access)
    chosen = choices.read(conversation, containers)
    with st.container(key="ask-composer", gap="xsmall"):
        _refusal()
        if running is None:
            chosen, gauge = _idle(session, conversation, containers, chosen)
        else:
            gauge = _working(session, running)
        st.chat_input(
            _placeholder(turns, running),
            key=AskKey.QUESTION,
            disabled=running is not None,
            on_submit=_submitted,
            args=(session, conversation, chosen, len(turns)),
        )
    return gauge


def _idle(
    session: Session, conversation: Conversation | None, containers: Sequence[Container], chosen: Choices
) -> tuple[Choices, DeltaGenerator]:
    with st.container(key="ask-options", horizontal=True, gap="xsmall", vertical_alignment="center", wrap=False):
        chosen = _options(session, conversation, containers, chosen)
        gauge = st.empty()
        gauge.html(_ceilings(session.workbench.settings.profiles[chosen.profile].limits))
    return chosen, gauge


def _working(session: Session, running: Turn) -> DeltaGenerator:
    """Draw Stop and return the gauge's place."""
    with st.container(key="ask-running", horizontal=True, gap="small", vertical_alignment="center", wrap=False):
        gauge = st.empty()
        st.button(
            "Stop",
            icon=":material/stop_circle:",
            key=f"ask-stop-{running.id}",
            on_click=session.workbench.turns.stop,
            args=(session.access, running.id),
            help="End this answer; what has been gathered is kept",
        )
        for _ in range(2):
            st.empty()  # in the place of widgets of the idle composer, which would stay until the turn ends
    return gauge


def _submitted(session: Session, conversation: Conversation | None, chosen: Choices, seen: int) -> None:
    question = st.session_state.get(AskKey.QUESTION)
    if question:
        asking.ask(session, conversation, chosen, str(question), seen=seen)


def _placeholder(turns: Sequence[Turn], running: Turn | None) -> str:
    if running is not None:
        return "Working on your question"
    if turns and turns[-1].result_type is ResultType.CLARIFICATION:
        return "Answer the question above"
    return "Ask a follow-up" if turns else "Ask about your documents"


def _refusal() -> None:
    refused = asking.take_refused()
    if refused is not None:
        reason = escaped(f"{refused.message} {refused.advice}".strip())
        st.html(
            f'<div class="pc-note pc-note-wrong" role="alert">{icon_html("error")}<div><b>Not asked.</b> {reason}'
            f'<p class="pc-quiet">{escaped(one_line(refused.question, 2000))}</p></div></div>'
        )


def _options(
    session: Session, conversation: Conversation | None, containers: Sequence[Container], chosen: Choices
) -> Choices:
    """Draw the choices and remember what changed. The widgets of each conversation are its own."""
    owner = choices.owner(conversation, chosen)
    made = Choices(
        scope_choice.containers(containers, chosen.containers, "ask", owner),
        choices.with_tags(chosen.filters, _tags(session, chosen, owner)),
        _profile(chosen.profile, owner),
    )
    if made != chosen:
        choices.remember(session, conversation, made)
    choices.note_seen(made)
    _documents(session, conversation, made, owner)
    return made


def _tags(session: Session, chosen: Choices, owner: str) -> Mapping[str, Sequence[str]]:
    offered = scope_choice.tag_keys(session, chosen.containers, chosen.filters.tags)
    active = scope_choice.chosen_tags(offered, chosen.filters.tags, "ask", owner)
    label = counted(active, "filter") if active else "Filters"
    with st.popover(label, icon=":material/filter_list:", key=f"ask-filters-{owner}", disabled=not offered):
        return scope_choice.tags(offered, chosen.filters.tags, "ask", owner)


def _documents(session: Session, conversation: Conversation | None, chosen: Choices, owner: str) -> None:
    """Say that only some documents are searched, which were chosen on another screen, and let it be taken back."""
    if chosen.filters.document_ids is None:
        return
    everything = chosen._replace(filters=chosen.filters.model_copy(update={"document_ids": None}))
    st.button(
        f"Only {counted(len(chosen.filters.document_ids), 'document')}",
        icon=":material/close:",
        key=f"ask-documents-{owner}",
        help="The documents that a search found. Click to search all documents again",
        on_click=choices.remember,
        args=(session, conversation, everything),
    )


def _profile(chosen: Profile, owner: str) -> Profile:
    return st.segmented_control(
        "Profile",
        list(Profile),
        default=chosen,
        required=True,
        format_func=lambda profile: profile.value.capitalize(),
        key=f"ask-profile-{owner}",
        label_visibility="collapsed",
        help="Quick is for a single fact; thorough may search more and think longer",
    )


def _ceilings(limits: Limits) -> str:
    seconds = amount(LimitName.SECONDS, limits.seconds)
    return (
        f'<div class="pc-ceilings" title="Ceilings of the next answer: {limits.model_calls} model calls,'
        f' {limits.tool_calls} tool calls, {limits.chunks} passages, {seconds}">'
        f"Up to {counted(limits.chunks, 'passage')}, {seconds}</div>"
    )
