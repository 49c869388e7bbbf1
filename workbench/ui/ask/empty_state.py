"""What the screen shows before the first question: what it is for, and one thing to do."""

from collections.abc import Callable

import streamlit as st

from workbench.ui import screens
from workbench.ui.session import Session

EXAMPLES = (
    "Compare the payment terms in our supplier contracts",
    "Which contracts renew automatically, and how are they ended?",
    "What is the liability cap in each contract?",
    "Show the total amount by supplier as a chart",
)


def show(session: Session, on_ask: Callable[[str], None]) -> None:
    """Offer questions to start from; where there is nothing to ask about yet, the way to the documents."""
    library, access = session.workbench.library, session.access
    containers = [container.id for container in library.containers(access)]
    ready = any(document.searchable for document in library.documents(access, containers))
    with st.container(key="ask-empty", gap="small"):
        if not ready:
            st.html(
                '<h1 class="pc-welcome">Ask your documents</h1><p>Every claim of an answer opens the page it comes from.'
                " There are no documents to ask about yet: add some, or load the sample contracts.</p>"
            )
            if st.button("Go to Documents", type="primary", icon=":material/folder_open:", key="ask.documents"):
                st.switch_page(screens.DOCUMENTS)
            return
        st.html(
            '<h1 class="pc-welcome">Ask your documents</h1>'
            "<p>Every claim of an answer opens the page it comes from. Try one of these, or write your own below.</p>"
        )
        for number, question in enumerate(EXAMPLES):
            st.button(
                question, key=f"ask-example-{number}", icon=":material/subdirectory_arrow_right:",
                on_click=on_ask, args=(question,),
            )  # fmt: skip
