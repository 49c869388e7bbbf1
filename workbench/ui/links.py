"""The link router: plain clicks on links to the viewer come to Python instead of opening a new session."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import streamlit as st

from workbench.ui.state import Key

_mount = st.components.v2.component(
    "pincite.links",
    html="<span></span>",
    js=Path(__file__).with_name("links.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def router(on_open: Callable[[dict[str, str]], None], key: str = Key.LINKS) -> None:
    """Catch plain clicks on links to the viewer (``/viewer?``) and to a place of a conversation (``/?conversation=``).

    ``on_open`` is called with the link's query.

    ``on_open`` runs as a callback, before the script runs again; read the query with ``addresses.read``. A click also
    interrupts a script that is drawing a running turn, as any widget does.
    """

    def opened() -> None:
        query = st.session_state[key].get("open")
        if query:
            on_open(dict(parse_qsl(query)))

    _mount(key=key, on_open_change=opened)
