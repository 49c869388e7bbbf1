"""The Trace tab: budgets and timeline of one turn, live or afterwards."""

import streamlit as st

from workbench.domain.conversations import Turn
from workbench.ui.ask import run_again
from workbench.ui.ask.answer_html import TurnLinks
from workbench.ui.ask.meters import budget
from workbench.ui.ask.progress import Progress
from workbench.ui.ask.trace_html import meters_html, step_html
from workbench.ui.ask.trace_steps import trace_steps
from workbench.ui.session import Session


def show(session: Session, turn: Turn, links: TurnLinks) -> None:
    """Draw the trace of a turn that has ended. Below each calculation, it can be run again."""
    events = session.workbench.turns.events(session.access, turn.id)
    st.html(meters_html(budget(events)))
    html: list[str] = []
    for step in trace_steps(events):
        html.append(step_html(step, turn.answer, links))
        if step.run is not None:
            _draw(html)
            run_again.show(session, turn.id, step.key, step.run)
    _draw(html)


def _draw(steps: list[str]) -> None:
    """Draw the steps collected so far, and begin anew."""
    if steps:
        st.html(f'<div class="pc-trace">{"".join(steps)}</div>')
    steps.clear()


class LiveTrace:
    """The trace of a running turn. Each step is an element of its own, so that one a reader has opened stays open."""

    def __init__(self, links: TurnLinks) -> None:
        self._links = links
        self._meters = st.empty()
        self._steps = st.container(key="ask-live-steps", gap=None)
        self._drawn: list[str] = []
        self._places = [self._steps.empty()]

    def draw(self, progress: Progress, seconds: float) -> None:
        """Draw what has changed since the last time. ``seconds`` is how long the turn has run."""
        self._meters.html(meters_html(budget(progress.events).at(seconds)))
        for index, step in enumerate(trace_steps(progress.events)):
            html = step_html(step, progress.answer, self._links)
            if index == len(self._drawn):
                self._drawn.append("")
                self._places.append(self._steps.empty())
            if self._drawn[index] != html:
                self._places[index].html(html)
                self._drawn[index] = html
