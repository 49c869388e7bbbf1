"""The Trace tab: budgets and timeline of one turn, live or afterwards."""

from collections.abc import Sequence

import streamlit as st

from workbench.domain.citations import CitedAnswer
from workbench.domain.events import Event
from workbench.ui.ask.answer_html import TurnLinks
from workbench.ui.ask.meters import budget
from workbench.ui.ask.progress import Progress
from workbench.ui.ask.trace_html import meters_html, step_html
from workbench.ui.ask.trace_steps import trace_steps


def show(events: Sequence[Event], answer: CitedAnswer, links: TurnLinks) -> None:
    """Draw the trace of a turn that has ended."""
    steps = "".join(step_html(step, answer, links) for step in trace_steps(events))
    st.html(f'{meters_html(budget(events))}<div class="pc-trace">{steps}</div>')


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
