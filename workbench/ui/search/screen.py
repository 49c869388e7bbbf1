"""The Search screen, put together: passages without a model, the page of one beside them, and the gaps."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from workbench.domain.documents import Container
from workbench.domain.errors import NotFound, PinciteError, SourceDeleted
from workbench.domain.ids import ContainerId
from workbench.services.passages.found import Found
from workbench.ui import links, screens, viewer
from workbench.ui.addresses import PageAddress
from workbench.ui.ask import choices, panel
from workbench.ui.search import form, gaps_view, keyboard, results
from workbench.ui.search.keys import SearchKey
from workbench.ui.search.navigation import current, go
from workbench.ui.search.place import SearchPlace, View
from workbench.ui.session import Session
from workbench.ui.text import literal, visible
from workbench.ui.viewer import opened

_STYLES = (Path(panel.__file__).with_name("ask.css"), Path(__file__).with_name("search.css"))


def show(session: Session) -> None:
    for style in _STYLES:
        st.html(style)
    place = current()
    links.router(lambda link: go(place.followed(link)))
    keyboard.mount()
    offered = session.workbench.library.containers(session.access)
    share = panel.width()
    centre, side = st.columns([1 - share, share], gap="medium")
    with centre, st.container(key="search-centre", gap="small"):
        _head(session, place)
        if place.view is View.GAPS:
            gaps_view.show(session)
            return
        if not _ready(session, offered):
            _no_documents()
            return
        place = _search(session, place, offered)
    if place.opened is not None:
        with side, st.container(key="search-panel", gap="small"):
            _page(session, place, place.opened)


def _head(session: Session, place: SearchPlace) -> None:
    gaps = len(session.workbench.gaps.topics(session.access))
    labels = {View.SEARCH: "Search", View.GAPS: f"Gaps ({gaps})" if gaps else "Gaps"}
    with st.container(key="search-title", horizontal=True, gap="medium", vertical_alignment="center"):
        st.html('<h1 class="pc-title">Search</h1>', width="content")
        for view, label in labels.items():
            st.button(
                label,
                type="tertiary",
                key=f"search-view-{view.value}{'-open' if view is place.view else ''}",
                on_click=_switch,
                args=(view,),
            )


def _switch(view: View) -> None:
    # The place as it stands after the run that drew the button: its form may have changed it.
    place: SearchPlace = st.session_state[SearchKey.PLACE]
    go(place._replace(view=view, opened=None))


def _search(session: Session, place: SearchPlace, offered: Sequence[Container]) -> SearchPlace:
    """Draw the form and what it finds; return where the screen stands after this run's choices."""
    usual = choices.read(None, offered).containers
    asked = form.show(session, place, offered, usual)
    place = asked.place
    if not place.text:
        _welcome()
        return place
    found = _found(session, place, offered, usual, anew=asked.pressed)
    if found is not None:
        results.show(session, found, place)
    return place


def _found(
    session: Session, place: SearchPlace, offered: Sequence[Container], usual: Sequence[ContainerId], *, anew: bool
) -> Found | None:
    query = place.asked(usual)
    known = form.visible_ids(query.containers, offered)
    if query.containers and not known:
        st.warning("This address names no container of yours, so nothing is searched. Choose one above.")
        return None
    if len(known) < len(query.containers):
        st.warning("A container of this address does not exist or is not yours. It is not searched.")
    query = query.model_copy(update={"containers": known})
    try:
        if anew:
            session.workbench.passages.forget(session.access, query)
        return session.workbench.passages.find(session.access, query)
    except PinciteError as error:
        st.warning(literal(str(error)), icon=":material/search_off:")
        return None


def _page(session: Session, place: SearchPlace, address: PageAddress) -> None:
    """Draw the page that is open beside the results."""

    def close() -> None:
        go(place._replace(opened=None))

    with st.container(key="search-panel-bar", horizontal=True, horizontal_alignment="right"):
        st.button(
            "", icon=":material/close:", type="tertiary", key="search-close", help="Close (Escape)", on_click=close
        )
    try:
        found = opened.resolve(session, address)
    except SourceDeleted as gone:
        st.info(literal(str(gone)), icon=":material/delete:")
    except NotFound as error:
        st.warning(literal(str(error)), icon=":material/link_off:")
    else:
        viewer.show(
            found.document,
            found.page,
            found.highlights,
            title=visible(found.document.display_name),
            link=found.link,
            notices=found.notices,
            on_close=close,
            key=SearchKey.VIEWER,
        )


def _ready(session: Session, offered: Sequence[Container]) -> bool:
    documents = session.workbench.library.documents(session.access, [each.id for each in offered])
    return any(document.searchable for document in documents)


def _no_documents() -> None:
    st.html(
        '<h2 class="pc-nothing">There are no documents to search yet</h2>'
        '<p class="pc-quiet">Add some, or load the sample contracts: they can be searched as soon as they are read.</p>'
    )
    if st.button("Go to Documents", type="primary", icon=":material/folder_open:", key="search.documents"):
        st.switch_page(screens.DOCUMENTS)


def _welcome() -> None:
    st.html(
        '<p class="pc-quiet pc-read">Finds passages by their words and by their meaning, without a language model. A clause'
        " number, an invoice number or a phrase in quotation marks works as well. Each result opens its page.</p>"
    )
