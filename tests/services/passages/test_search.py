"""Searching without a model: pages, orders, rights, highlights, notes and suggestions, over stores in memory."""

from datetime import date
from typing import Any, NamedTuple

import pytest

from tests.services.conftest import CONTRACTS, PRIVATE, Stores, put
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_conversations import MemoryConversationStore
from workbench.adapters.fakes.memory_gaps import MemoryGapStore
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_tables import MemoryTables
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.domain.documents import Container
from workbench.domain.errors import NotFound, PinciteError, ScopeError
from workbench.domain.ids import DocumentId, UserId
from workbench.domain.scope import Access, Filters
from workbench.services.gaps import Gaps
from workbench.services.library import Library
from workbench.services.passages.found import Found
from workbench.services.passages.query import LONGEST, Order, PassageQuery
from workbench.services.passages.search import KEPT_FOR, PassageSearch
from workbench.services.retrieval.search import Search

pytestmark = pytest.mark.req("FIND-10")

ANA = Access(user_id=UserId("ana"), containers=frozenset([CONTRACTS]))
BORIS = Access(user_id=UserId("boris"), containers=frozenset([CONTRACTS, PRIVATE]))
LEASES = {
    f"lease_{number}.pdf": [
        f"Lease number {number}. The tenant pays a deposit of {number} months of rent. Deposit terms {clause}."
        for clause in range(1, 5)
    ]
    for number in range(1, 7)
}


class Desk(NamedTuple):
    passages: PassageSearch
    stores: Stores
    gaps: MemoryGapStore
    ids: dict[str, DocumentId]

    def find(self, text: str = "deposit rent", access: Access = ANA, **values: Any) -> Found:
        asked = PassageQuery(**{"text": text, "containers": (CONTRACTS,)} | values)
        return self.passages.find(access, asked)

    def change(self, name: str, **changes: Any) -> None:
        document = self.stores.library.document(self.ids[name])
        assert document is not None
        self.stores.library.save_document(document.model_copy(update=changes))


@pytest.fixture
def desk() -> Desk:
    stores = Stores(
        MemoryLibraryStore(), MemoryVectors(), MemoryKeywords(), HashingEmbedder(), FixedClock(), MemoryTables()
    )
    for container, name in ((CONTRACTS, "Leases"), (PRIVATE, "Board")):
        stores.library.add_container(Container(id=container, name=name, created_at=stores.clock.now()))
    ids = {name: put(stores, CONTRACTS, name, texts) for name, texts in LEASES.items()}
    ids["minutes.pdf"] = put(stores, PRIVATE, "minutes.pdf", ["The board discussed the deposit and the rent."])
    gaps = MemoryGapStore()
    search = Search(stores.library, stores.vectors, stores.keywords, stores.embedder)
    library = Library(stores.library, stores.vectors, stores.keywords, MemoryBlobs(), None, stores.clock)  # type: ignore[arg-type]
    service = Gaps(gaps, MemoryConversationStore(), stores.clock)
    desk = Desk(
        PassageSearch(search, library, stores.library, stores.keywords, service, stores.clock), stores, gaps, ids
    )
    for year, name in enumerate(sorted(LEASES), 2020):
        desk.change(name, dated=None if year == 2022 else date(year, 5, 1))
    return desk


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("order", list(Order))
def test_the_pages_hold_every_passage_exactly_once_in_one_order(desk: Desk, order: Order, grouped: bool) -> None:
    options: dict[str, Any] = {"order": order, "grouped": grouped, "page_size": 5}
    first = desk.find(**options)
    pages = [desk.find(page=page, **options) for page in range(1, first.pages + 1)]
    ids = [passage.chunk_id for page in pages for passage in page.passages]

    assert first.total > 5
    assert len(ids) == len(set(ids)) == first.total
    assert ids == [passage.chunk_id for passage in desk.find(order=order, grouped=grouped, page_size=50).passages]
    assert desk.find(page=first.pages + 1, **options).passages == ()


def test_grouped_passages_of_a_document_stand_together(desk: Desk) -> None:
    names = [passage.document.id for passage in desk.find(grouped=True, page_size=50).passages]
    assert [each for place, each in enumerate(names) if place == 0 or names[place - 1] != each] == list(
        dict.fromkeys(names)
    )


def test_by_date_undated_documents_come_last_either_way(desk: Desk) -> None:
    newest = [passage.document.dated for passage in desk.find(order=Order.NEWEST, page_size=50).passages]
    oldest = [passage.document.dated for passage in desk.find(order=Order.OLDEST, page_size=50).passages]

    def dated(days: list[date | None]) -> list[date]:
        return [day for day in days if day is not None]

    assert newest[-1] is oldest[-1] is None
    assert dated(newest) == sorted(dated(newest), reverse=True)
    assert dated(oldest) == sorted(dated(oldest))


def test_another_page_or_order_does_not_search_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    first = desk.find(page_size=5)
    monkeypatch.setattr(Search, "run", None)
    assert desk.find(page=2, page_size=5).total == first.total
    assert desk.find(order=Order.NEWEST).total == first.total


def test_a_new_document_appears_once_the_search_is_asked_anew_or_grown_old(desk: Desk) -> None:
    before = desk.find().total
    desk.ids["lease_9.pdf"] = put(desk.stores, CONTRACTS, "lease_9.pdf", ["A deposit of nine months of rent."])
    assert desk.find().total == before
    desk.passages.forget(ANA, PassageQuery(text="deposit rent", containers=(CONTRACTS,)))
    assert desk.ids["lease_9.pdf"] in desk.find(page_size=50).documents
    put(desk.stores, CONTRACTS, "lease_10.pdf", ["A deposit of ten months of rent."])
    desk.stores.clock.advance(KEPT_FOR.total_seconds() + 1)
    assert "doc_lease_10" in desk.find(page_size=50).documents


def test_what_left_the_scope_since_keeps_its_place_without_its_text(desk: Desk) -> None:
    before = desk.find(page_size=50)
    hidden = before.passages[0].document
    desk.change(hidden.name, hidden=True)
    after = desk.find(page_size=50)

    assert [passage.chunk_id for passage in after.passages] == [passage.chunk_id for passage in before.passages]
    assert {passage.gone for passage in after.passages if passage.document.id == hidden.id} == {True}
    assert {passage.text for passage in after.passages if passage.gone} == {""}
    assert hidden.id not in after.documents


def test_nothing_of_another_container_is_ever_found(desk: Desk) -> None:
    assert desk.ids["minutes.pdf"] not in desk.find(page_size=50).documents
    with pytest.raises(ScopeError):
        desk.find(containers=(PRIVATE,))
    with pytest.raises(ScopeError):
        desk.find(containers=())
    assert desk.ids["minutes.pdf"] in desk.find(access=BORIS, containers=(CONTRACTS, PRIVATE), page_size=50).documents


def test_an_empty_choice_of_documents_finds_nothing(desk: Desk) -> None:
    assert desk.find(filters=Filters(document_ids=())).total == 0


def test_a_passage_says_where_it_stands_what_matched_and_opens_there(desk: Desk) -> None:
    passage = desk.find("deposits 3").passages[0]
    (place, *_) = passage.places

    assert passage.container == "Leases"
    assert passage.pages == f"p. {passage.page}"
    assert passage.excerpt[place.start : place.end].casefold() in ("deposit", "3")
    assert "deposits" in passage.words
    (mark,) = desk.passages.highlights(ANA, passage.document.id, passage.ordinal, "deposits")
    assert mark.page == passage.page


def test_highlights_need_the_rights_of_the_search(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.passages.highlights(ANA, desk.ids["minutes.pdf"], 1, "deposit")
    with pytest.raises(NotFound):
        desk.passages.highlights(ANA, desk.ids["lease_1.pdf"], 99, "deposit")


def test_what_the_filters_left_out_is_said_and_can_be_taken_off(desk: Desk) -> None:
    nothing = desk.find(filters=Filters(date_from=date(2040, 1, 1)))

    assert "1 document of unknown date left out." in nothing.notes
    wider = next(each for each in nothing.suggestions if each.text.startswith("Without the dates"))
    assert desk.passages.find(ANA, wider.query).total > 0


def test_a_misspelt_word_is_answered_by_one_of_the_collection(desk: Desk) -> None:
    (suggestion,) = [each for each in desk.find("desposit tenant").suggestions if "mean" in each.text]
    assert suggestion.query.text == "deposit tenant"


def test_where_words_are_known_nothing_is_suggested(desk: Desk) -> None:
    assert desk.find("deposit").suggestions == ()


@pytest.mark.req("FIND-11")
def test_only_a_search_that_found_nothing_is_a_gap_and_its_pages_are_none(desk: Desk) -> None:
    desk.find("deposit")
    for page in (1, 2, 1):
        desk.find("deposit", filters=Filters(language="fr"), page=page)

    assert [(gap.query, gap.filters.language, gap.user_id) for gap in desk.gaps.gaps()] == [("deposit", "fr", "ana")]


def test_a_query_is_of_bounded_length_and_otherwise_data(desk: Desk) -> None:
    with pytest.raises(PinciteError, match=str(LONGEST)):
        desk.find("x" * (LONGEST + 1))
    desk.find('"; DROP TABLE gaps; -- NEAR/2 * (')


def test_words_of_the_query_are_told_from_those_of_its_usual_wording(desk: Desk) -> None:
    put(
        desk.stores,
        CONTRACTS,
        "loan.pdf",
        ["Liability is capped: the aggregate amount shall not exceed a year of fees."],
    )
    (passage, *_) = desk.find("cap on liability").passages

    assert (passage.words, {"aggregate", "amount", "exceed"} <= set(passage.also)) == (("liability",), True)
    assert [passage.excerpt[start:end] for start, end in passage.places] == ["Liability"]
    assert [passage.excerpt[start:end] for start, end in passage.also_places] == ["aggregate", "amount", "exceed"]
