"""The Documents screen, put together: the table is the screen."""

from collections.abc import Sequence

import streamlit as st

from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.ids import ContainerId
from workbench.ui.documents import (
    actions,
    deletions,
    dialogs,
    document_screen,
    filters,
    permitted,
    progress,
    table,
    upload,
)
from workbench.ui.documents.filtering import narrowed, ordered
from workbench.ui.documents.wording import count, shown_name, unread_pages
from workbench.ui.session import Session
from workbench.ui.state import Key
from workbench.ui.text import escaped, visible

_ALL = ContainerId("")
_MOST_LINES = 5


def show(session: Session) -> None:
    """Draw the screen."""
    document_screen.open_links()
    filters.keep()
    containers = session.workbench.library.containers(session.access)
    st.header("Documents", anchor=False)
    if not containers:
        _show_empty(session)
        return
    bar = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="pc-bar-documents")
    with bar:
        chosen = _choose(containers)
    held = session.workbench.library.documents(session.access, chosen)
    documents = [document for document in held if document.replaced_by is None]
    may_add = permitted.editable(session.access, [each for each in containers if each.id in chosen])
    with bar:
        filters.show_words()
        filters.show_filters(documents)
        filters.show_order()
        is_open = _toggle_upload(may_add, is_open=st.session_state.get(Key.UPLOAD_OPEN, not documents))
    deletions.show_new(session)
    if is_open:
        upload.show(session, permitted.editable(session.access, containers), may_add[0].id)
    actions.show_refused()
    upload.show_outcome(documents)
    progress.show([document.id for document in documents if document.state.working])
    if documents:
        _show_documents(session, documents)
    elif not may_add:
        st.text("There is no document here yet. Editors of the container add them.")
    deletions.show_open(session)


def _show_empty(session: Session) -> None:
    st.markdown(
        "Here you keep the documents that you ask about, in containers: one for a department, one for a case. "
        "Pincite reads each page, and every answer opens the page it came from."
    )
    load, create = st.columns([2, 5], vertical_alignment="center")
    if load.button("Load the sample contracts", type="primary", icon=":material/library_add:", width="stretch"):
        with st.spinner("Taking in the sample contracts"):
            load_samples(session)
        st.rerun()
    with create:
        if st.button("or make a container of your own", type="tertiary"):
            dialogs.new_container()


def load_samples(session: Session) -> None:
    """Load the sample contracts into their container and choose it."""
    container, outcomes = session.workbench.ingestion.load_samples(session.access, session.workbench.samples)
    st.session_state[Key.CONTAINER] = container.id
    st.session_state[Key.UPLOAD_OPEN] = False
    upload.remember(outcomes)


def _choose(containers: Sequence[Container]) -> list[ContainerId]:
    """Ask which container to show; return it, or all of them."""
    names = {_ALL: "All containers"} | {container.id: container.name for container in containers}
    if st.session_state.get(Key.CONTAINER) not in names:
        st.session_state[Key.CONTAINER] = _ALL if len(containers) > 1 else containers[0].id

    def remember() -> None:
        st.session_state[Key.CONTAINER] = st.session_state[Key.CONTAINER_CHOICE]

    # The choice outlives its widget, which Streamlit forgets on another screen.
    st.session_state[Key.CONTAINER_CHOICE] = st.session_state[Key.CONTAINER]
    chosen = st.selectbox(
        "Container",
        list(names),
        format_func=names.__getitem__,
        key=Key.CONTAINER_CHOICE,
        on_change=remember,
        width=175,
        label_visibility="collapsed",
    )
    if st.button("New", icon=":material/create_new_folder:", help="New container"):
        dialogs.new_container()
    return list(names)[1:] if chosen == _ALL else [chosen]


def _toggle_upload(may_add: Sequence[Container], *, is_open: bool) -> bool:
    """Let whoever may add documents open and close the drop zone; return whether it is open."""
    if not may_add:
        return False
    if st.button(
        "Close" if is_open else "Add documents",
        type="secondary" if is_open else "primary",
        icon=":material/close:" if is_open else ":material/upload:",
    ):
        st.session_state[Key.UPLOAD_OPEN] = not is_open
        st.rerun()
    return is_open


def _show_documents(session: Session, documents: Sequence[Document]) -> None:
    column, down = filters.order()
    shown = ordered(narrowed(documents, filters.wanted()), column, down=down)
    bar = st.container(horizontal=True, vertical_alignment="center", height=40, border=False, key="pc-actions")
    if not shown:
        st.info("No document matches the filter.", icon=":material/filter_alt_off:")
        st.button("Clear all filters", key="documents.clear", on_click=filters.clear_all)
        return
    selected = table.show(shown)
    _show_reports(shown)
    with bar:
        actions.show(session, documents, shown, selected)


def _show_reports(shown: Sequence[Document]) -> None:
    """Say of each document that could not be read, or not in full, what is missing."""
    failed = [(each, each.error) for each in shown if each.state is DocumentState.FAILED]
    # What the reader has remarked on is not said a second time by the numbers of the pages.
    partial = [
        (each, unread_pages(each)) for each in shown if each.searchable and each.pages_without_text and not each.notes
    ]
    if failed:
        _show_report(f"{count(len(failed), 'document')} could not be used", failed, "pc-report pc-failed")
    if partial:
        _show_report(f"{count(len(partial), 'document')} with pages that could not be read", partial, "pc-report")
    noted = [(each, " ".join(each.notes)) for each in shown if each.searchable and each.notes]
    if noted:
        _show_report(f"{count(len(noted), 'document')} with remarks of the reader", noted, "pc-report")


def _show_report(title: str, lines: Sequence[tuple[Document, str]], style: str) -> None:
    """Show the first lines; the page of each document has its own."""
    items = "".join(
        f"<li><b>{escaped(shown_name(document))}</b><br>{escaped(visible(line))}</li>"
        for document, line in lines[:_MOST_LINES]
    )
    more = len(lines) - _MOST_LINES
    rest = f"<li>and {more:,} more: filter by state, or open a document's details</li>" if more > 0 else ""
    # What failed is in sight; a remark is a click away.
    is_open = " open" if "pc-failed" in style else ""
    summary = f"<summary><b>{escaped(title)}</b></summary>"
    st.html(f'<details class="{style}"{is_open}>{summary}<ul>{items}{rest}</ul></details>')
