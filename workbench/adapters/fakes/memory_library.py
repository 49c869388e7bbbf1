"""A library store in memory."""

import threading
import unicodedata
from collections.abc import Callable, Sequence

from workbench.domain.chunks import Chunk
from workbench.domain.documents import Container, Document
from workbench.domain.errors import NameTaken, NotFound, PinciteError
from workbench.domain.ids import ChunkId, ContainerId, DocumentId, UserId
from workbench.domain.pages import Page
from workbench.domain.people import Member
from workbench.domain.rights import Role, no_container


class MemoryLibraryStore:
    """A :class:`~workbench.services.ports.LibraryStore` that ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._containers: dict[ContainerId, Container] = {}
        self._members: dict[ContainerId, list[Member]] = {}
        self._documents: dict[DocumentId, Document] = {}
        self._pages: dict[DocumentId, dict[int, Page]] = {}
        self._chunks: dict[DocumentId, dict[ChunkId, Chunk]] = {}

    def add_container(self, container: Container, members: Sequence[Member] = ()) -> None:
        with self._lock:
            self._refuse_taken(container)
            self._containers[container.id] = container
            self._members[container.id] = list(members)

    def _refuse_taken(self, container: Container) -> None:
        others = [held for held in self._containers.values() if held.id != container.id]
        if any(_naming(held) == _naming(container) for held in others):
            raise NameTaken(f"A container named {container.name!r} exists already.")

    def rename_container(self, container_id: ContainerId, name: str) -> None:
        with self._lock:
            self._require_container(container_id)
            renamed = self._containers[container_id].model_copy(update={"name": name})
            self._refuse_taken(renamed)
            self._containers[container_id] = renamed

    def delete_container(self, container_id: ContainerId) -> None:
        with self._lock:
            if self.documents([container_id]):
                raise PinciteError("The container holds documents.", "Delete its documents first.")
            self._containers.pop(container_id, None)
            self._members.pop(container_id, None)

    def members(self, container_id: ContainerId) -> list[Member]:
        with self._lock:
            return sorted(self._members.get(container_id, []), key=lambda each: (each.since, each.user_id))

    def memberships(self, user_id: UserId) -> dict[ContainerId, Role]:
        with self._lock:
            held = [(key, each) for key, members in self._members.items() for each in members]
        return {key: each.role for key, each in held if each.user_id == user_id}

    def change_members(self, container_id: ContainerId, change: Callable[[list[Member]], list[Member]]) -> list[Member]:
        with self._lock:
            self._require_container(container_id)
            self._members[container_id] = list(change(self.members(container_id)))
            return self.members(container_id)

    def _require_container(self, container_id: ContainerId) -> None:
        if container_id not in self._containers:
            raise no_container()

    def containers(self) -> list[Container]:
        with self._lock:
            return sorted(self._containers.values(), key=lambda held: (_name_key(held.name), held.id))

    def save_document(self, document: Document) -> None:
        with self._lock:
            if document.container_id not in self._containers:
                raise NotFound(f"The container of {document.name!r} does not exist.")
            self._documents[document.id] = document

    def publish(self, document: Document, replaced: Sequence[DocumentId]) -> None:
        with self._lock:
            self.save_document(document)
            for held in (self._documents[each] for each in replaced if each in self._documents):
                self._documents[held.id] = held.model_copy(update={"replaced_by": document.id})

    def document(self, document_id: DocumentId) -> Document | None:
        return self._documents.get(document_id)

    def documents(self, containers: Sequence[ContainerId]) -> list[Document]:
        with self._lock:
            found = [document for document in self._documents.values() if document.container_id in set(containers)]
        return sorted(found, key=lambda document: (-document.uploaded_at.timestamp(), document.id))

    def document_with_hash(self, container_id: ContainerId, content_hash: str) -> Document | None:
        held = self.documents([container_id])
        return next((document for document in held if content_hash and document.content_hash == content_hash), None)

    def delete_document(self, document_id: DocumentId) -> None:
        with self._lock:
            for held in (self._documents, self._pages, self._chunks):
                held.pop(document_id, None)

    def save_pages(self, document_id: DocumentId, pages: Sequence[Page]) -> None:
        with self._lock:
            self._require(document_id)
            self._pages[document_id] = {page.number: page for page in pages}

    def page(self, document_id: DocumentId, number: int) -> Page | None:
        return self._pages.get(document_id, {}).get(number)

    def page_outlines(self, document_id: DocumentId) -> list[Page]:
        with self._lock:
            pages = sorted(self._pages.get(document_id, {}).items())
        return [page.model_copy(update={"text": "", "words": (), "tables": ()}) for _, page in pages]

    def page_texts(self, document_id: DocumentId) -> list[tuple[int, str]]:
        with self._lock:
            pages = sorted(self._pages.get(document_id, {}).items())
        return [(number, page.text) for number, page in pages]

    def save_chunks(self, document_id: DocumentId, chunks: Sequence[Chunk]) -> None:
        with self._lock:
            self._require(document_id)
            self._chunks[document_id] = {chunk.id: chunk for chunk in chunks}

    def chunks(self, chunk_ids: Sequence[ChunkId]) -> list[Chunk]:
        with self._lock:
            held = {key: chunk for chunks in self._chunks.values() for key, chunk in chunks.items()}
        return [held[chunk_id] for chunk_id in chunk_ids if chunk_id in held]

    def document_chunks(self, document_id: DocumentId) -> list[Chunk]:
        with self._lock:
            return sorted(self._chunks.get(document_id, {}).values(), key=lambda chunk: chunk.ordinal)

    def _require(self, document_id: DocumentId) -> None:
        if document_id not in self._documents:
            raise NotFound(f"The document {document_id} does not exist; it may have been deleted meanwhile.")


def _naming(container: Container) -> tuple[str, str]:
    return container.founder, _name_key(container.name)


def _name_key(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
