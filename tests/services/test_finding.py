"""The places of a document that hold a reader's words."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.domain.documents import Container, Document
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.pages import Page
from workbench.domain.scope import Access
from workbench.services.finding import LONGEST, Finder
from workbench.services.library import Library

pytestmark = pytest.mark.req("CITE-7")
ACCESS = Access(user_id=UserId("ada"), containers=frozenset({ContainerId("con_1")}))
DOCUMENT = DocumentId("doc_1")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def finder() -> Callable[[Sequence[str]], Finder]:
    """Make a finder over one document with these texts as its pages."""

    def make(texts: Sequence[str]) -> Finder:
        store = MemoryLibraryStore()
        store.add_container(Container(id=ContainerId("con_1"), name="Leases", created_at=NOW))
        store.save_document(Document(id=DOCUMENT, container_id=ContainerId("con_1"), name="lease.pdf", uploaded_at=NOW))
        store.save_pages(DOCUMENT, [Page(number=number, text=text) for number, text in enumerate(texts, 1)])
        renderer = None
        library = Library(store, MemoryVectors(), MemoryKeywords(), MemoryBlobs(), renderer, FixedClock())  # type: ignore[arg-type]
        return Finder(library)

    return make


def test_hits_come_in_reading_order_with_what_stands_around_them(finder) -> None:
    hits, total = finder(["Rent is due. The rent\nis 40.", "Nothing.", "Rent ends."]).find(ACCESS, DOCUMENT, " rent ")
    assert total == 3
    assert [(hit.page, hit.start, hit.end) for hit in hits] == [(1, 0, 4), (1, 17, 21), (3, 0, 4)]
    assert (hits[1].before, hits[1].text, hits[1].after) == ("Rent is due. The ", "rent", " is 40.")


def test_what_stands_around_is_cut_at_words(finder) -> None:
    (hit,), _ = finder([f"{'lorem ' * 40}rent{' ipsum' * 40}"]).find(ACCESS, DOCUMENT, "rent")
    assert set(hit.before.split()) == {"lorem"}
    assert set(hit.after.split()) == {"ipsum"}
    assert max(len(hit.before), len(hit.after)) < 60


def test_more_hits_than_are_listed_are_counted(finder) -> None:
    hits, total = finder(["rent " * 30] * 10).find(ACCESS, DOCUMENT, "rent", limit=45)
    assert (len(hits), total) == (45, 300)
    assert hits[-1].page == 2


@pytest.mark.parametrize("words", ["", "   ", "\u0301", "unicorn"])
def test_nothing_is_found_where_nothing_is_looked_for_or_there(finder, words: str) -> None:
    assert finder(["Rent is due.", ""]).find(ACCESS, DOCUMENT, words) == ((), 0)


def test_a_search_that_nobody_types_is_refused(finder) -> None:
    with pytest.raises(PinciteError):
        finder(["Rent"]).find(ACCESS, DOCUMENT, "x" * (LONGEST + 1))


def test_a_document_is_searched_with_rights_only(finder) -> None:
    stranger = Access(user_id=UserId("bob"), containers=frozenset())
    for access, document in ((stranger, DOCUMENT), (ACCESS, DocumentId("doc_none"))):
        with pytest.raises(NotFound):
            finder(["Rent"]).find(access, document, "rent")
