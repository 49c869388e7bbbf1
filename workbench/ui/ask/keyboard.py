"""Keys and scrolling in the browser."""

from pathlib import Path

import streamlit as st

from workbench.domain.ids import TurnId
from workbench.ui.ask.session_keys import AskKey

_mount = st.components.v2.component(
    "pincite.keyboard",
    html="<span></span>",
    js=Path(__file__).with_name("keyboard.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def mount(turn: TurnId | None, opened: str) -> None:
    """Let ``/`` focus the composer and Escape close the panel.

    ``turn`` is brought into view the first time it is there, and the chip of the open source, or the step at which the trace
    is opened, whenever ``opened``, which names it, changes.
    """
    _mount(key=AskKey.KEYBOARD, data={"turn": turn, "opened": opened})
