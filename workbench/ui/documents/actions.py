"""What can be done with the selected documents: only what applies to them is offered."""

from collections.abc import Callable, Sequence

import streamlit as st

from workbench.domain.documents import Document, DocumentState
from workbench.domain.errors import PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.scope import Access
from workbench.ui import screens
from workbench.ui.addresses import PageAddress
from workbench.ui.documents import dialogs, editing, permitted, sheet, suggested
from workbench.ui.documents.wording import count
from workbench.ui.session import Session
from workbench.ui.state import Key
from workbench.ui.text import literal


def show(
    session: Session, documents: Sequence[Document], shown: Sequence[Document], selected: Sequence[Document]
) -> None:
    """Show what can be done with ``selected``, or the number of ``shown`` documents where none is."""
    if not selected:
        _show_total(session, shown)
        return
    may = permitted.with_documents(session.access, selected)
    st.html(f"<span>{count(len(selected), 'document')} selected</span>", width="content")
    if len(selected) == 1:
        _show_for_one(selected[0])
    if may.edit:
        _show_changes(session, documents, selected)
    if may.delete and st.button("Delete", icon=":material/delete:"):
        dialogs.delete(selected)
    permitted.tell(may)


def _show_changes(session: Session, documents: Sequence[Document], selected: Sequence[Document]) -> None:
    if st.button("Edit", icon=":material/label:", help="Tags, date and language"):
        editing.edit(selected, documents)
    if any(each.state is DocumentState.READY for each in selected) and st.button(
        "Suggestions", icon=":material/new_label:"
    ):
        suggested.review(selected)
    _show_visibility(session, selected)
    _show_jobs(session, selected)


def _show_total(session: Session, shown: Sequence[Document]) -> None:
    pages = sum(document.page_count for document in shown)
    st.html(f'<span class="pc-quiet">{count(len(shown), "document")}, {count(pages, "page")}</span>', width="content")
    mine = [each for each in shown if permitted.with_documents(session.access, [each]).edit]
    if any(each.state is DocumentState.READY for each in mine) and st.button(
        "Review suggestions", icon=":material/new_label:", type="tertiary"
    ):
        suggested.review(mine)
    if not mine:
        permitted.tell(permitted.with_documents(session.access, shown))


def _show_for_one(document: Document) -> None:
    if st.button("Details", icon=":material/side_navigation:"):
        sheet.show(document.id)
    if document.page_count and st.button("Read", icon=":material/find_in_page:"):
        st.switch_page(screens.VIEWER, query_params=PageAddress(document.id, 1).query)


def _show_visibility(session: Session, selected: Sequence[Document]) -> None:
    hidden = [each.id for each in selected if each.hidden]
    published = [each.id for each in selected if not each.hidden]
    if published and st.button("Hide", icon=":material/visibility_off:", help="Leave out of every search"):
        _set_hidden(session, published, hidden=True)
    if hidden and st.button("Publish", icon=":material/visibility:", help="Let searches find it"):
        _set_hidden(session, hidden, hidden=False)


def _set_hidden(session: Session, documents: Sequence[DocumentId], *, hidden: bool) -> None:
    try:
        session.workbench.labels.set_hidden(session.access, documents, hidden)
    except PinciteError as error:
        st.error(literal(str(error)))
        return
    st.rerun()


def _show_jobs(session: Session, selected: Sequence[Document]) -> None:
    working = [each.id for each in selected if each.state.working]
    ended = [each.id for each in selected if each.state in (DocumentState.FAILED, DocumentState.CANCELLED)]
    if working and st.button("Cancel", icon=":material/cancel:", help="Stop reading"):
        each_of(session.workbench.ingestion.cancel, session, working)
    if ended and st.button("Retry", icon=":material/refresh:", help="Read again"):
        each_of(session.workbench.ingestion.retry, session, ended)


def each_of(do: Callable[[Access, DocumentId], Document], session: Session, documents: Sequence[DocumentId]) -> None:
    """Do something to each document; one that refuses says so at the next draw, and the others go on."""
    refused: list[str] = []
    for document_id in documents:
        try:
            do(session.access, document_id)
        except PinciteError as error:
            refused.append(str(error))
    st.session_state[Key.REFUSED_ACTIONS] = refused
    st.rerun()


def show_refused() -> None:
    """Say once what could not be done."""
    for message in st.session_state.pop(Key.REFUSED_ACTIONS, []):
        st.error(literal(message), icon=":material/error:")
