"""The page of one document: what it is, how reading it went, its labels, its versions, its jobs."""

import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import DocumentId
from workbench.ui import links, screens
from workbench.ui.addresses import PageAddress
from workbench.ui.documents import (
    actions,
    deletions,
    dialogs,
    editing,
    facts,
    job_list,
    permitted,
    progress,
    report,
    versions,
)
from workbench.ui.session import Session
from workbench.ui.state import Key
from workbench.ui.text import escaped, literal


def show(session: Session) -> None:
    """Draw the page from its address."""
    open_links()
    deletions.show_new(session)
    actions.show_refused()
    document_id = DocumentId(st.query_params.get("document", ""))
    try:
        document = session.workbench.library.document(session.access, document_id)
        container = session.workbench.library.container(session.access, document.container_id)
    except NotFound:
        _show_not_found()
        return
    st.page_link(screens.DOCUMENTS, label="All documents", icon=":material/arrow_back:")
    st.html(facts.head_html(document) + facts.line_html(document, container))
    _show_actions(session, document)
    progress.show([document.id] if document.state.working else [])
    left, right = st.columns([3, 2], gap="large")
    with left:
        report.show_remarks(document)
        st.subheader("Report", anchor=False)
        report.show(session, document)
    with right:
        _show_side(session, document)


def open_links() -> None:
    """Let plain clicks on links to the viewer open it in this tab."""
    query = st.session_state.pop(Key.OPEN_PAGE, None)
    if query:
        st.switch_page(screens.VIEWER, query_params=query)
    links.router(lambda asked: st.session_state.update({Key.OPEN_PAGE: asked}))


def _show_side(session: Session, document: Document) -> None:
    st.subheader("Labels", anchor=False)
    editing.show_labels(session, document, "page")
    st.subheader("Versions", anchor=False)
    versions.show(session, document)
    st.subheader("Jobs", anchor=False)
    job_list.show(session, document)


def _show_actions(session: Session, document: Document) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if document.page_count and st.button("Read", icon=":material/find_in_page:", type="primary"):
            st.switch_page(screens.VIEWER, query_params=PageAddress(document.id, 1).query)
        files = [f'<a href="/documents/{escaped(document.id)}/original" download>Original file</a>']
        if document.canonical_hash:
            files.append(f'<a href="/documents/{escaped(document.id)}/document.pdf" target="_blank">Page PDF</a>')
        st.html(f'<span class="pc-files-of">{"".join(files)}</span>', width="content")
        may = permitted.with_documents(session.access, [document])
        if may.edit:
            _show_visibility(session, document)
        if may.delete and st.button("Delete", icon=":material/delete:"):
            dialogs.delete([document])
        permitted.tell(may)


def _show_visibility(session: Session, document: Document) -> None:
    label = "Publish" if document.hidden else "Hide"
    if not st.button(label, icon=":material/visibility:" if document.hidden else ":material/visibility_off:"):
        return
    try:
        session.workbench.labels.set_hidden(session.access, [document.id], not document.hidden)
    except PinciteError as error:
        st.error(literal(str(error)))
        return
    st.rerun()


def _show_not_found() -> None:
    """The same words for what is missing and what is not for this user."""
    st.header("Not found", anchor=False)
    st.text("This address opens nothing: the document does not exist, or is not visible to you.")
    st.page_link(screens.DOCUMENTS, label="Go to Documents", icon=":material/folder_open:")
