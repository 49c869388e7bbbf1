"""The list of documents that a turn found, page by page: by its stored parameters, without any model (TOOL-13)."""

import streamlit as st

from workbench.domain.conversations import Turn
from workbench.domain.errors import PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.listing import Listing
from workbench.ui import pager
from workbench.ui.ask.listing_html import cards_html, coverage_html, listing_html, range_html
from workbench.ui.ask.navigation import go
from workbench.ui.ask.place import Place, Tab
from workbench.ui.session import Session
from workbench.ui.text import literal


def show_coverage(turn: Turn) -> None:
    """Say on how much of its list the answer rests, where that is not all of it."""
    if turn.coverage is not None and turn.coverage.limited:
        st.html(coverage_html(turn.coverage))


def show(session: Session, turn: Turn, place: Place) -> None:
    """Draw the turn's cards and its list, where it has them. The answer above stays as it was, whatever page is shown."""
    opened = place.document.document_id if place.document is not None and place.tab is Tab.SOURCE else None
    if turn.cards:
        st.html(cards_html(turn.cards, opened))
    if turn.listing is not None:
        _list(session, turn, turn.listing, place, opened)


def _list(session: Session, turn: Turn, stored: Listing, place: Place, opened: DocumentId | None) -> None:
    listing = stored
    page = place.list_page(turn.id)
    if page is not None and page != stored.page:
        try:
            listing = session.workbench.listings.page_of(session.access, turn, page)
        except PinciteError as error:
            st.warning(literal(str(error)), icon=":material/link_off:")
    st.html(listing_html(listing, opened))
    if listing.total != stored.total:
        st.caption(f"The library has changed since the answer, which counted {stored.total:,}.")
    pager.show(
        f"list-{turn.id}",
        listing.page,
        listing.pages,
        lambda number: go(place.at_list(turn.id, number)),
        range_html(listing),
    )
