"""What the user may do with documents, so that no button is shown that would be refused, and the line that says why."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import streamlit as st

from workbench.domain.documents import Container, Document
from workbench.domain.ids import ContainerId
from workbench.domain.rights import Access, Action, allowed
from workbench.ui.text import escaped


class Permitted(NamedTuple):
    """What may be done in all of some containers."""

    edit: bool
    delete: bool

    @property
    def told(self) -> str:
        """Why something is missing, empty where nothing is."""
        if not self.edit:
            return "You are a reader here: editors change documents, owners also delete them."
        return "" if self.delete else "You are an editor here. Only owners delete documents."


def in_containers(access: Access, containers: Iterable[ContainerId]) -> Permitted:
    """Return what may be done in every one of the containers."""
    held = set(containers)
    return Permitted(
        edit=all(allowed(access, each, Action.EDIT) for each in held),
        delete=all(allowed(access, each, Action.DELETE_DOCUMENTS) for each in held),
    )


def with_documents(access: Access, documents: Iterable[Document]) -> Permitted:
    """Return what may be done with every one of the documents."""
    return in_containers(access, (document.container_id for document in documents))


def editable(access: Access, containers: Sequence[Container]) -> list[Container]:
    """Return the containers that the user may add documents to."""
    return [each for each in containers if allowed(access, each.id, Action.EDIT)]


def tell(permitted: Permitted) -> None:
    """Say quietly why something is missing."""
    if permitted.told:
        st.html(f'<span class="pc-quiet">{escaped(permitted.told)}</span>', width="content")
