"""The Documents screen, put together."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.ids import ContainerId
from workbench.domain.tags import matches
from workbench.ui import screens
from workbench.ui.addresses import PageAddress
from workbench.ui.documents import dialogs, progress, table, upload
from workbench.ui.documents.wording import count, unread_pages
from workbench.ui.session import Session
from workbench.ui.state import Key
from workbench.ui.text import escaped

_ALL = ContainerId("")


def show(session: Session) -> None:
    """Draw the screen."""
    containers = session.workbench.library.containers(session.access)
    st.header("Documents", anchor=False)
    if not containers:
        _show_empty(session)
        return
    bar = st.container(horizontal=True, vertical_alignment="center", key="pc-bar-documents")
    with bar:
        chosen = _choose(containers)
    documents = session.workbench.library.documents(session.access, chosen)
    shown = _filter(session, chosen, documents, bar)
    if st.session_state.get(Key.UPLOAD_OPEN, not documents):
        upload.show(session, containers, chosen[0])
    upload.show_refused()
    progress.show([document.id for document in documents if document.state.working])
    if documents:
        _show_documents(shown)


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
        width=220,
        label_visibility="collapsed",
    )
    if st.button("New", icon=":material/create_new_folder:", help="New container"):
        dialogs.new_container()
    return list(names)[1:] if chosen == _ALL else [chosen]


def _filter(
    session: Session, chosen: list[ContainerId], documents: Sequence[Document], bar: DeltaGenerator
) -> list[Document]:
    """Ask for words and tags, and return the documents that have all of them."""
    known = session.workbench.library.tag_values(session.access, chosen)
    with bar:
        words = st.text_input(
            "Find by name or tag",
            key=Key.DOCUMENT_WORDS,
            placeholder="Find by name or tag",
            icon=":material/search:",
            label_visibility="collapsed",
        )
        tags = st.multiselect(
            "Tags",
            [(key, value) for key, values in sorted(known.items()) for value in values],
            format_func=lambda tag: f"{tag[0]}: {tag[1]}",
            placeholder="Any tag",
            key=Key.DOCUMENT_TAGS,
            label_visibility="collapsed",
        )
        _toggle_upload(is_open=st.session_state.get(Key.UPLOAD_OPEN, not documents))
    wanted: dict[str, list[str]] = {}
    for key, value in tags:
        wanted.setdefault(key, []).append(value)
    return [document for document in documents if matches(document.tags, wanted) and _has(document, words)]


def _toggle_upload(*, is_open: bool) -> None:
    if st.button(
        "Close" if is_open else "Add documents",
        type="secondary" if is_open else "primary",
        icon=":material/close:" if is_open else ":material/upload:",
    ):
        st.session_state[Key.UPLOAD_OPEN] = not is_open
        st.rerun()


def _show_documents(shown: Sequence[Document]) -> None:
    actions = st.container(horizontal=True, vertical_alignment="center", height=40, border=False)
    if not shown:
        st.info("No document matches the filter.", icon=":material/filter_alt_off:")
        return
    selected = table.show(shown)
    _show_reports(shown)
    with actions:
        _show_actions(shown, selected)


def _has(document: Document, words: str) -> bool:
    text = " ".join((document.display_name, document.title, *(tag.value for tag in document.tags))).casefold()
    return all(word in text for word in words.casefold().split())


def _show_actions(shown: Sequence[Document], selected: Sequence[Document]) -> None:
    if not selected:
        pages = sum(document.page_count for document in shown)
        st.html(f'<span class="pc-quiet">{count(len(shown), "document")}, {count(pages, "page")}</span>')
        return
    st.html(f"<span>{count(len(selected), 'document')} selected</span>", width="content")
    if len(selected) == 1 and selected[0].page_count:
        query = PageAddress(selected[0].id, 1).query
        if st.button("Open", icon=":material/find_in_page:"):
            st.switch_page(screens.VIEWER, query_params=query)
    if st.button("Edit tags", icon=":material/label:"):
        dialogs.edit_tags(selected)
    if st.button("Delete", icon=":material/delete:"):
        dialogs.delete(selected)


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
    noted = [(each, note) for each in shown if each.searchable for note in each.notes]
    if noted:
        title = f"{count(len({each.id for each, _ in noted}), 'document')} with remarks of the reader"
        _show_report(title, noted, "pc-report")


def _show_report(title: str, lines: Sequence[tuple[Document, str]], style: str) -> None:
    items = "".join(f"<li><b>{escaped(document.display_name)}</b><br>{escaped(line)}</li>" for document, line in lines)
    st.html(f'<div class="{style}"><p>{escaped(title)}</p><ul>{items}</ul></div>')
