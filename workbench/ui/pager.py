"""The pager under a list: one page back, one on, and where one is."""

from collections.abc import Callable
from functools import partial

import streamlit as st


def show(key: str, page: int, pages: int, turn: Callable[[int], None], where: str) -> None:
    """Draw the pager of the list named ``key``, where there is more than one page to go to.

    ``page`` counts from 1 and may lie past the last of ``pages``: then *Previous* leads to the last. ``turn`` moves to the
    page it is given, in a callback; ``where`` is HTML that says which page this is.
    """
    if max(pages, page) <= 1:
        return
    back, on = min(page - 1, pages), page + 1
    with st.container(key=f"pager-{key}", horizontal=True, gap="small", vertical_alignment="center", wrap=False):
        for name, icon, target, possible in (
            ("Previous", "chevron_left", back, back >= 1),
            ("Next", "chevron_right", on, on <= pages),
        ):
            st.button(
                name,
                icon=f":material/{icon}:",
                key=f"pager-{key}-{name.lower()}",
                disabled=not possible,
                on_click=partial(turn, target),
            )
        st.html(where, width="content")
