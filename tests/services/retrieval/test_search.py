"""Searches over the memory engines: what is in scope, what is cut, and what is said when nothing is found."""

from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from tests.services.conftest import ACCESS, CONTRACTS, PRIVATE, Bench, Stores, put
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.domain.documents import Container, DocumentState
from workbench.domain.errors import ScopeError
from workbench.domain.events import Stage
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.scope import Access, Filters, Scope, build_scope
from workbench.services.ports import Vector
from workbench.services.retrieval.search import Search, SearchOutcome

EMPTY = ContainerId("cont_empty")


def emptied(stores: Stores) -> Scope:
    """Add a container without documents and return the scope of all of it."""
    stores.library.add_container(Container(id=EMPTY, name="Scans", created_at=stores.clock.now()))
    return build_scope(Access(user_id=ACCESS.user_id, containers=frozenset([EMPTY])), [EMPTY])


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


# --- the stages


def stage(outcome: SearchOutcome, name: str) -> Stage:
    return next(each for each in outcome.stages if each.name == name)


@pytest.mark.req("FIND-3", "FIND-4")
def test_every_stage_says_what_it_left(bench: Bench) -> None:
    outcome = bench.search.run(scope(), "payment terms")
    assert [each.name for each in outcome.stages] == ["scope", "candidates", "fusion", "cut-off"]
    assert stage(outcome, "scope").left == 2
    assert stage(outcome, "candidates").left == outcome.candidates
    assert stage(outcome, "cut-off").left == len(outcome.kept)
    assert outcome.also.startswith("invoices shall be paid")


@pytest.mark.req("FIND-3")
def test_a_quoted_phrase_comes_first_and_one_that_stands_nowhere_is_told(bench: Bench) -> None:
    found = bench.search.run(scope(), 'invoices "without deduction"')
    assert "without deduction" in found.kept[0].chunk.text
    assert stage(found, "word for word").left == 1
    assert found.remarks == ()
    missing = bench.search.run(scope(), 'invoices "without any delay"')
    assert any("“without any delay” word for word" in remark for remark in missing.remarks)


@pytest.mark.req("FIND-2")
def test_a_document_that_the_query_names_is_searched_first(bench: Bench) -> None:
    for name in ("nordwand", "orbex"):
        outcome = bench.search.run(scope(), f"when are invoices of {name.title()} due")
        assert outcome.named == (bench.documents[f"{name}.pdf"],)
        assert outcome.kept[0].chunk.document_id == bench.documents[f"{name}.pdf"]
        assert name not in outcome.query.casefold()


@pytest.mark.req("FIND-1")
def test_documents_that_were_read_before_are_narrowed_by_the_scope_all_the_same(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = bench.library.documents([CONTRACTS, PRIVATE])
    monkeypatch.setattr(bench.library, "documents", lambda _: pytest.fail("the library is read again"))
    chosen = (bench.documents["orbex.pdf"],)
    outcome = bench.search.run(scope(Filters(document_ids=chosen)), "payment terms", documents=read)
    assert tuple(outcome.documents) == chosen


@pytest.mark.req("FIND-8")
@pytest.mark.usefixtures("bench")
def test_a_reranker_orders_what_it_judged_and_there_is_none_by_default(stores: Stores) -> None:
    parts = (stores.library, stores.vectors, stores.keywords, stores.embedder)
    wanted = "recitals and background"
    plain = Search(*parts).run(scope(), "payment")
    judged = Search(*parts, reranker=Backwards(wanted)).run(scope(), "payment")
    assert "rerank" not in [each.name for each in plain.stages]
    assert stage(judged, "rerank").note.endswith("judged by backwards")
    assert wanted not in plain.kept[0].chunk.text.lower()
    assert wanted in judged.kept[0].chunk.text.lower()


class Backwards:
    """A reranker that likes one text only."""

    name = "backwards"

    def __init__(self, liked: str) -> None:
        self._liked = liked

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        return [0.9 if self._liked in passage.lower() else 0.1 for passage in passages]


@pytest.mark.req("FIND-1")
@pytest.mark.parametrize(
    "values", [{"tags": {"supplier": ({"$ne": ""},)}}, {"document_ids": ({"$gt": ""},)}, {"tags": "x"}]
)
def test_operators_in_the_place_of_values_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Filters.model_validate(values)


@pytest.mark.req("FIND-1")
def test_the_engines_are_asked_for_documents_of_the_scope_only(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[frozenset[DocumentId]] = []
    for name in ("query", "phrase", "holders"):
        real = getattr(MemoryKeywords, name)

        def spy(self: Any, box: str, what: Any, limit: int, documents: frozenset[DocumentId], real: Any = real) -> Any:
            assert box == CONTRACTS
            asked.append(documents)
            return real(self, box, what, limit, documents)

        monkeypatch.setattr(MemoryKeywords, name, spy)
    bench.search.run(scope(), 'Orbex "payment terms" and 4.1 of secret')
    bench.search.run(scope(Filters(document_ids=())), "payment")
    assert asked
    assert all(documents and bench.documents["secret.pdf"] not in documents for documents in asked)


@pytest.mark.req("FIND-3")
@pytest.mark.usefixtures("bench")
def test_the_site_of_many_like_forms_is_found_by_its_number(stores: Stores) -> None:
    for number in range(1, 17):
        put(
            stores,
            CONTRACTS,
            f"form{number:02d}.pdf",
            [f"Inspection form SITE-{number:02d}. Reading taken: {number * 3} units."],
        )
    outcome = Search(stores.library, stores.vectors, stores.keywords, stores.embedder).run(
        scope(), "reading at SITE-07"
    )
    assert outcome.kept[0].chunk.text == "Inspection form SITE-07. Reading taken: 21 units."


@pytest.mark.req("FIND-1", "LIB-6")
@pytest.mark.parametrize("state", [None, DocumentState.CHUNKING, DocumentState.FAILED])
def test_a_container_with_nothing_ready_is_no_error_and_says_so(stores: Stores, state: DocumentState | None) -> None:
    """``state`` is that of its only document, None where there is none."""
    everything = emptied(stores)
    if state is not None:
        only = stores.library.document(put(stores, EMPTY, "scan.pdf", ["The rent is due on Fridays."]))
        assert only is not None
        stores.library.save_document(only.model_copy(update={"state": state}))
    search = Search(stores.library, stores.vectors, stores.keywords, stores.embedder)
    outcome = search.run(everything, "rent", at_most=40)
    assert (outcome.kept, outcome.cut, outcome.candidates) == ([], [], 0)
    assert outcome.note.startswith("No searchable document is in scope")


@pytest.mark.req("FIND-1")
def test_more_passages_than_there_are_can_be_asked_for(stores: Stores) -> None:
    everything = emptied(stores)
    put(stores, EMPTY, "scan.pdf", ["The rent is due on Fridays."])
    search = Search(stores.library, stores.vectors, stores.keywords, stores.embedder)
    assert len(search.run(everything, "rent", at_most=40).kept) == 1


class Apart(HashingEmbedder):
    """Puts every passage on an axis of its own, and a query near the first or far from all; ``length`` is of all vectors."""

    fingerprint = "apart"

    def __init__(self, length: float) -> None:
        super().__init__()
        self._length = length

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [[self._length * (axis == place) for axis in range(8)] for place, _ in enumerate(texts)]

    def embed_query(self, text: str) -> Vector:
        near = [0.9, 0.1, 0.1, 0.0, 0.0, 0.0, 0.0, 0.4]
        far = [0.15, 0.05, 0.1, 0.0, 0.0, 0.0, 0.0, 0.98]
        return [self._length * each for each in (near if "near" in text else far)]


@pytest.mark.req("FIND-4")
@pytest.mark.parametrize("length", [0.02, 1.0, 60.0])
def test_vectors_of_any_length_are_compared_by_direction_and_what_words_find_is_never_all_cut(
    stores: Stores, length: float
) -> None:
    """A query that is far from everything in meaning still gives what holds its words, and says that it is weak."""
    embedder, everything = Apart(length), emptied(stores)
    made = Stores(stores.library, MemoryVectors(), stores.keywords, embedder, stores.clock, stores.tables)
    put(made, EMPTY, "rent.pdf", ["The rent is due on Fridays.", "The garden is open at night.", "Cats are let in."])
    search = Search(made.library, made.vectors, made.keywords, embedder)

    near, far = search.run(everything, "is it near"), search.run(everything, "cats garden")
    assert near.kept[0].chunk.text == "The rent is due on Fridays."
    assert near.remarks == ()
    assert {hit.chunk.text for hit in far.kept} == {"The garden is open at night.", "Cats are let in."}
    assert any("weak matches" in remark for remark in far.remarks)
