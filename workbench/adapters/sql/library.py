"""The library's store: containers, documents, pages and chunks."""

import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from pydantic import BaseModel, TypeAdapter
from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.records import batches, packed, put, read
from workbench.adapters.sql.tables import CHUNKS, CONTAINERS, DOCUMENTS, MEMBERS, PAGES
from workbench.domain.chunks import Chunk
from workbench.domain.documents import Container, Document
from workbench.domain.errors import NameTaken, NotFound, PinciteError
from workbench.domain.ids import ChunkId, ContainerId, DocumentId, UserId
from workbench.domain.pages import Page
from workbench.domain.people import Member
from workbench.domain.rights import Role, no_container

READ_BEFORE = 8_192
"""Records whose values are kept by their stored text: every search reads the documents in scope, and few have changed."""


class _Text(BaseModel):
    """What is read of a stored page where only its text is wanted; its words cost most of the time."""

    text: str


_TEXT = TypeAdapter(_Text)


class SqlLibraryStore:
    """A :class:`~workbench.services.ports.LibraryStore` in a relational database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_container(self, container: Container, members: Sequence[Member] = ()) -> None:
        try:
            with self._database.writing() as connection:
                connection.execute(insert(CONTAINERS).values(id=container.id, **_container_columns(container)))
                _put_members(connection, container.id, members)
        except IntegrityError as error:
            raise _taken(container.name) from error

    def rename_container(self, container_id: ContainerId, name: str) -> None:
        wanted = select(CONTAINERS.c.value).where(CONTAINERS.c.id == container_id).with_for_update()
        try:
            with self._database.writing() as connection:
                value = connection.scalar(wanted)
                if value is None:
                    raise no_container()
                renamed = _container(container_id, value).model_copy(update={"name": name})
                put(connection, CONTAINERS, {"id": container_id}, _container_columns(renamed))
        except IntegrityError as error:
            raise _taken(name) from error

    def delete_container(self, container_id: ContainerId) -> None:
        try:
            with self._database.writing() as connection:
                connection.execute(delete(CONTAINERS).where(CONTAINERS.c.id == container_id))
        except IntegrityError as error:
            raise PinciteError("The container holds documents.", "Delete its documents first.") from error

    def members(self, container_id: ContainerId) -> list[Member]:
        with self._database.reading() as connection:
            return _members(connection, container_id)

    def memberships(self, user_id: UserId) -> dict[ContainerId, Role]:
        wanted = select(MEMBERS.c.container_id, MEMBERS.c.role).where(MEMBERS.c.user_id == user_id)
        with self._database.reading() as connection:
            return {ContainerId(key): Role(role) for key, role in connection.execute(wanted)}

    def change_members(self, container_id: ContainerId, change: Callable[[list[Member]], list[Member]]) -> list[Member]:
        held = select(CONTAINERS.c.id).where(CONTAINERS.c.id == container_id).with_for_update()
        with self._database.writing() as connection:
            if connection.scalar(held) is None:
                raise no_container()
            changed = change(_members(connection, container_id))
            connection.execute(delete(MEMBERS).where(MEMBERS.c.container_id == container_id))
            _put_members(connection, container_id, changed)
            return _members(connection, container_id)

    def containers(self) -> list[Container]:
        with self._database.reading() as connection:
            rows = connection.execute(select(CONTAINERS.c.id, CONTAINERS.c.value)).all()
        found = [_container(container_id, value) for container_id, value in rows]
        return sorted(found, key=lambda container: (_name_key(container.name), container.id))

    def save_document(self, document: Document) -> None:
        self.publish(document, ())

    def publish(self, document: Document, replaced: Sequence[DocumentId]) -> None:
        try:
            with self._database.writing() as connection:
                _put_document(connection, document)
                for some in batches(replaced):
                    wanted = select(DOCUMENTS.c.id, DOCUMENTS.c.value).where(DOCUMENTS.c.id.in_(some))
                    for key, value in connection.execute(wanted).all():
                        held = read(Document, value, f"document {key}")
                        _put_document(connection, held.model_copy(update={"replaced_by": document.id}))
        except IntegrityError as error:
            raise NotFound(
                f"The container of {document.name!r} does not exist.", "Choose another container."
            ) from error

    def document(self, document_id: DocumentId) -> Document | None:
        with self._database.reading() as connection:
            value = connection.scalar(select(DOCUMENTS.c.value).where(DOCUMENTS.c.id == document_id))
        return None if value is None else _document(document_id, value)

    def documents(self, containers: Sequence[ContainerId]) -> list[Document]:
        found: list[Document] = []
        with self._database.reading() as connection:
            for some in batches(list(dict.fromkeys(containers))):
                chosen = select(DOCUMENTS.c.id, DOCUMENTS.c.value).where(DOCUMENTS.c.container_id.in_(some))
                found += [_document(key, value) for key, value in connection.execute(chosen)]
        return sorted(found, key=_newest_first)

    def document_with_hash(self, container_id: ContainerId, content_hash: str) -> Document | None:
        if not content_hash:  # a document that is not read yet has no hash: it is nobody's duplicate
            return None
        wanted = select(DOCUMENTS.c.id, DOCUMENTS.c.value).where(
            DOCUMENTS.c.container_id == container_id, DOCUMENTS.c.content_hash == content_hash
        )
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        found = [read(Document, value, f"document {document_id}") for document_id, value in rows]
        return min(found, key=_newest_first, default=None)

    def delete_document(self, document_id: DocumentId) -> None:
        with self._database.writing() as connection:
            connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.id == document_id))

    def save_pages(self, document_id: DocumentId, pages: Sequence[Page]) -> None:
        rows = [
            {
                "document_id": document_id,
                "number": page.number,
                "outline": _outline(page).model_dump_json(),
                "body": packed(page),
            }
            for page in pages
        ]
        with self._database.writing() as connection:
            _require_document(connection, document_id)
            connection.execute(delete(PAGES).where(PAGES.c.document_id == document_id))
            if rows:
                connection.execute(insert(PAGES), rows)

    def page(self, document_id: DocumentId, number: int) -> Page | None:
        wanted = select(PAGES.c.body).where(PAGES.c.document_id == document_id, PAGES.c.number == number)
        with self._database.reading() as connection:
            body = connection.scalar(wanted)
        return None if body is None else read(Page, body, f"page {number} of document {document_id}")

    def page_outlines(self, document_id: DocumentId) -> list[Page]:
        wanted = (
            select(PAGES.c.number, PAGES.c.outline).where(PAGES.c.document_id == document_id).order_by(PAGES.c.number)
        )
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [read(Page, outline, f"page {number} of document {document_id}") for number, outline in rows]

    def page_texts(self, document_id: DocumentId) -> list[tuple[int, str]]:
        wanted = select(PAGES.c.number, PAGES.c.body).where(PAGES.c.document_id == document_id).order_by(PAGES.c.number)
        with self._database.reading() as connection:
            return [
                (number, read(_TEXT, body, f"page {number} of document {document_id}").text)
                for number, body in connection.execute(wanted)
            ]

    def save_chunks(self, document_id: DocumentId, chunks: Sequence[Chunk]) -> None:
        rows = [
            {"id": chunk.id, "document_id": document_id, "ordinal": chunk.ordinal, "value": chunk.model_dump_json()}
            for chunk in chunks
        ]
        try:
            with self._database.writing() as connection:
                _require_document(connection, document_id)
                connection.execute(delete(CHUNKS).where(CHUNKS.c.document_id == document_id))
                if rows:
                    connection.execute(insert(CHUNKS), rows)
        except IntegrityError as error:
            raise PinciteError(
                f"The passages of document {document_id} cannot be stored: an id among them is used twice.",
                "Delete the document and upload it again.",
            ) from error

    def chunks(self, chunk_ids: Sequence[ChunkId]) -> list[Chunk]:
        found: dict[str, Chunk] = {}
        with self._database.reading() as connection:
            for some in batches(list(dict.fromkeys(chunk_ids))):
                wanted = select(CHUNKS.c.id, CHUNKS.c.value).where(CHUNKS.c.id.in_(some))
                found.update({key: read(Chunk, value, f"passage {key}") for key, value in connection.execute(wanted)})
        return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]

    def document_chunks(self, document_id: DocumentId) -> list[Chunk]:
        wanted = (
            select(CHUNKS.c.id, CHUNKS.c.value).where(CHUNKS.c.document_id == document_id).order_by(CHUNKS.c.ordinal)
        )
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [read(Chunk, value, f"passage {chunk_id}") for chunk_id, value in rows]


def _members(connection: Connection, container_id: ContainerId) -> list[Member]:
    wanted = select(MEMBERS).where(MEMBERS.c.container_id == container_id).order_by(MEMBERS.c.since, MEMBERS.c.user_id)
    rows = connection.execute(wanted).all()
    return [Member(user_id=UserId(row.user_id), role=Role(row.role), since=row.since) for row in rows]


def _put_members(connection: Connection, container_id: ContainerId, members: Sequence[Member]) -> None:
    rows = [{"container_id": container_id, **each.model_dump() | {"role": each.role.value}} for each in members]
    if rows:
        connection.execute(insert(MEMBERS), rows)


def _container_columns(container: Container) -> dict[str, str]:
    name = _name_key(container.name)
    key = f"{container.founder}\n{name}" if container.founder else name
    return {"name_key": key, "value": container.model_dump_json()}


def _taken(name: str) -> NameTaken:
    return NameTaken(f"A container named {name!r} exists already.", "Choose another name, or use that one.")


@lru_cache(maxsize=READ_BEFORE)
def _document(document_id: str, value: str) -> Document:
    return read(Document, value, f"document {document_id}")


@lru_cache(maxsize=READ_BEFORE)
def _container(container_id: str, value: str) -> Container:
    return read(Container, value, f"container {container_id}")


def _put_document(connection: Connection, document: Document) -> None:
    values = {
        "container_id": document.container_id,
        "content_hash": document.content_hash,
        "state": document.state.value,
        "uploaded_at": document.uploaded_at,
        "value": document.model_dump_json(),
    }
    put(connection, DOCUMENTS, {"id": document.id}, values)


def _require_document(connection: Connection, document_id: DocumentId) -> None:
    # Where two writers can be at work (PostgreSQL), the lock makes them replace pages and chunks one after the other.
    held = select(DOCUMENTS.c.id).where(DOCUMENTS.c.id == document_id).with_for_update()
    if connection.scalar(held) is None:
        raise NotFound(f"The document {document_id} does not exist; it may have been deleted meanwhile.")


def _name_key(name: str) -> str:
    """Return the form in which two names are the same container."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _newest_first(document: Document) -> tuple[float, str]:
    return (-document.uploaded_at.timestamp(), document.id)


def _outline(page: Page) -> Page:
    return page.model_copy(update={"text": "", "words": (), "tables": ()})
