"""The questions that are asked before something is made or deleted."""

from collections.abc import Sequence

import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.errors import PinciteError
from workbench.ui import session as door
from workbench.ui.documents.wording import count, shown_name
from workbench.ui.state import Key
from workbench.ui.text import escaped, literal

_MANY_NAMES = 8


def mark_open() -> None:
    """Say that a dialog is open, so that a file that is done does not sweep it away."""
    st.session_state[Key.DIALOG_OPEN] = True


def mark_closed() -> None:
    st.session_state[Key.DIALOG_OPEN] = False


def done() -> None:
    """Close the dialog and draw the screen anew."""
    mark_closed()
    st.rerun()


@st.dialog("New container", on_dismiss=mark_closed)
def new_container() -> None:
    """Ask for a name; make the container and choose it."""
    mark_open()
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
        done()


@st.dialog("Delete documents", on_dismiss=mark_closed)
def delete(documents: Sequence[Document]) -> None:
    """Ask once more, naming the files and what goes with them; then delete them and keep the receipts to be shown."""
    mark_open()
    noun = "this document" if len(documents) == 1 else f"these {len(documents)} documents"
    older = sum(document.version - 1 for document in documents)
    versions = f" and {count(older, 'earlier version')}" if older else ""
    st.markdown(
        f"Delete {noun}{versions}? Pages, passages, page images and the stored files go. Answers that cite "
        f"{'it' if len(documents) == 1 else 'them'} keep their text and say that the source was deleted. "
        "It cannot be undone."
    )
    names(documents)
    confirm, cancel = st.columns(2)
    if cancel.button("Keep", width="stretch"):
        done()
    if confirm.button(f"Delete {count(len(documents), 'document')}", type="primary", width="stretch"):
        session = door.require()
        receipts = st.session_state.setdefault(Key.DELETED, [])
        try:
            with st.spinner("Deleting, and looking whether all is gone"):
                for document in documents:
                    receipts.append(session.workbench.deletion.delete_document(session.access, document.id).id)
        except PinciteError as error:
            st.error(literal(str(error)))
            return
        done()


def names(documents: Sequence[Document]) -> None:
    """List the documents that a dialog is about; of many, the first ones."""
    items = "".join(f"<li>{escaped(shown_name(document))}</li>" for document in documents[:_MANY_NAMES])
    more = len(documents) - _MANY_NAMES
    rest = f"<li>and {count(more, 'other document')}</li>" if more > 0 else ""
    st.html(f"<ul class='pc-names'>{items}{rest}</ul>")
