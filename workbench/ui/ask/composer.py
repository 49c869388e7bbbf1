"""The composer: what is searched, how thoroughly, what it may cost, and the question."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from workbench.domain.budgets import LimitName, Limits, Profile
from workbench.domain.conversations import Conversation, Turn
from workbench.domain.documents import Container
from workbench.domain.ids import ContainerId
from workbench.domain.results import ResultType
from workbench.ui.ask import asking, choices
from workbench.ui.ask.choices import Choices
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.ask.trace_html import icon_html
from workbench.ui.ask.visible_text import one_line
from workbench.ui.ask.wording import amount, container_names, counted
from workbench.ui.session import Session
from workbench.ui.text import escaped, literal


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
            args=(session, conversation, chosen),
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


def _submitted(session: Session, conversation: Conversation | None, chosen: Choices) -> None:
    question = st.session_state.get(AskKey.QUESTION)
    if question:
        asking.ask(session, conversation, chosen, str(question))


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
    owner = conversation.id if conversation else "draft"
    made = Choices(
        _containers(containers, chosen.containers, owner),
        choices.with_tags(chosen.filters, _tags(session, chosen, owner)),
        _profile(chosen.profile, owner),
    )
    if made != chosen:
        choices.remember(session, conversation, made)
    return made


def _containers(containers: Sequence[Container], chosen: Sequence[ContainerId], owner: str) -> tuple[ContainerId, ...]:
    names = {container.id: container.name for container in containers}
    key = f"ask-containers-{owner}"
    current = [each for each in st.session_state.get(key, chosen) if each in names]
    if len(current) == len(names) > 1:
        label = "All containers"
    else:
        label = container_names([names[each] for each in current]) if current else "No container"
    with st.popover(literal(label), icon=":material/folder_open:", key=f"ask-scope-{owner}"):
        picked = st.multiselect(
            "Search in",
            list(names),
            default=list(chosen),
            format_func=lambda each: one_line(names[each], 60),
            key=key,
            placeholder="Choose a container",
        )
    return tuple(picked)


def _tags(session: Session, chosen: Choices, owner: str) -> Mapping[str, Sequence[str]]:
    """Offer the tags that the chosen containers carry; values remembered but gone stay visible and can be taken off."""
    offered = session.workbench.library.tag_values(session.access, chosen.containers) if chosen.containers else {}
    keys = [*offered, *(key for key in chosen.filters.tags if key not in offered)]
    active = sum(len(st.session_state.get(f"ask-tag-{owner}-{key}", chosen.filters.tags.get(key, ()))) for key in keys)
    label = counted(active, "filter") if active else "Filters"
    picked: dict[str, Sequence[str]] = {}
    with st.popover(label, icon=":material/filter_list:", key=f"ask-filters-{owner}", disabled=not keys):
        for key in keys:
            before = tuple(chosen.filters.tags.get(key, ()))
            picked[key] = st.multiselect(
                literal(key.capitalize()),
                list(dict.fromkeys((*offered.get(key, ()), *before))),
                default=list(before),
                format_func=lambda value: one_line(value, 60),
                key=f"ask-tag-{owner}-{key}",
                placeholder="Any",
            )
    return picked


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
