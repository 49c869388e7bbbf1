"""The library: containers and their documents, as one user may see them.

A document that does not exist and one in a container that is not the user's look the same: both are not found.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.domain.chunks import Chunk
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.errors import NameTaken, NotFound, PinciteError
from workbench.domain.ids import ContainerId, DocumentId, UserId, new_id
from workbench.domain.pages import OutlineEntry, Page, outline
from workbench.domain.people import Member, Standing
from workbench.domain.rights import Access, Action, Role, no_container, no_document, require
from workbench.services.ports import Blobs, Clock, KeywordIndex, LibraryStore, PageImage, PageRenderer, VectorIndex

MAX_NAME = 80


class Library:
    """Reading and changing the library. Every method that reads for a user takes that user's :class:`Access`."""

    def __init__(
        self,
        store: LibraryStore,
        vectors: VectorIndex,
        keywords: KeywordIndex,
        blobs: Blobs,
        renderer: PageRenderer,
        clock: Clock,
        standing: Callable[[UserId], Standing] = lambda _: Standing(),
    ) -> None:
        """``standing`` tells who is an administrator and who is blocked; nobody is, unless it says so."""
        self._standing = standing
        self._store = store
        self._vectors = vectors
        self._keywords = keywords
        self._blobs = blobs
        self._renderer = renderer
        self._clock = clock
        self.records = threading.RLock()
        """Held while a document's record is read and written back, so that no change is lost and no deleted one returns."""

    # --- containers --------------------------------------------------------------------------------------------------

    def access(self, user_id: UserId) -> Access:
        """Return what there is to know of a user's rights at this moment. It is a snapshot: ask again at each request."""
        standing = self._standing(user_id)
        if standing.blocked:
            return Access(user_id=user_id, containers=frozenset())
        roles = self._store.memberships(user_id)
        return Access(user_id=user_id, containers=frozenset(roles), roles=roles, administrator=standing.administrator)

    def containers(self, access: Access) -> list[Container]:
        """Return the user's containers by name."""
        return [container for container in self._store.containers() if access.may_see(container.id)]

    def container_ids(self) -> frozenset[ContainerId]:
        """Return the ids of all containers that there are, for the program itself: no user is told of them."""
        return frozenset(container.id for container in self._store.containers())

    def create_container(self, access: Access, name: str) -> Container:
        """Make a container that the user owns; raise NameTaken where one of the user's has that name."""
        name = container_name(name)
        if self._named(self.access(access.user_id), name) is not None:
            raise NameTaken(f"A container named {name!r} exists already.", "Choose another name, or use that one.")
        now = self._clock.now()
        container = Container(id=ContainerId(new_id("con")), name=name, created_at=now, founder=access.user_id)
        self._store.add_container(container, [Member(user_id=access.user_id, role=Role.OWNER, since=now)])
        return container

    def ensure_container(self, access: Access, name: str) -> Container:
        """Return the user's container of that name, made if there is none."""
        found = self._named(access, name)
        if found is not None:
            return found
        try:
            return self.create_container(access, name)
        except NameTaken:
            # Another tab may have made it in between.
            found = self._named(self.access(access.user_id), name)
            if found is None:
                raise
            return found

    def container(self, access: Access, container_id: ContainerId) -> Container:
        """Return a container; raise NotFound where it is missing or not the user's."""
        found = next((container for container in self.containers(access) if container.id == container_id), None)
        if found is None:
            raise no_container()
        return found

    def container_named(self, access: Access, name: str) -> Container:
        """Return the user's container of that name, case ignored; raise NotFound where there is none."""
        found = self._named(access, name)
        if found is None:
            known = ", ".join(repr(container.name) for container in self.containers(access)) or "none yet"
            raise NotFound(f"There is no container {name!r}.", f"Your containers: {known}.")
        return found

    def _named(self, access: Access, name: str) -> Container | None:
        wanted = " ".join(name.split()).casefold()
        return next((each for each in self.containers(access) if each.name.casefold() == wanted), None)

    # --- documents ---------------------------------------------------------------------------------------------------

    def documents(self, access: Access, containers: Sequence[ContainerId]) -> list[Document]:
        """Return the documents of the chosen containers that are the user's, newest first. None chosen, none returned."""
        return self._store.documents([each for each in dict.fromkeys(containers) if access.may_see(each)])

    def document(self, access: Access, document_id: DocumentId) -> Document:
        """Return a document; raise NotFound where it is missing or not the user's."""
        document = self._store.document(document_id)
        if document is None or not access.may_see(document.container_id):
            raise no_document()
        return document

    def document_for(self, access: Access, document_id: DocumentId, action: Action) -> Document:
        """Return a document that ``action`` is to be done to.

        Raises NotFound where it is missing or not the user's, NotAllowed where the user's role does not permit that.
        """
        document = self.document(access, document_id)
        require(access, document.container_id, action)
        return document

    def edit(
        self, access: Access, document_id: DocumentId, change: Callable[[Document], Mapping[str, Any]]
    ) -> Document:
        """Change fields of a document by what they are now, so that no change of another tab is lost; return the document.

        Raises NotFound and NotAllowed as :meth:`document_for` does.
        """
        with self.records:
            return self._changed_or_gone(document_id, **change(self.document_for(access, document_id, Action.EDIT)))

    def tag_values(self, access: Access, containers: Sequence[ContainerId]) -> dict[str, list[str]]:
        """Return each tag key in use in the containers with its values, both sorted."""
        values: dict[str, set[str]] = defaultdict(set)
        for document in self.documents(access, containers):
            for tag in document.tags:
                values[tag.key].add(tag.value)
        return {key: sorted(values[key], key=str.casefold) for key in sorted(values)}

    def versions(self, access: Access, document_id: DocumentId) -> list[Document]:
        """Return a document with all other versions of it, the latest first."""
        return self.family(self.document(access, document_id))

    # --- pages and files ---------------------------------------------------------------------------------------------

    def chunks(self, access: Access, document_id: DocumentId) -> list[Chunk]:
        """Return a document's passages in order."""
        return self._store.document_chunks(self.document(access, document_id).id)

    def page(self, access: Access, document_id: DocumentId, number: int) -> Page:
        """Return a physical page (from 1) with its text and words; raise NotFound where there is none."""
        document = self.document(access, document_id)
        page = self._store.page(document_id, number)
        if page is None:
            raise NotFound(f"{document.display_name} has no page {number}.", f"It has {document.page_count} pages.")
        return page

    def pages(self, access: Access, document_id: DocumentId, numbers: Iterable[int]) -> dict[int, Page]:
        """Return those of the pages that there are, by their numbers."""
        self.document(access, document_id)
        found = {number: self._store.page(document_id, number) for number in numbers}
        return {number: page for number, page in found.items() if page is not None}

    def page_outlines(self, access: Access, document_id: DocumentId) -> list[Page]:
        """Return number, label and size of every page, in order."""
        return self._store.page_outlines(self.document(access, document_id).id)

    def outline(self, access: Access, document_id: DocumentId) -> tuple[OutlineEntry, ...]:
        """Return the bookmarks that the document's file holds, in the order of its pages."""
        return outline(self.page_outlines(access, document_id))

    def page_texts(self, access: Access, document_id: DocumentId) -> list[tuple[int, str]]:
        """Return the number and text of every page, in order."""
        return self._store.page_texts(self.document(access, document_id).id)

    def page_image(self, access: Access, document_id: DocumentId, number: int, width: int) -> PageImage:
        """Draw a physical page ``width`` pixels wide."""
        _, pdf = self.canonical_pdf(access, document_id)
        return self._renderer.image(pdf, number, width)

    def canonical_pdf(self, access: Access, document_id: DocumentId) -> tuple[Document, Path]:
        """Return a document with the PDF that the viewer shows; raise NotFound where it was not read yet."""
        document = self.document(access, document_id)
        if not document.canonical_hash:
            raise NotFound(f"{document.display_name} has no pages to show.", "See its state on the Documents screen.")
        return document, self._blobs.path(document.canonical_hash)

    def original(self, access: Access, document_id: DocumentId) -> tuple[Document, Path]:
        """Return a document with the file as it was uploaded; raise NotFound where the file was not kept."""
        document = self.document(access, document_id)
        return document, self._blobs.path(document.content_hash)

    # --- for ingestion and deletion ------------------------------------------------------------------------------------

    def change(self, document_id: DocumentId, **changes: Any) -> Document | None:
        """Change fields of a document's record and return it, or None where it was deleted meanwhile."""
        with self.records:
            document = self._store.document(document_id)
            if document is None:
                return None
            changed = document.model_copy(update=changes)
            self._store.save_document(changed)
            return changed

    def delete_unused_blobs(self, hashes: Sequence[str], besides: DocumentId | None = None) -> None:
        """Delete those files that no document of any container uses; the use by ``besides`` does not count."""
        with self.records:
            every = self._store.documents([container.id for container in self._store.containers()])
            others = [document for document in every if document.id != besides]
            used = {used for document in others for used in (document.content_hash, document.canonical_hash)}
            for unused in dict.fromkeys(hashes):
                if unused and unused not in used:
                    self._renderer.clear(unused)
                    self._blobs.delete(unused)

    def users_of(self, content_hash: str) -> list[Document]:
        """Return the documents of any container that use a file."""
        every = self._store.documents([container.id for container in self._store.containers()])
        return [each for each in every if content_hash in (each.content_hash, each.canonical_hash)]

    def remove_file(self, content_hash: str) -> list[Document]:
        """Delete a file unless a document uses it; return the documents that do."""
        with self.records:
            users = self.users_of(content_hash)
            if not users:
                self._blobs.delete(content_hash)
            return users

    def remove(self, document_id: DocumentId) -> None:
        """Remove a document's record with its pages and passages. Whoever works on it finds it gone at the next change."""
        with self.records:
            self._store.delete_document(document_id)

    def add(self, document: Document, data: bytes) -> Document:
        """Save a record and then its file, so that no file is ever without a record; raise OSError where it has no room.

        A record whose file did not come, because the process ended in between, fails in words when it is read.
        """
        with self.records:
            before = self._store.document(document.id)
            self._store.save_document(document)
            try:
                self._blobs.put(data)
            except OSError:
                if before is None:
                    self._store.delete_document(document.id)
                else:
                    self._store.save_document(before)
                raise
            return document

    def family(self, document: Document) -> list[Document]:
        """Return all versions of a document, the newest first."""
        every = self._store.documents([document.container_id])
        same = [each for each in every if each.series == document.series]
        return sorted(same, key=lambda each: each.version, reverse=True)

    def publish(self, document_id: DocumentId) -> None:
        """Make a document ready. In the same transaction it takes the place of every earlier version that is not in work.

        Where a later version was ready first, that one has taken its place already: it is never found, only kept.
        """
        with self.records:
            document = self._store.document(document_id)
            if document is None or document.state is DocumentState.CANCELLED:
                return
            family = self.family(document)
            newer = [each for each in family if each.version > document.version and each.state is DocumentState.READY]
            older = [
                each.id
                for each in family
                if each.version < document.version and each.replaced_by is None and not each.state.working
            ]
            self._store.publish(
                document.model_copy(
                    update={
                        "state": DocumentState.READY,
                        "error": "",
                        "replaced_by": newer[0].id if newer else document.replaced_by,
                    }
                ),
                older,
            )

    def _changed_or_gone(self, document_id: DocumentId, **changes: Any) -> Document:
        changed = self.change(document_id, **changes)
        if changed is None:
            raise no_document()
        return changed


def container_name(name: str) -> str:
    """Return a name as it is stored; raise PinciteError where it is empty or too long."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= MAX_NAME:
        raise PinciteError(f"A container's name has 1 to {MAX_NAME} characters.", "Choose another name.")
    return name
