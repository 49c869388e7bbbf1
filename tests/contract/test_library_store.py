"""The contract of LibraryStore, for every implementation."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.errors import NameTaken, NotFound
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.domain.pages import Page, Word
from workbench.domain.tags import Tag
from workbench.services.ports import LibraryStore

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
LEGAL, SALES = ContainerId("ctr_legal"), ContainerId("ctr_sales")


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest, open_store: Callable[[str], Database]) -> LibraryStore:
    return MemoryLibraryStore() if request.param == "memory" else SqlLibraryStore(open_store(request.param))


@pytest.fixture
def library(store: LibraryStore) -> LibraryStore:
    """A store with two containers."""
    store.add_container(container(LEGAL, "Legal"))
    store.add_container(container(SALES, "Sales"))
    return store


def container(container_id: str, name: str) -> Container:
    return Container(id=ContainerId(container_id), name=name, created_at=NOON)


def document(number: int = 1, container_id: ContainerId = LEGAL, **values: Any) -> Document:
    values = {"uploaded_at": NOON, "name": f"contract {number}.pdf"} | values
    return Document(id=DocumentId(f"doc_{number}"), container_id=container_id, **values)


def chunk(document_id: str, ordinal: int, text: str = "Payment is due.") -> Chunk:
    owner = DocumentId(document_id)
    return Chunk(
        id=chunk_id(owner, ordinal),
        document_id=owner,
        container_id=LEGAL,
        ordinal=ordinal,
        text=text,
        context="Master agreement",
        segments=(Segment(page=1, start=0, end=len(text)),),
    )


def page(number: int, text: str = "Payment is due.", label: str | None = None) -> Page:
    words = (Word(0, 7, 72.25, 100.125, 110.0625, 112.0), Word(8, 10, 113.1, 100.1, 120.3, 112.7))
    return Page(number=number, label=label, text=text, width=595.276, height=841.89, words=words, has_images=True)


# --- containers


def test_containers_come_by_name_whatever_their_case(store: LibraryStore) -> None:
    for name in ("beta", "Alpha", "äther", "Gamma"):
        store.add_container(container(f"ctr_{name}", name))

    assert [held.name for held in store.containers()] == ["Alpha", "beta", "Gamma", "äther"]


@pytest.mark.parametrize(
    ("first", "second"),
    [("Legal", "LEGAL"), ("Café", "Cafe\u0301"), ("Straße", "STRASSE"), ("ÉTÉ", "e\u0301te\u0301")],
)
def test_a_name_is_taken_whatever_its_case_or_unicode_form(store: LibraryStore, first: str, second: str) -> None:
    store.add_container(container("ctr_1", first))

    with pytest.raises(NameTaken) as caught:
        store.add_container(container("ctr_2", second))

    assert second in caught.value.message
    assert [held.id for held in store.containers()] == ["ctr_1"]


def test_names_that_differ_by_an_accent_are_two(store: LibraryStore) -> None:
    store.add_container(container("ctr_1", "Resume"))
    store.add_container(container("ctr_2", "Résumé"))

    assert len(store.containers()) == 2


def test_of_many_threads_adding_one_name_one_wins(store: LibraryStore, together: Callable[..., list[Any]]) -> None:
    results = together(lambda index: store.add_container(container(f"ctr_{index}", "Legal")), 8)

    assert sum(result is None for result in results) == 1
    assert sum(isinstance(result, NameTaken) for result in results) == 7
    assert len(store.containers()) == 1


# --- documents


def test_a_document_comes_back_as_it_was_saved(library: LibraryStore, hostile: str) -> None:
    saved = document(
        name=hostile,
        title=hostile,
        error=hostile,
        tags=(Tag(key="supplier", value=hostile.strip() or "Acme"),) if hostile.split() else (),
        content_hash="ab" * 32,
        pages_without_text=(3, 5),
        state=DocumentState.FAILED,
        uploaded_at=datetime(2026, 1, 5, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    )

    library.save_document(saved)

    assert library.document(saved.id) == saved
    assert library.documents([LEGAL]) == [saved]


def test_times_keep_their_zone(library: LibraryStore) -> None:
    library.save_document(document())

    found = library.document(DocumentId("doc_1"))

    assert found is not None
    assert found.uploaded_at.utcoffset() == timedelta(0)


def test_saving_again_replaces_the_record_and_keeps_pages_and_chunks(library: LibraryStore) -> None:
    library.save_document(document())
    library.save_pages(DocumentId("doc_1"), [page(1)])
    library.save_chunks(DocumentId("doc_1"), [chunk("doc_1", 0)])

    library.save_document(document(state=DocumentState.READY, container_id=SALES))

    found = library.document(DocumentId("doc_1"))
    assert found is not None
    assert found.state is DocumentState.READY
    assert library.documents([LEGAL]) == []
    assert library.documents([SALES]) == [found]
    assert library.page(DocumentId("doc_1"), 1) == page(1)
    assert len(library.document_chunks(DocumentId("doc_1"))) == 1


def test_a_document_needs_a_container_that_exists(library: LibraryStore) -> None:
    with pytest.raises(NotFound):
        library.save_document(document(container_id=ContainerId("ctr_gone")))

    assert library.document(DocumentId("doc_1")) is None


def test_documents_come_newest_first_then_by_id_in_every_state(library: LibraryStore) -> None:
    east = timezone(timedelta(hours=9))
    library.save_document(document(1, uploaded_at=NOON, state=DocumentState.FAILED))
    library.save_document(document(2, uploaded_at=NOON + timedelta(hours=1), container_id=SALES))
    library.save_document(document(3, uploaded_at=NOON, hidden=True))
    library.save_document(document(4, uploaded_at=datetime(2026, 1, 5, 20, 0, tzinfo=east)))  # 11:00 UTC

    found = library.documents([SALES, LEGAL, LEGAL])

    assert [held.id for held in found] == ["doc_2", "doc_1", "doc_3", "doc_4"]


@pytest.mark.req("FIND-1")
def test_no_containers_no_documents(library: LibraryStore) -> None:
    library.save_document(document())

    assert library.documents([]) == []
    assert library.documents([ContainerId("ctr_gone")]) == []


@pytest.mark.req("LIB-8")
def test_a_document_is_found_by_its_content_within_its_container(library: LibraryStore) -> None:
    library.save_document(document(1, content_hash="aa" * 32))
    library.save_document(document(2, content_hash="bb" * 32))

    found = library.document_with_hash(LEGAL, "bb" * 32)

    assert found is not None
    assert found.id == "doc_2"
    assert library.document_with_hash(SALES, "bb" * 32) is None
    assert library.document_with_hash(LEGAL, "cc" * 32) is None


@pytest.mark.req("LIB-8")
def test_of_two_documents_with_the_same_content_the_newest_is_found(library: LibraryStore) -> None:
    library.save_document(document(1, content_hash="aa" * 32, uploaded_at=NOON + timedelta(days=1)))
    library.save_document(document(2, content_hash="aa" * 32, uploaded_at=NOON))

    found = library.document_with_hash(LEGAL, "aa" * 32)

    assert found is not None
    assert found.id == "doc_1"


@pytest.mark.req("LIB-8")
def test_documents_not_read_yet_are_no_duplicates_of_each_other(library: LibraryStore) -> None:
    library.save_document(document(1, content_hash=""))

    assert library.document_with_hash(LEGAL, "") is None


def test_what_is_not_there_is_none_or_empty(library: LibraryStore, hostile: str) -> None:
    assert library.document(DocumentId(hostile)) is None
    assert library.page(DocumentId(hostile), 1) is None
    assert library.page_outlines(DocumentId(hostile)) == []
    assert library.document_chunks(DocumentId(hostile)) == []
    assert library.chunks([ChunkId(hostile)]) == []


def test_deleting_a_document_takes_its_pages_and_chunks_and_nothing_else(library: LibraryStore) -> None:
    for number in (1, 2):
        library.save_document(document(number))
        library.save_pages(DocumentId(f"doc_{number}"), [page(1)])
        library.save_chunks(DocumentId(f"doc_{number}"), [chunk(f"doc_{number}", 0)])

    library.delete_document(DocumentId("doc_1"))
    library.delete_document(DocumentId("doc_1"))

    assert [held.id for held in library.documents([LEGAL])] == ["doc_2"]
    assert library.page(DocumentId("doc_1"), 1) is None
    assert library.page_outlines(DocumentId("doc_1")) == []
    assert library.document_chunks(DocumentId("doc_1")) == []
    assert [held.document_id for held in library.chunks([ChunkId("doc_1:00000"), ChunkId("doc_2:00000")])] == ["doc_2"]
    assert library.page(DocumentId("doc_2"), 1) == page(1)


# --- pages and chunks


def test_pages_come_back_with_words_and_text_as_they_were(library: LibraryStore, hostile: str) -> None:
    library.save_document(document())
    saved = page(6, text=hostile, label="iv")

    library.save_pages(DocumentId("doc_1"), [saved])

    assert library.page(DocumentId("doc_1"), 6) == saved
    assert library.page(DocumentId("doc_1"), 1) is None


def test_outlines_come_in_order_without_text_and_words(library: LibraryStore) -> None:
    library.save_document(document())
    library.save_pages(DocumentId("doc_1"), [page(10), page(2, label="ii"), page(1, label="i")])

    outlines = library.page_outlines(DocumentId("doc_1"))

    assert [(outline.number, outline.label) for outline in outlines] == [(1, "i"), (2, "ii"), (10, None)]
    assert {(outline.width, outline.height) for outline in outlines} == {(595.276, 841.89)}
    assert all(outline.text == "" and outline.words == () for outline in outlines)


def test_texts_of_pages_come_in_order(library: LibraryStore, hostile: str) -> None:
    library.save_document(document())
    library.save_pages(DocumentId("doc_1"), [page(3, text=""), page(2, text=hostile), page(1, text="First.")])

    assert library.page_texts(DocumentId("doc_1")) == [(1, "First."), (2, hostile), (3, "")]
    assert library.page_texts(DocumentId("doc_2")) == []


def test_saving_pages_or_chunks_replaces_all_of_them(library: LibraryStore) -> None:
    owner = DocumentId("doc_1")
    library.save_document(document())
    library.save_pages(owner, [page(1), page(2)])
    library.save_chunks(owner, [chunk("doc_1", 0), chunk("doc_1", 1)])

    library.save_pages(owner, [page(2, text="New text.")])
    library.save_chunks(owner, [chunk("doc_1", 1, "New text.")])

    assert [outline.number for outline in library.page_outlines(owner)] == [2]
    assert [held.text for held in library.document_chunks(owner)] == ["New text."]
    assert library.chunks([ChunkId("doc_1:00000")]) == []

    library.save_pages(owner, [])
    library.save_chunks(owner, [])

    assert library.page_outlines(owner) == []
    assert library.document_chunks(owner) == []


def test_pages_and_chunks_of_a_deleted_document_are_refused(library: LibraryStore) -> None:
    with pytest.raises(NotFound):
        library.save_pages(DocumentId("doc_1"), [page(1)])
    with pytest.raises(NotFound):
        library.save_chunks(DocumentId("doc_1"), [chunk("doc_1", 0)])

    assert library.chunks([ChunkId("doc_1:00000")]) == []


def test_chunks_come_in_the_order_asked_for_and_missing_ones_are_left_out(library: LibraryStore) -> None:
    library.save_document(document())
    library.save_chunks(DocumentId("doc_1"), [chunk("doc_1", ordinal) for ordinal in range(3)])

    found = library.chunks([ChunkId(f"doc_1:{ordinal:05d}") for ordinal in (2, 9, 0, 2)])

    assert [held.ordinal for held in found] == [2, 0, 2]
    assert library.chunks([]) == []


def test_thousands_of_chunks_are_found_at_once(library: LibraryStore) -> None:
    library.save_document(document())
    saved = [chunk("doc_1", ordinal, f"Clause {ordinal}") for ordinal in range(2_500)]
    library.save_chunks(DocumentId("doc_1"), saved)

    asked = [ChunkId(f"doc_1:{ordinal:05d}") for ordinal in reversed(range(5_000))]

    assert library.chunks(asked) == saved[::-1]
    assert library.document_chunks(DocumentId("doc_1")) == saved


def test_threads_write_and_read_without_losing_anything(
    library: LibraryStore, together: Callable[..., list[Any]]
) -> None:
    def work(index: int) -> int:
        owner = DocumentId(f"doc_{index}")
        for state in DocumentState:
            library.save_document(document(index, state=state))
            library.save_chunks(owner, [chunk(owner, ordinal) for ordinal in range(5)])
            library.documents([LEGAL])
        return len(library.document_chunks(owner))

    assert together(work, 6) == [5] * 6
    assert [held.state for held in library.documents([LEGAL])] == [list(DocumentState)[-1]] * 6


def test_threads_saving_one_document_leave_one_whole_set_of_chunks(
    library: LibraryStore, together: Callable[..., list[Any]]
) -> None:
    def work(index: int) -> None:
        library.save_document(document(1, title=f"version {index}"))
        library.save_chunks(DocumentId("doc_1"), [chunk("doc_1", n, f"version {index}") for n in range(20)])

    assert together(work, 6) == [None] * 6
    assert len(library.documents([LEGAL])) == 1
    texts = [held.text for held in library.document_chunks(DocumentId("doc_1"))]
    assert len(texts) == 20
    assert len(set(texts)) == 1
