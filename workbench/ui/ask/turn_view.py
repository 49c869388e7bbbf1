"""A turn that has ended: question, answer, sources, and how it ended; exactly as it was when it ended."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from workbench.domain.conversations import Turn
from workbench.domain.events import Event
from workbench.ui.ask import chart_view, listing_view
from workbench.ui.ask.answer_html import TurnLinks, answer_html
from workbench.ui.ask.navigation import go
from workbench.ui.ask.place import Place, Tab
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.ask.sources_html import sources_html
from workbench.ui.ask.trace_steps import found_by, trace_steps
from workbench.ui.ask.turn_html import note_html, question_html, summary_html
from workbench.ui.ask.turn_note import Remedy, note_of
from workbench.ui.session import Session

_HELP = {
    Remedy.CONTINUE: "Asks the same question here again and sends the whole conversation along, from what is stored here"
}


class Summary(NamedTuple):
    """What the screen needs of a finished turn's events: they never change, so each turn's are read once a session."""

    line: str
    found_by: dict[str, str]


def show(
    session: Session, turn: Turn, place: Place, remedies: dict[Remedy, Callable[[Turn], None]], last: bool
) -> None:
    """Draw the turn. ``remedies`` are what the note's button does; they are offered on the last turn only."""
    summary = _summary(session, turn)
    with st.container(key=f"ask-turn{'-last' if last else ''}-{turn.id}", gap="small"):
        st.html(question_html(turn))
        with st.container(
            key=f"ask-line-{turn.id}", horizontal=True, gap="small", vertical_alignment="center", wrap=False
        ):
            st.html(summary.line, width="content")
            trace_button(turn, place)
        _note(turn, remedies if last else {})
        listing_view.show_coverage(turn)
        if turn.answer.text:
            links = links_of(turn, place)
            body = answer_html(turn.answer.text, turn.answer.mentions, turn.answer.citations, links)
            cited = {citation.document_id for citation in turn.answer.citations}
            deleted = session.workbench.deletion.sources.when(session.access, cited)
            sources = sources_html(turn.answer, links, summary.found_by, deleted)
            st.html(f'<div class="pc-answer">{body}</div>{sources}')
        chart_view.show(turn)
        listing_view.show(session, turn, place)


def links_of(turn: Turn, place: Place) -> TurnLinks:
    """Return the turn's links, with the mention marked whose source is open."""
    shown = place.tab is Tab.SOURCE and place.turn == turn.id and place.mention is not None
    known = shown and place.mention is not None and place.mention < len(turn.answer.mentions)
    step = place.step if place.tab is Tab.TRACE and place.turn == turn.id else None
    return TurnLinks(turn.conversation_id, turn.id, place.mention if known else None, step)


def trace_button(turn: Turn, place: Place) -> None:
    """Open the turn's trace, or close it where it is open."""
    opened = place.tab is Tab.TRACE and place.turn == turn.id
    st.button(
        "Hide trace" if opened else "Trace",
        icon=":material/timeline:",
        type="tertiary",
        key=f"ask-trace-{turn.id}",
        on_click=go,
        args=(place.closed() if opened else place.at_trace(turn.id),),
    )


def _note(turn: Turn, remedies: dict[Remedy, Callable[[Turn], None]]) -> None:
    note = note_of(turn)
    if note is None:
        return
    st.html(note_html(note))
    offered = [remedy for remedy in note.remedies if remedy in remedies]
    if offered:
        with st.container(key=f"ask-remedies-{turn.id}", horizontal=True, gap="small"):
            for remedy in offered:
                key = f"ask-remedy-{turn.id}" + ("-second" if remedy is note.second else "")
                st.button(remedy.value, key=key, help=_HELP.get(remedy), on_click=remedies[remedy], args=(turn,))


def _summary(session: Session, turn: Turn) -> Summary:
    known: dict[str, Summary] = st.session_state.setdefault(AskKey.SUMMARIES, {})
    if turn.id not in known:
        events: Sequence[Event] = session.workbench.turns.events(session.access, turn.id)
        known[turn.id] = Summary(summary_html(turn, events), found_by(trace_steps(events)))
    return known[turn.id]
