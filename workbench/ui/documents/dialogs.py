"""The questions that are asked before something is made, changed or deleted."""

from collections.abc import Sequence

import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.errors import PinciteError
from workbench.domain.tags import Tag, parse_tag
from workbench.ui import session as door
from workbench.ui.documents.wording import count
from workbench.ui.state import Key
from workbench.ui.text import escaped, literal


def _closed() -> None:
    st.session_state[Key.DIALOG_OPEN] = False


def _done() -> None:
    _closed()
    st.rerun()


@st.dialog("New container", on_dismiss=_closed)
def new_container() -> None:
    """Ask for a name; make the container and choose it."""
    st.session_state[Key.DIALOG_OPEN] = True
    st.caption("A container holds the documents of one department or case. Questions are asked of containers.")
    name = st.text_input("Name", max_chars=80)
    if st.button("Create", type="primary"):
        session = door.require()
        try:
            container = session.workbench.library.create_container(session.access, name)
        except PinciteError as error:
            st.error(literal(str(error)))
            return
        st.session_state[Key.CONTAINER] = container.id
        _done()


@st.dialog("Edit tags", on_dismiss=_closed)
def edit_tags(documents: Sequence[Document]) -> None:
    """Change the tags of one document, or add tags to several."""
    st.session_state[Key.DIALOG_OPEN] = True
    single = len(documents) == 1
    _names(documents)
    tags = st.multiselect(
        "Tags" if single else "Tags to add to each",
        [str_of(tag) for tag in documents[0].tags] if single else [],
        default=[str_of(tag) for tag in documents[0].tags] if single else [],
        accept_new_options=True,
        placeholder="key=value, for example supplier=Acme",
    )
    if st.button("Save", type="primary"):
        session = door.require()
        try:
            wanted = tuple(parse_tag(text) for text in tags)
            for document in documents:
                kept = () if single else document.tags
                session.workbench.library.retag(session.access, document.id, tuple(dict.fromkeys((*kept, *wanted))))
        except PinciteError as error:
            st.error(literal(str(error)))
            return
        _done()


@st.dialog("Delete documents", on_dismiss=_closed)
def delete(documents: Sequence[Document]) -> None:
    """Ask once more, naming the files; then delete them."""
    st.session_state[Key.DIALOG_OPEN] = True
    noun = "this document" if len(documents) == 1 else f"these {len(documents)} documents"
    st.markdown(f"Delete {noun}? Pages, passages and the stored file go too. It cannot be undone.")
    _names(documents)
    confirm, cancel = st.columns(2)
    if cancel.button("Keep", width="stretch"):
        _done()
    if confirm.button(f"Delete {count(len(documents), 'document')}", type="primary", width="stretch"):
        session = door.require()
        try:
            for document in documents:
                session.workbench.deletion.delete_document(session.access, document.id)
        except PinciteError as error:
            st.error(literal(str(error)))
            return
        _done()


def str_of(tag: Tag) -> str:
    return f"{tag.key}={tag.value}"


def _names(documents: Sequence[Document]) -> None:
    items = "".join(f"<li>{escaped(document.display_name)}</li>" for document in documents)
    st.html(f"<ul class='pc-names'>{items}</ul>")
