"""Labels of many documents at once."""

from datetime import date

import pytest

from tests.services.shelf import shelve
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.adapters.pymupdf import PyMuPdfRenderer
from workbench.domain.documents import Container, Document
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.rights import Access, Role
from workbench.domain.tags import Tag
from workbench.services.labels import Labels
from workbench.services.library import Library

MINE, OTHERS = ContainerId("con_mine"), ContainerId("con_others")
ACCESS = Access(user_id=UserId("usr_1"), containers=frozenset({MINE}), roles={MINE: Role.EDITOR})
ACME, EMEA = Tag(key="supplier", value="Acme"), Tag(key="region", value="EMEA")


class Shelf:
    """A library with documents in it, and a note of whose context lines are to be renewed."""

    def __init__(self) -> None:
        self.store, self.keywords = MemoryLibraryStore(), MemoryKeywords()
        for container in (MINE, OTHERS):
            self.store.add_container(Container(id=container, name=container, created_at=FixedClock().now()))
        self.library = Library(
            self.store, MemoryVectors(), self.keywords, MemoryBlobs(), PyMuPdfRenderer(), FixedClock()
        )
        self.renewed: list[DocumentId] = []
        self.labels = Labels(self.library, on_context=lambda document: self.renewed.append(document.id))

    def put(self, name: str, container: ContainerId = MINE, tags: tuple[str, ...] = (), **more: object) -> DocumentId:
        return shelve(self.store, name, container=container, tags=tags, **more)

    def __getitem__(self, document_id: DocumentId) -> Document:
        found = self.store.document(document_id)
        assert found is not None
        return found


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


def test_tags_are_added_and_taken_off_without_doubles_whatever_their_case(shelf: Shelf) -> None:
    first, second = shelf.put("a.pdf", tags=("supplier=acme", "draft=yes")), shelf.put("b.pdf")
    shelf.labels.retag(ACCESS, [first, second], add=[ACME, EMEA], remove=[Tag(key="draft", value="YES")])
    assert [(tag.key, tag.value) for tag in shelf[first].tags] == [("supplier", "acme"), ("region", "EMEA")]
    assert shelf[second].tags == (ACME, EMEA)


def test_dates_languages_and_visibility_are_set_and_taken_back(shelf: Shelf) -> None:
    ids = [shelf.put("a.pdf"), shelf.put("b.pdf")]
    shelf.labels.set_date(ACCESS, ids, date(2024, 5, 6))
    shelf.labels.set_language(ACCESS, ids, "DE")
    shelf.labels.set_hidden(ACCESS, ids, True)
    assert {(shelf[each].dated, shelf[each].language, shelf[each].searchable) for each in ids} == {
        (date(2024, 5, 6), "de", False)
    }
    shelf.labels.set_date(ACCESS, ids[:1], None)
    shelf.labels.set_language(ACCESS, ids[:1], None)
    shelf.labels.set_hidden(ACCESS, ids[:1], False)
    assert (shelf[ids[0]].dated, shelf[ids[0]].language, shelf[ids[0]].searchable) == (None, None, True)


@pytest.mark.parametrize("code", ["german", "d", "ä1", ""])
def test_what_is_no_language_code_is_refused(shelf: Shelf, code: str) -> None:
    with pytest.raises(PinciteError, match="not the code of a language"):
        shelf.labels.set_language(ACCESS, [shelf.put("a.pdf", language="en")], code)


def test_where_one_document_is_not_the_users_none_is_changed(shelf: Shelf) -> None:
    mine, others = shelf.put("a.pdf"), shelf.put("b.pdf", OTHERS)
    with pytest.raises(NotFound):
        shelf.labels.retag(ACCESS, [mine, others], add=[ACME])
    assert shelf[mine].tags == ()


def test_context_lines_are_renewed_where_the_supplier_changed_and_only_there(shelf: Shelf) -> None:
    same, changed, gone = (
        shelf.put("a.pdf", tags=("supplier=Acme",)),
        shelf.put("b.pdf"),
        shelf.put("c.pdf", tags=("supplier=Old",)),
    )
    shelf.labels.retag(ACCESS, [same, changed], add=[ACME, EMEA])
    assert shelf.renewed == [changed]
    shelf.labels.replace_tags(ACCESS, gone, [])
    assert shelf.renewed == [changed, gone]
