"""Searches over the memory engines: what is in scope, what is cut, and what is said when nothing is found."""

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, PRIVATE, Bench
from workbench.domain.documents import DocumentState
from workbench.domain.errors import ScopeError
from workbench.domain.ids import DocumentId
from workbench.domain.scope import Access, Filters, Scope, build_scope


def scope(filters: Filters | None = None) -> Scope:
    return build_scope(ACCESS, [CONTRACTS], filters)


@pytest.mark.req("FIND-1")
def test_a_scope_cannot_be_empty_or_wider_than_the_users_rights() -> None:
    with pytest.raises(ScopeError):
        build_scope(ACCESS, [])
    with pytest.raises(ScopeError):
        build_scope(ACCESS, [PRIVATE])


@pytest.mark.req("FIND-1")
def test_a_container_that_was_taken_away_since_gives_nothing(bench: Bench) -> None:
    stale = scope().model_copy(update={"access": Access(user_id=ACCESS.user_id, containers=frozenset())})
    outcome = bench.search.run(stale, "payment terms")
    assert outcome.kept == []
    assert "No searchable document is in scope" in outcome.note


@pytest.mark.req("FIND-2")
def test_an_empty_list_of_documents_finds_nothing_and_never_everything(bench: Bench) -> None:
    assert bench.search.run(scope(Filters(document_ids=())), "payment terms").kept == []
    assert bench.search.run(scope(Filters(tags={"supplier": ()})), "payment terms").kept == []


@pytest.mark.req("FIND-2")
@pytest.mark.parametrize("hostile", ['" OR 1=1', "*", "NEAR(a b)", "{'$ne': 1}", "payment\x00terms", "x'; DROP TABLE"])
def test_hostile_words_are_data(bench: Bench, hostile: str) -> None:
    filters = Filters(tags={"supplier": (hostile,)}, document_ids=(DocumentId(hostile),))
    assert bench.search.run(scope(filters), "payment").kept == []
    assert all(hit.chunk.container_id == CONTRACTS for hit in bench.search.run(scope(), hostile).kept)


@pytest.mark.req("LIB-6")
@pytest.mark.parametrize(
    "change", [{"state": DocumentState.INDEXING}, {"state": DocumentState.FAILED}, {"hidden": True}]
)
def test_only_ready_and_visible_documents_are_found(bench: Bench, change: dict[str, object]) -> None:
    orbex = bench.library.document(bench.documents["orbex.pdf"])
    assert orbex is not None
    bench.library.save_document(orbex.model_copy(update=change))
    found = bench.search.run(scope(), "payment terms undisputed invoice").kept
    assert {hit.chunk.document_id for hit in found} == {bench.documents["nordwand.pdf"]}


@pytest.mark.req("FIND-2")
def test_the_name_of_a_chosen_document_is_taken_out_of_the_query(bench: Bench) -> None:
    chosen = Filters(document_ids=(bench.documents["orbex.pdf"],))
    assert bench.search.run(scope(chosen), "Orbex payment terms").query == "payment terms"
    assert bench.search.run(scope(), "payment terms of all suppliers").query == "payment terms of all suppliers"


def test_an_empty_query_finds_nothing_and_says_so(bench: Bench) -> None:
    outcome = bench.search.run(scope(), "  ")
    assert (outcome.kept, outcome.note) == ([], "The query is empty.")
