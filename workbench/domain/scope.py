"""Scope: which documents a search may see. Empty means nothing, never everything."""

from collections.abc import Iterable, Mapping
from datetime import date

from pydantic import Field

from workbench.domain.documents import Document
from workbench.domain.errors import ScopeError
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.rights import Access as Access  # noqa: PLC0414 - part of this module's interface as well
from workbench.domain.tags import matches
from workbench.domain.values import Value


class Filters(Value):
    """Narrowings of a scope. ``None`` leaves a side open; an empty list of ids or tag values finds nothing.

    Both dates are inclusive and compare to the document's own date; an undated document is outside any date range.
    """

    tags: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    document_ids: tuple[DocumentId, ...] | None = None
    language: str | None = None
    date_from: date | None = None
    date_to: date | None = None

    def admits(self, document: Document) -> bool:
        """Tell whether ``document`` passes every filter."""
        if self.document_ids is not None and document.id not in self.document_ids:
            return False
        if self.language is not None and document.language != self.language:
            return False
        if self.date_from is not None and (document.dated is None or document.dated < self.date_from):
            return False
        if self.date_to is not None and (document.dated is None or document.dated > self.date_to):
            return False
        return matches(document.tags, self.tags)


def left_out_undated(documents: Iterable[Document], filters: Filters) -> int:
    """Count the documents that the dates of ``filters`` leave out only because theirs is not known."""
    if filters.date_from is None and filters.date_to is None:
        return 0
    others = filters.model_copy(update={"date_from": None, "date_to": None})
    return sum(document.dated is None and others.admits(document) for document in documents)


def left_out_without_language(documents: Iterable[Document], filters: Filters) -> int:
    """Count the documents that the language of ``filters`` leaves out only because theirs is not known."""
    if filters.language is None:
        return 0
    others = filters.model_copy(update={"language": None})
    return sum(document.language is None and others.admits(document) for document in documents)


class Scope(Value):
    """The documents one search may see: chosen containers the user may see, and filters that all apply.

    ``filters`` holds the user's own selections first and then what the model asked for; each can only narrow.
    """

    access: Access
    containers: tuple[ContainerId, ...] = Field(min_length=1)
    filters: tuple[Filters, ...] = ()

    def seen_by(self, access: Access) -> "Scope":
        """Return the same choice with the user's rights of this moment."""
        return Scope(access=access, containers=self.containers, filters=self.filters)

    def narrowed(self, filters: Filters) -> "Scope":
        return Scope(access=self.access, containers=self.containers, filters=(*self.filters, filters))

    def admits(self, document: Document) -> bool:
        """Tell whether ``document`` is searchable, in a chosen container that the user may see, and passes the filters."""
        return (
            document.searchable
            and document.container_id in self.containers
            and self.access.may_see(document.container_id)
            and all(filters.admits(document) for filters in self.filters)
        )


def build_scope(access: Access, containers: Iterable[ContainerId], filters: Filters | None = None) -> Scope:
    """Build the scope of a user's choice; raise ScopeError where nothing is chosen or a container is not the user's."""
    chosen = tuple(dict.fromkeys(containers))
    if not chosen:
        raise ScopeError("No container is chosen, so there is nothing to search.", "Choose at least one container.")
    if not all(access.may_see(container) for container in chosen):
        raise ScopeError("A chosen container does not exist or is not yours.", "Choose from the list of containers.")
    return Scope(access=access, containers=chosen, filters=() if filters is None else (filters,))


class Reach(Value):
    """What a scope comes down to in one container: the documents that may be searched there. It cannot be empty.

    Both engines are asked with a reach and with nothing else, so that a container is opened only where something of it is in
    scope, and only these documents can be found in it.
    """

    container_id: ContainerId
    documents: frozenset[DocumentId] = Field(min_length=1)


def reaches(scope: Scope, documents: Iterable[Document]) -> tuple[Reach, ...]:
    """Return the reach of ``scope`` among ``documents``, container by container; none where it admits none of them."""
    found: dict[ContainerId, set[DocumentId]] = {}
    for document in documents:
        if scope.admits(document):
            found.setdefault(document.container_id, set()).add(document.id)
    return tuple(Reach(container_id=container, documents=frozenset(ids)) for container, ids in sorted(found.items()))
