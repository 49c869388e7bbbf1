"""The Viewer screen: what the address names, or a choice of documents."""

import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.errors import NotFound, SourceDeleted
from workbench.domain.ids import DocumentId
from workbench.ui import addresses, screens, viewer
from workbench.ui.addresses import MentionAddress, PageAddress
from workbench.ui.session import Session
from workbench.ui.state import Key
from workbench.ui.text import escaped, visible
from workbench.ui.viewer import opened
from workbench.ui.viewer.opened import Opened


def show(session: Session) -> None:
    """Draw the screen from the address of the page."""
    query = st.query_params.to_dict()
    address = addresses.read(query)
    if address is None and query.keys() & {"document", "turn", "conversation"}:
        _show_not_found()
    elif address is None:
        _show_choice(session)
    else:
        try:
            found = opened.resolve(session, address)
        except SourceDeleted as gone:
            _show_deleted(gone)
        except NotFound:
            _show_not_found()
        else:
            _show_opened(found, address)


def _show_opened(found: Opened, address: PageAddress | MentionAddress) -> None:
    _show_title(found)

    def open_evidence(index: int) -> None:
        if isinstance(address, MentionAddress):
            st.query_params.from_dict(address._replace(mention=index).query)

    viewer.show(
        found.document,
        found.page,
        found.highlights,
        link=found.link,
        notices=found.notices,
        cells=found.cells,
        evidence=found.evidence,
        on_evidence=open_evidence,
    )


def _show_title(found: Opened) -> None:
    quote = f'<blockquote class="pc-quote">{escaped(visible(found.quote))}</blockquote>' if found.quote else ""
    st.html(f'<h1 class="pc-title">{escaped(found.title)}</h1>{quote}')


def _show_not_found() -> None:
    """The same words for what is missing and what is not for this user."""
    st.header("Not found", anchor=False)
    st.text("This address opens nothing: the document or the answer does not exist, or is not visible to you.")
    st.page_link(screens.DOCUMENTS, label="Go to Documents", icon=":material/folder_open:")


def _show_deleted(gone: SourceDeleted) -> None:
    """Only those who could see the document learn that there was one."""
    st.header("Deleted", anchor=False)
    st.text(str(gone))
    st.page_link(screens.DOCUMENTS, label="Go to Documents", icon=":material/folder_open:")


def _show_choice(session: Session) -> None:
    st.header("Viewer", anchor=False)
    containers = session.workbench.library.containers(session.access)
    documents = session.workbench.library.documents(session.access, [container.id for container in containers])
    readable = {document.id: document for document in documents if document.page_count}
    if not readable:
        st.text("Here you read a document page by page, with the evidence marked. There is no document to read yet.")
        st.page_link(screens.DOCUMENTS, label="Add documents", icon=":material/folder_open:")
        return
    st.text("Read a document page by page. A citation in an answer opens here too, with its passage marked.")
    _choose(readable)


def _choose(readable: dict[DocumentId, Document]) -> None:
    def open_choice() -> None:
        chosen = st.session_state[Key.VIEWER_CHOICE]
        if chosen is not None:
            st.query_params.from_dict(PageAddress(chosen, 1).query)

    st.selectbox(
        "Document",
        list(readable),
        index=None,
        format_func=lambda chosen: visible(readable[chosen].display_name),
        placeholder="Choose a document",
        key=Key.VIEWER_CHOICE,
        on_change=open_choice,
        width=560,
    )
