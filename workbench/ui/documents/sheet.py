"""The side sheet: one document beside the table, with its report, its labels and what is suggested."""

import streamlit as st

from workbench.domain.errors import NotFound
from workbench.domain.ids import DocumentId
from workbench.ui import screens
from workbench.ui import session as door
from workbench.ui.addresses import DocumentAddress, PageAddress
from workbench.ui.documents import editing, facts, report
from workbench.ui.documents.dialogs import mark_closed, mark_open


@st.dialog("Document", position="right", width="medium", on_dismiss=mark_closed)
def show(document_id: DocumentId) -> None:
    """Show a document as it is now; what is changed here is in the table when the sheet is closed."""
    mark_open()
    session = door.require()
    try:
        document = session.workbench.library.document(session.access, document_id)
        container = session.workbench.library.container(session.access, document.container_id)
    except NotFound:
        st.text("This document does not exist any more, or is not visible to you.")
        return
    st.html(facts.head_html(document) + facts.line_html(document, container))
    with st.container(horizontal=True):
        if document.page_count and st.button("Read", icon=":material/find_in_page:"):
            mark_closed()
            st.switch_page(screens.VIEWER, query_params=PageAddress(document.id, 1).query)
        if st.button("Open its page", icon=":material/open_in_full:"):
            mark_closed()
            st.switch_page(screens.DOCUMENT, query_params=DocumentAddress(document.id).query)
    report.show_remarks(document)
    editing.show_labels(session, document, "sheet")
    report.show(session, document)
