"""A running turn, drawn as it happens. The turn is a job of its own: this only looks on, and may leave at any time."""

import time

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from workbench.domain.budgets import LimitName
from workbench.domain.conversations import Turn
from workbench.ui.ask.answer_html import answer_html
from workbench.ui.ask.live_line import live_line
from workbench.ui.ask.meters import budget
from workbench.ui.ask.place import Place
from workbench.ui.ask.progress import Progress
from workbench.ui.ask.trace_html import gauge_html
from workbench.ui.ask.trace_tab import LiveTrace
from workbench.ui.ask.turn_html import live_html, question_html
from workbench.ui.ask.turn_view import links_of, trace_button
from workbench.ui.session import Session

FRAME = 1 / 12
"""Seconds between two redraws. More often is not seen, and costs everyone else on the machine."""

_GAUGED = (LimitName.MODEL_CALLS, LimitName.TOOL_CALLS, LimitName.CHUNKS, LimitName.SECONDS)


class RunningTurn:
    """Places for the parts of a running turn, filled by :meth:`follow` once the rest of the screen stands."""

    def __init__(self, turn: Turn, place: Place) -> None:
        self._turn = turn
        self._links = links_of(turn, place)
        with st.container(key=f"ask-turn-last-{turn.id}", gap="small"):
            st.html(question_html(turn))
            with st.container(
                key=f"ask-line-{turn.id}", horizontal=True, gap="small", vertical_alignment="center", wrap=False
            ):
                self._line = st.empty()
                trace_button(turn, place)
            self._answer = st.empty()
            self._trouble = st.empty()

    def follow(self, session: Session, gauge: DeltaGenerator, trace: LiveTrace | None) -> None:
        """Draw the turn until it ends, then draw the screen again with the finished one.

        Every heartbeat draws, because Streamlit can end a script (a click, a closed tab) only where it draws.
        """
        progress = Progress()
        drawn = 0.0
        heard = time.monotonic()
        for event in session.workbench.turns.follow(session.access, self._turn.id):
            now = time.monotonic()
            if event is not None:
                progress.add(event)
                heard = now
            if event is None or now - drawn >= FRAME:
                self._draw(progress, progress.seconds + now - heard, gauge, trace)
                drawn = now
        if progress.finished is not None:
            st.rerun()
        self._draw(progress, progress.seconds, gauge, trace)
        self._trouble.warning(
            "This answer is being worked on by another process. Reload the page to see how far it is.",
            icon=":material/sync_problem:",
        )

    def _draw(self, progress: Progress, seconds: float, gauge: DeltaGenerator, trace: LiveTrace | None) -> None:
        self._line.html(live_html(live_line(progress.events, seconds)))
        spent = budget(progress.events).at(seconds)
        gauge.html(gauge_html([spent.meter(limit) for limit in _GAUGED]))
        answer = progress.answer
        if answer.text:
            body = answer_html(answer.text, answer.mentions, answer.citations, self._links)
            self._answer.html(f'<div class="pc-answer pc-answer-live">{body}</div>')
        else:
            self._answer.html('<div class="pc-skeleton" aria-hidden="true"><i></i><i></i><i></i></div>')
        if trace is not None:
            trace.draw(progress, seconds)
