"""What a library on a disk must do beyond the contract: last, leave no orphans, and name a record it cannot read."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from workbench.adapters.sql.engine import Database, open_database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.domain.chunks import Chunk, Segment
from workbench.domain.documents import Container, Document
from workbench.domain.errors import PinciteError
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.domain.pages import Page, Word

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
LEGAL = Container(id=ContainerId("ctr_1"), name="Legal", created_at=NOON)
OWNER = DocumentId("doc_1")
CONTRACT = Document(id=OWNER, container_id=LEGAL.id, name="msa.pdf", uploaded_at=NOON)
PAGE = Page(number=1, text="due", words=tuple(Word(n, n + 3, 72.5, n, 90.25, n + 10) for n in range(400)))
CHUNK = Chunk(
    id=ChunkId("doc_1:00000"),
    document_id=OWNER,
    container_id=LEGAL.id,
    ordinal=0,
    text="due",
    segments=(Segment(page=1, start=0, end=3),),
)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/pincite.sqlite"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """A database that holds one document."""
    opened = open_database(url)
    store = SqlLibraryStore(opened)
    store.add_container(LEGAL)
    store.save_document(CONTRACT)
    store.save_pages(OWNER, [PAGE])
    store.save_chunks(OWNER, [CHUNK])
    yield opened
    opened.close()


@pytest.mark.usefixtures("database")
def test_all_is_there_when_the_database_is_opened_again(url: str) -> None:
    again = open_database(url)
    store = SqlLibraryStore(again)

    assert store.containers() == [LEGAL]
    assert store.documents([LEGAL.id]) == [CONTRACT]
    assert store.page(OWNER, 1) == PAGE
    assert store.document_chunks(OWNER) == [CHUNK]
    again.close()


def test_deleting_a_document_leaves_no_row_behind(database: Database) -> None:
    SqlLibraryStore(database).delete_document(OWNER)

    with database.reading() as connection:
        for table in ("documents", "pages", "chunks"):
            assert connection.scalar(text(f"SELECT count(*) FROM {table}")) == 0


def test_a_pages_words_are_stored_compactly(database: Database) -> None:
    with database.reading() as connection:
        stored = connection.scalar(text("SELECT length(body) FROM pages"))

    assert stored < len(PAGE.model_dump_json()) / 3


@pytest.mark.parametrize("damage", ["", "{", '{"name": 3}', "null"])
def test_a_record_that_cannot_be_read_is_named(database: Database, damage: str) -> None:
    store = SqlLibraryStore(database)
    with database.writing() as connection:
        for table in ("containers", "documents", "chunks"):
            connection.execute(text(f"UPDATE {table} SET value = :damage"), {"damage": damage})
        connection.execute(text("UPDATE pages SET outline = :damage, body = :bytes"), {"damage": damage, "bytes": b"?"})

    for call, record in (
        (store.containers, "container ctr_1"),
        (lambda: store.document(OWNER), "document doc_1"),
        (lambda: store.documents([LEGAL.id]), "document doc_1"),
        (lambda: store.page(OWNER, 1), "page 1 of document doc_1"),
        (lambda: store.page_outlines(OWNER), "page 1 of document doc_1"),
        (lambda: store.page_texts(OWNER), "page 1 of document doc_1"),
        (lambda: store.chunks([CHUNK.id]), "passage doc_1:00000"),
        (lambda: store.document_chunks(OWNER), "passage doc_1:00000"),
    ):
        with pytest.raises(PinciteError, match=record):
            call()


def test_a_failed_replacement_keeps_the_old_chunks(database: Database) -> None:
    store = SqlLibraryStore(database)
    other = Document(id=DocumentId("doc_2"), container_id=LEGAL.id, name="other.pdf", uploaded_at=NOON)
    store.save_document(other)
    store.save_chunks(other.id, [CHUNK.model_copy(update={"id": ChunkId("doc_2:00000"), "document_id": other.id})])

    with pytest.raises(PinciteError, match="doc_2"):
        store.save_chunks(other.id, [CHUNK])  # the id is another document's

    assert [chunk.id for chunk in store.document_chunks(other.id)] == ["doc_2:00000"]
    assert store.document_chunks(OWNER) == [CHUNK]
