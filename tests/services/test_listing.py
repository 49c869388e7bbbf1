"""Listings: what matches, in which order, on which page, and under whose rights."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.services.conftest import ACCESS, CONTRACTS, PRIVATE
from tests.services.shelf import shelve
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.domain.budgets import Profile
from workbench.domain.conversations import Turn
from workbench.domain.documents import Container, DocumentState
from workbench.domain.errors import NotFound, ScopeError
from workbench.domain.ids import ConversationId, TurnId
from workbench.domain.listing import Listing, ListingQuery, Sort
from workbench.domain.scope import Access, Filters, build_scope
from workbench.services.listing import Listings

SCOPE = build_scope(ACCESS, [CONTRACTS])


def new_store() -> MemoryLibraryStore:
    store = MemoryLibraryStore()
    for container in (CONTRACTS, PRIVATE):
        store.add_container(Container(id=container, name=container, created_at=FixedClock().now()))
    return store


@pytest.fixture
def store() -> MemoryLibraryStore:
    store = new_store()
    shelve(store, "msa.pdf", dated=date(2024, 3, 1), language="en", tags=["supplier=Halden"], title="Master Agreement")
    shelve(store, "rahmen.pdf", dated=date(2024, 12, 31), language="de", tags=["supplier=Müller"])
    shelve(store, "scan.pdf", dated=date(2025, 1, 1), language="de", pages=["Vertrag zwischen Orbex und Halden"])
    shelve(store, "undated.pdf", pages=["Nothing of interest", "Halden is named on the second page only"])
    return store


def found(store: MemoryLibraryStore, **query: object) -> list[str]:
    listing, matched = Listings(store).find(SCOPE, ListingQuery.model_validate(query))
    assert {item.id for item in listing.items} <= matched
    assert listing.total == len(matched)
    return [item.name.partition(".")[0] for item in listing.items]


@pytest.mark.req("TOOL-4")
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["scan", "rahmen", "msa", "undated"]),
        ({"sort": Sort.OLDEST}, ["msa", "rahmen", "scan", "undated"]),
        ({"sort": Sort.NAME}, ["msa", "rahmen", "scan", "undated"]),
        ({"text": "halden"}, ["scan", "msa"]),
        ({"text": "master of HALDEN"}, ["msa"]),
        ({"text": "agree"}, ["msa"]),
        ({"text": "muller"}, ["rahmen"]),
        ({"text": "halden orbex"}, ["scan"]),
        ({"text": "halden nobody"}, []),
        ({"language": "de"}, ["scan", "rahmen"]),
        ({"language": "fr"}, []),
        ({"tags": {"supplier": ("Halden",)}}, ["msa"]),
        ({"tags": {"supplier": ()}}, []),
        ({"date_from": date(2024, 3, 1), "date_to": date(2024, 12, 31)}, ["rahmen", "msa"]),
        ({"date_from": date(2024, 3, 2), "date_to": date(2024, 12, 30)}, []),
        ({"text": "halden", "language": "de", "date_from": date(2025, 1, 1)}, ["scan"]),
    ],
)
def test_every_condition_applies_and_both_dates_are_inclusive(
    store: MemoryLibraryStore, query: dict[str, object], names: list[str]
) -> None:
    assert found(store, **query) == names


@pytest.mark.req("TOOL-4")
def test_only_ready_and_visible_documents_of_the_scope_are_listed(store: MemoryLibraryStore) -> None:
    shelve(store, "hidden.pdf", hidden=True)
    shelve(store, "failed.pdf", state=DocumentState.FAILED)
    shelve(store, "indexing.pdf", state=DocumentState.INDEXING)
    shelve(store, "secret.pdf", container=PRIVATE)
    assert found(store) == ["scan", "rahmen", "msa", "undated"]


def test_the_users_own_selection_stays(store: MemoryLibraryStore) -> None:
    scope = build_scope(ACCESS, [CONTRACTS], Filters(language="de"))
    listing, _ = Listings(store).find(scope, ListingQuery(language="en"))
    assert (listing.items, listing.total) == ((), 0)


def test_what_is_left_out_for_want_of_a_date_or_language_is_counted(store: MemoryLibraryStore) -> None:
    shelve(store, "other.pdf", dated=date(2024, 5, 5))

    def counts(**query: object) -> tuple[int, int]:
        listing, _ = Listings(store).find(SCOPE, ListingQuery.model_validate(query))
        return listing.undated, listing.without_language

    assert counts() == (0, 0)
    assert counts(date_from=date(2024, 1, 1)) == (1, 0)
    assert counts(language="de") == (0, 2)
    assert counts(date_from=date(2024, 1, 1), language="de") == (0, 1)
    assert counts(date_from=date(2024, 1, 1), text="halden") == (0, 0)


@pytest.mark.req("TOOL-4")
def test_a_page_past_the_last_one_is_empty_and_still_says_the_total(store: MemoryLibraryStore) -> None:
    listing, matched = Listings(store).find(SCOPE, ListingQuery(page=3, page_size=2))
    assert (listing.items, listing.total, listing.pages, len(matched)) == ((), 4, 2, 4)


SHELVES = st.lists(
    st.tuples(st.sampled_from("abc"), st.none() | st.dates(date(2024, 1, 1), date(2024, 1, 3))), max_size=30
)


@pytest.mark.req("TOOL-4")
@given(SHELVES, st.integers(1, 7), st.sampled_from(Sort))
def test_the_pages_together_hold_every_document_once_whatever_is_equal(
    documents: list[tuple[str, date | None]], page_size: int, sort: Sort
) -> None:
    store = new_store()
    ids = [shelve(store, f"{name}{number}.pdf", dated=dated) for number, (name, dated) in enumerate(documents)]
    listings = Listings(store)
    first = listings.find(SCOPE, ListingQuery(sort=sort, page_size=page_size)).listing
    items = list(first.items)
    for page in range(2, first.pages + 1):
        items += listings.find(SCOPE, ListingQuery(sort=sort, page_size=page_size, page=page)).listing.items
    assert sorted(item.id for item in items) == sorted(ids)
    dates = [item.dated for item in items if item.dated]
    if sort is not Sort.NAME:
        assert dates == sorted(dates, reverse=sort is Sort.NEWEST)
        assert all(item.dated is None for item in items[len(dates) :])
        ties = [item.id for item in items if item.dated == date(2024, 1, 1)]
        assert ties == sorted(ties)


def turn(**changes: object) -> Turn:
    values: dict[str, object] = {
        "id": TurnId("turn_1"),
        "conversation_id": ConversationId("conv_1"),
        "number": 1,
        "question": "Which contracts are there?",
        "containers": (CONTRACTS, PRIVATE),
        "profile": Profile.QUICK,
        "model": "scripted",
        "started_at": FixedClock().now(),
        "listing": Listing(query=ListingQuery(sort=Sort.NAME, page_size=2), total=4),
    }
    return Turn.model_validate(values | changes)


@pytest.mark.req("TOOL-13")
def test_another_page_comes_from_the_stored_parameters(store: MemoryLibraryStore) -> None:
    before = turn()
    listing = Listings(store).page_of(ACCESS, before, 2)
    assert [item.name for item in listing.items] == ["scan.pdf", "undated.pdf"]
    assert (listing.page, listing.pages, listing.query.sort) == (2, 2, Sort.NAME)
    assert before == turn()


def test_another_page_keeps_the_selection_of_its_turn(store: MemoryLibraryStore) -> None:
    listing = Listings(store).page_of(ACCESS, turn(filters=Filters(language="de")), 1)
    assert [item.name for item in listing.items] == ["rahmen.pdf", "scan.pdf"]


@pytest.mark.req("TOOL-13")
def test_another_page_shows_what_the_user_may_see_now(store: MemoryLibraryStore) -> None:
    shelve(store, "board.pdf", container=PRIVATE)
    both = Access(user_id=ACCESS.user_id, containers=frozenset([CONTRACTS, PRIVATE]))
    assert Listings(store).page_of(both, turn(), 1).total == 5
    assert Listings(store).page_of(ACCESS, turn(), 1).total == 4
    store.delete_document(Listings(store).page_of(ACCESS, turn(), 1).items[0].id)
    assert Listings(store).page_of(ACCESS, turn(), 1).total == 3
    nothing = Access(user_id=ACCESS.user_id, containers=frozenset())
    with pytest.raises(ScopeError):
        Listings(store).page_of(nothing, turn(), 1)


def test_a_turn_without_a_list_has_no_pages(store: MemoryLibraryStore) -> None:
    with pytest.raises(NotFound, match="no list"):
        Listings(store).page_of(ACCESS, turn(listing=None), 2)
