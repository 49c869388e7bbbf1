"""Says that no language model is configured. Quiet, above the conversation, and gone for the session once dismissed."""

import streamlit as st

from workbench.ui.ask.session_keys import AskKey
from workbench.ui.session import Session

TEXT = (
    "No language model is configured. The embedded extractive model answers with sentences quoted from your documents."
    " Settings says how to connect OpenAI, Azure OpenAI or a compatible server."
)


def show(session: Session) -> None:
    """Draw the banner where the embedded model answers."""
    if not session.workbench.settings.embedded or st.session_state.get(AskKey.BANNER_HIDDEN):
        return
    with st.container(key="ask-banner", horizontal=True, gap="small", vertical_alignment="center", wrap=False):
        st.html(f'<p class="pc-banner">{TEXT}</p>')
        st.button(
            "",
            icon=":material/close:",
            type="tertiary",
            key="ask-banner-hide",
            help="Hide for this session",
            on_click=st.session_state.update,
            args=({AskKey.BANNER_HIDDEN: True},),
        )
