"""The panel beside the conversation: Source and Trace, closed until needed, its width in steps and remembered."""

from collections.abc import Sequence

import streamlit as st

from workbench.domain.conversations import Turn
from workbench.domain.results import TurnStatus
from workbench.ui.ask import source_tab, trace_tab
from workbench.ui.ask.navigation import go
from workbench.ui.ask.place import Place, Tab
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.ask.trace_tab import LiveTrace
from workbench.ui.ask.turn_view import links_of
from workbench.ui.session import Session

WIDTHS = (0.4, 0.52, 0.62)
"""The steps of the panel's share of the screen."""


def width() -> float:
    """Return the panel's share of the screen, as last chosen."""
    return WIDTHS[_step()]


def show(session: Session, place: Place, turns: Sequence[Turn]) -> LiveTrace | None:
    """Draw the panel, where one is open. Return the live trace where the turn still runs and its trace is wanted."""
    turn = next((each for each in turns if each.id == place.turn), None)
    if place.tab is None:
        st.container(key="ask-panel-closed")
        return None
    with st.container(key="ask-panel", gap="small"):
        _bar(place, turns)
        if place.tab is Tab.SOURCE and place.document is not None:
            source_tab.show_document(session, place.document, place)
        elif turn is None:
            st.warning("The address names an answer that this conversation does not have.", icon=":material/link_off:")
        elif place.tab is Tab.SOURCE:
            source_tab.show(session, turn, place)
        elif turn.status is TurnStatus.RUNNING:
            with st.container(key="ask-trace", gap="small"):
                return LiveTrace(links_of(turn, place))
        else:
            with st.container(key="ask-trace", gap="small"):
                trace_tab.show(session, turn, links_of(turn, place))
    return None


def _bar(place: Place, turns: Sequence[Turn]) -> None:
    with st.container(key="ask-panel-bar", horizontal=True, gap="xsmall", vertical_alignment="center", wrap=False):
        st.session_state[AskKey.TAB] = place.tab
        st.segmented_control(
            "Panel",
            list(Tab),
            required=True,
            format_func=lambda tab: tab.value.capitalize(),
            key=AskKey.TAB,
            label_visibility="collapsed",
            on_change=_tab_chosen,
            args=(place, turns),
            width="stretch",
        )
        for step, icon, label in ((1, "chevron_left", "Wider"), (-1, "chevron_right", "Narrower")):
            st.button(
                "",
                icon=f":material/{icon}:",
                type="tertiary",
                key=f"ask-panel-{label}",
                help=label,
                disabled=not 0 <= _step() + step < len(WIDTHS),
                on_click=_resize,
                args=(step,),
            )
        st.button(
            "",
            icon=":material/close:",
            type="tertiary",
            key="ask-panel-close",
            help="Close (Escape)",
            on_click=go,
            args=(place.closed(),),
        )


def _tab_chosen(place: Place, turns: Sequence[Turn]) -> None:
    tab = Tab(st.session_state[AskKey.TAB])
    turn = place.turn or (turns[-1].id if turns else None)
    go(place.at_trace(turn) if tab is Tab.TRACE and turn is not None else place._replace(tab=tab))


def _step() -> int:
    return int(st.session_state.get(AskKey.PANEL_WIDTH, 1))


def _resize(step: int) -> None:
    st.session_state[AskKey.PANEL_WIDTH] = min(len(WIDTHS) - 1, max(0, _step() + step))
