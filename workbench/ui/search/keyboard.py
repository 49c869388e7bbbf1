"""Keys in the browser: ``/`` focuses the query, arrows move through the results, Enter opens one, Escape closes the page."""

from pathlib import Path

import streamlit as st

from workbench.ui.search.keys import SearchKey

_mount = st.components.v2.component(
    "pincite.search_keyboard",
    html="<span></span>",
    js=Path(__file__).with_name("keyboard.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def mount() -> None:
    _mount(key=SearchKey.KEYBOARD, data={})
