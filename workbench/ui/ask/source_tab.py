"""The Source tab: the cited page with the supporting passage highlighted, and the steps from one citation to the next."""

import streamlit as st

from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound
from workbench.ui import viewer
from workbench.ui.addresses import MentionAddress
from workbench.ui.ask.navigation import go
from workbench.ui.ask.place import Place
from workbench.ui.session import Session
from workbench.ui.text import literal
from workbench.ui.viewer import opened


def show(session: Session, turn: Turn, place: Place) -> None:
    """Draw the source of ``place.mention``, or say what to click where no mention is chosen."""
    mention = place.mention
    if mention is None:
        st.caption("Click a citation in the answer to see the page it comes from.")
        return
    try:
        found = opened.resolve(session, MentionAddress(turn.conversation_id, turn.id, mention))
    except NotFound as error:
        st.warning(literal(str(error)), icon=":material/link_off:")
        return
    viewer.show(
        found.document,
        found.page,
        found.highlights,
        link=found.link,
        notice=found.notice,
        evidence=found.evidence,
        on_evidence=lambda index: go(place.at_mention(turn.id, index)),
        on_close=lambda: go(place.closed()),
        key="ask.viewer",
    )
