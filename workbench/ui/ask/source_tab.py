"""The Source tab: the cited page with the supporting passage highlighted, or a document opened from a list."""

from collections.abc import Callable

import streamlit as st

from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound, SourceDeleted
from workbench.ui import viewer
from workbench.ui.addresses import MentionAddress, PageAddress
from workbench.ui.ask.navigation import go
from workbench.ui.ask.place import Place
from workbench.ui.session import Session
from workbench.ui.text import literal
from workbench.ui.viewer import opened
from workbench.ui.viewer.opened import Opened


def show(session: Session, turn: Turn, place: Place) -> None:
    """Draw the source of ``place.mention``, or say what to click where no mention is chosen."""
    mention = place.mention
    if mention is None:
        st.caption("Click a citation in the answer to see the page it comes from.")
        return
    found = _resolved(session, MentionAddress(turn.conversation_id, turn.id, mention))
    if found is not None:
        _draw(found, place, on_evidence=lambda index: go(place.at_mention(turn.id, index)))


def show_document(session: Session, address: PageAddress, place: Place) -> None:
    """Draw a document at a page."""
    found = _resolved(session, address)
    if found is not None:
        _draw(found, place)


def _resolved(session: Session, address: PageAddress | MentionAddress) -> Opened | None:
    try:
        return opened.resolve(session, address)
    except SourceDeleted as gone:
        st.info(literal(str(gone)), icon=":material/delete:")
        return None
    except NotFound as error:
        st.warning(literal(str(error)), icon=":material/link_off:")
        return None


def _draw(found: Opened, place: Place, on_evidence: Callable[[int], None] | None = None) -> None:
    viewer.show(
        found.document,
        found.page,
        found.highlights,
        title=found.title,
        link=found.link,
        notices=found.notices,
        cells=found.cells,
        evidence=found.evidence,
        on_evidence=on_evidence,
        on_close=lambda: go(place.closed()),
        key="ask.viewer",
    )
