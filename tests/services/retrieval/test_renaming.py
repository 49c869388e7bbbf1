"""A container or a document gets another name: everything is kept by ids, so only names that are shown or typed change."""

import pytest

from tests.services.conftest import Stores, put
from workbench.domain.documents import Container
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.scope import Access, Filters, Scope, build_scope
from workbench.services.retrieval.search import Search, SearchOutcome

pytestmark = pytest.mark.req("FIND-1")

TENDER, ARCHIVE = ContainerId("cont_tender"), ContainerId("cont_archive")
ACCESS = Access(user_id=UserId("ana"), containers=frozenset([TENDER, ARCHIVE]))
TEXTS = ["Deliveries of the Harbour Works arrive on Mondays.", "Halden Rail bids for the tunnel and pays a deposit."]


@pytest.fixture
def search(stores: Stores) -> Search:
    call(stores, TENDER, "Harbour Works")
    put(stores, TENDER, "halden.pdf", TEXTS)
    return Search(stores.library, stores.vectors, stores.keywords, stores.embedder)


def call(stores: Stores, container: ContainerId, name: str) -> None:
    """Give a container its name: the store in memory knows them by id, as every store does."""
    others = [each for each in stores.library.containers() if each.id != container]
    stores.library._containers = {each.id: each for each in others}
    stores.library.add_container(Container(id=container, name=name, created_at=stores.clock.now()))


def within(*containers: ContainerId, filters: Filters | None = None) -> Scope:
    return build_scope(ACCESS, containers, filters)


def documents_of(outcome: SearchOutcome) -> set[DocumentId]:
    return {hit.chunk.document_id for hit in outcome.kept}


def test_a_renamed_container_is_searched_as_before_and_its_old_name_given_to_another_finds_nothing_there(
    search: Search, stores: Stores
) -> None:
    before = search.run(within(TENDER), "deposit")
    call(stores, TENDER, "Tunnel Lot")
    call(stores, ARCHIVE, "Harbour Works")

    after = search.run(within(TENDER), "deposit")
    assert [(hit.chunk.id, hit.score) for hit in after.kept] == [(hit.chunk.id, hit.score) for hit in before.kept] != []
    assert after.containers == {TENDER: "Tunnel Lot"}
    assert search.run(within(ARCHIVE), "deposit").kept == []
    assert documents_of(search.run(within(TENDER, ARCHIVE), "deposit")) == documents_of(before)


def test_the_name_that_a_container_has_now_is_taken_out_of_the_query_and_its_old_one_is_words(
    search: Search, stores: Stores
) -> None:
    question = "when do deliveries of the {} arrive"
    assert search.run(within(TENDER), question.format("Harbour Works")).query == "when do deliveries of the arrive"
    call(stores, TENDER, "Tunnel Lot")

    assert search.run(within(TENDER), question.format("Tunnel Lot")).query == "when do deliveries of the arrive"
    old = search.run(within(TENDER), question.format("Harbour Works"))
    assert "Harbour Works" in old.query
    assert old.kept[0].chunk.text == TEXTS[0]


def test_a_renamed_document_keeps_its_filters_and_is_named_by_its_new_name(search: Search, stores: Stores) -> None:
    put(stores, TENDER, "verdal.pdf", ["Verdal Rail bids for the bridge and pays a deposit."])
    document = stores.library.document(DocumentId("doc_halden"))
    assert document is not None
    stores.library.save_document(document.model_copy(update={"name": "kongsberg.pdf", "tags": ()}))

    outcome = search.run(within(TENDER), "deposit of Kongsberg")
    assert outcome.named == (document.id,)
    assert outcome.kept[0].chunk.document_id == document.id
    chosen = search.run(within(TENDER, filters=Filters(document_ids=(document.id,))), "kongsberg deposit")
    assert documents_of(chosen) == {document.id}
    assert chosen.query == "deposit"
    assert chosen.documents[document.id].name == "kongsberg.pdf"
