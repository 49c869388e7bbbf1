"""The versions of a document: the current one, and those that old citations open."""

import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.errors import PinciteError
from workbench.ui import screens
from workbench.ui.addresses import DocumentAddress, PageAddress
from workbench.ui.documents import permitted
from workbench.ui.documents.dialogs import done, mark_closed, mark_open
from workbench.ui.documents.wording import size_text, standing, standing_class
from workbench.ui.session import Session, require
from workbench.ui.state import Key
from workbench.ui.text import escaped, literal


def show(session: Session, document: Document) -> None:
    """List the versions, the latest first, each to be opened; a replaced one can be deleted alone."""
    for version in session.workbench.library.versions(session.access, document.id):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            here = " <b>this page</b>" if version.id == document.id else ""
            st.html(
                f'<span class="pc-state {standing_class(version)}">Version {version.version}, '
                f"{escaped(standing(version).lower())}</span>"
                f'<span class="pc-quiet"> · {version.uploaded_at:%-d %b %Y} · {size_text(version.size)}{here}</span>'
            )
            _show_actions(session, version, opened=version.id == document.id)


def _show_actions(session: Session, version: Document, *, opened: bool) -> None:
    if not opened and st.button("Open", key=f"version.open.{version.id}", type="tertiary"):
        st.switch_page(screens.DOCUMENT, query_params=DocumentAddress(version.id).query)
    if version.page_count and st.button("Read", key=f"version.read.{version.id}", type="tertiary"):
        st.switch_page(screens.VIEWER, query_params=PageAddress(version.id, 1).query)
    may_purge = bool(version.replaced_by) and permitted.with_documents(session.access, [version]).delete
    if may_purge and st.button("Purge", key=f"version.purge.{version.id}", type="tertiary"):
        _purge(version)


@st.dialog("Purge an old version", on_dismiss=mark_closed)
def _purge(version: Document) -> None:
    mark_open()
    st.markdown(
        f"Delete version {version.version} of {literal(version.display_name)}? The other versions stay. Answers that cite "
        "it keep their text and say that the source was deleted. It cannot be undone."
    )
    keep, purge = st.columns(2)
    if keep.button("Keep", width="stretch"):
        done()
    if purge.button(f"Purge version {version.version}", type="primary", width="stretch"):
        session = require()
        try:
            receipt = session.workbench.deletion.delete_document(session.access, version.id, versions=False)
        except PinciteError as error:
            st.error(literal(str(error)))
            return
        st.session_state.setdefault(Key.DELETED, []).append(receipt.id)
        done()
