"""The library: what a user may see, and what deleting takes away."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.errors import NameTaken, NotFound, PinciteError
from workbench.domain.ids import ChunkId, DocumentId, UserId, new_id
from workbench.domain.pages import Page
from workbench.domain.scope import Access
from workbench.domain.tags import Tag
from workbench.services.library import MAX_NAME, Library
from workbench.services.ports import KeywordRow, PageImage, VectorRow

USER = UserId("usr_1")
STRANGER = Access(user_id=UserId("usr_2"), containers=frozenset())


class Renderer:
    """Says what it was asked to draw."""

    def image(self, pdf: Path, page: int, width: int) -> PageImage:
        return PageImage(f"{pdf.read_bytes()!r} {page} {width}".encode(), "image/png")

    def clear(self, content_hash: str) -> None:
        """Nothing is kept."""


class Shelf(NamedTuple):
    store: MemoryLibraryStore
    vectors: MemoryVectors
    keywords: MemoryKeywords
    blobs: MemoryBlobs
    library: Library

    @property
    def access(self) -> Access:
        return self.library.access(USER)

    def put(self, container: Container, data: bytes, *tags: Tag) -> Document:
        """Store a ready document with a page and a row in each index."""
        content_hash = self.blobs.put(data)
        document = Document(
            id=DocumentId(new_id("doc")),
            container_id=container.id,
            name="a.pdf",
            tags=tags,
            state=DocumentState.READY,
            content_hash=content_hash,
            canonical_hash=content_hash,
            page_count=1,
            uploaded_at=datetime(2026, 1, 5, tzinfo=UTC),
        )
        self.store.save_document(document)
        self.store.save_pages(document.id, [Page(number=1, label="i", text="Text.", width=595, height=842)])
        self.vectors.upsert(container.id, [VectorRow(ChunkId("c"), document.id, [1.0])])
        self.keywords.upsert(container.id, [KeywordRow(ChunkId("c"), document.id, "text")])
        return document


@pytest.fixture
def shelf() -> Shelf:
    store, vectors, keywords, blobs = MemoryLibraryStore(), MemoryVectors(), MemoryKeywords(), MemoryBlobs()
    return Shelf(store, vectors, keywords, blobs, Library(store, vectors, keywords, blobs, Renderer(), FixedClock()))


@pytest.fixture
def container(shelf: Shelf) -> Container:
    return shelf.library.create_container(shelf.access, "  Legal   department ")


@pytest.mark.req("LIB-9")
@pytest.mark.parametrize("name", ["", "   ", "n" * (MAX_NAME + 1)])
def test_names_of_containers(shelf: Shelf, name: str) -> None:
    with pytest.raises(PinciteError, match="1 to 80 characters"):
        shelf.library.create_container(shelf.access, name)


@pytest.mark.req("FIND-1")
def test_containers_are_made_once_and_found_by_name(shelf: Shelf, container: Container) -> None:
    assert container.name == "Legal department"
    with pytest.raises(NameTaken):
        shelf.library.create_container(shelf.access, "legal DEPARTMENT")
    assert shelf.library.ensure_container(shelf.access, "LEGAL department") == container
    assert shelf.library.container_named(shelf.access, "legal department") == container
    assert shelf.library.ensure_container(shelf.access, "New").name == "New"
    with pytest.raises(NotFound, match="'Legal department', 'New'"):
        shelf.library.container_named(shelf.access, "Finance")


@pytest.mark.req("FIND-1")
def test_a_stranger_sees_nothing_and_cannot_take_a_name(shelf: Shelf, container: Container) -> None:
    shelf.put(container, b"bytes")
    assert shelf.library.containers(STRANGER) == []
    assert shelf.library.documents(STRANGER, [container.id]) == []
    assert shelf.library.tag_values(STRANGER, [container.id]) == {}
    assert shelf.library.documents(shelf.access, []) == []


READS: dict[str, Callable[[Library, Access, DocumentId], object]] = {
    "document": lambda library, access, key: library.document(access, key),
    "page": lambda library, access, key: library.page(access, key, 1),
    "page_outlines": lambda library, access, key: library.page_outlines(access, key),
    "page_image": lambda library, access, key: library.page_image(access, key, 1, 300),
    "canonical_pdf": lambda library, access, key: library.canonical_pdf(access, key),
    "original": lambda library, access, key: library.original(access, key),
    "chunks": lambda library, access, key: library.chunks(access, key),
    "edit": lambda library, access, key: library.edit(access, key, lambda _: {}),
    "versions": lambda library, access, key: library.versions(access, key),
}


@pytest.mark.req("FIND-1", "CITE-9")
@pytest.mark.parametrize("name", READS)
def test_missing_and_forbidden_look_the_same(shelf: Shelf, container: Container, name: str) -> None:
    document = shelf.put(container, b"bytes")
    messages = []
    for access, key in ((STRANGER, document.id), (shelf.access, DocumentId("doc_none"))):
        with pytest.raises(NotFound) as raised:
            READS[name](shelf.library, access, key)
        messages.append(str(raised.value))
    assert messages[0] == messages[1]
    assert shelf.library.document(shelf.access, document.id) == document


@pytest.mark.req("CITE-6")
def test_pages_and_files(shelf: Shelf, container: Container) -> None:
    document = shelf.put(container, b"bytes")
    assert shelf.library.page(shelf.access, document.id, 1).text == "Text."
    with pytest.raises(NotFound, match=r"a\.pdf has no page 2\. It has 1 pages\."):
        shelf.library.page(shelf.access, document.id, 2)
    assert [(page.number, page.label) for page in shelf.library.page_outlines(shelf.access, document.id)] == [(1, "i")]
    assert shelf.library.page_image(shelf.access, document.id, 1, 300).data == b"b'bytes' 1 300"
    assert shelf.library.canonical_pdf(shelf.access, document.id)[1].read_bytes() == b"bytes"


@pytest.mark.req("LIB-4")
def test_a_document_that_was_not_read_yet_has_no_pdf(shelf: Shelf, container: Container) -> None:
    document = shelf.put(container, b"bytes")
    shelf.library.change(document.id, canonical_hash="")
    with pytest.raises(NotFound, match="no pages to show"):
        shelf.library.canonical_pdf(shelf.access, document.id)


@pytest.mark.req("FIND-2")
def test_tags(shelf: Shelf, container: Container) -> None:
    document = shelf.put(container, b"1", Tag(key="supplier", value="Zeta"), Tag(key="region", value="EU"))
    shelf.put(container, b"2", Tag(key="supplier", value="alpha"))
    assert shelf.library.tag_values(shelf.access, [container.id]) == {"region": ["EU"], "supplier": ["alpha", "Zeta"]}
    tag = Tag(key="supplier", value="Beta")
    assert shelf.library.edit(shelf.access, document.id, lambda _: {"tags": (tag,)}).tags == (tag,)
    assert shelf.library.tag_values(shelf.access, [container.id]) == {"supplier": ["alpha", "Beta"]}
