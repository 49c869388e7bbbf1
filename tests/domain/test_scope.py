"""Scope: narrowing only, and empty means nothing."""

from datetime import UTC, date, datetime

import pytest

from workbench.domain.documents import Document, DocumentState
from workbench.domain.errors import ScopeError
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.scope import Access, Filters, build_scope
from workbench.domain.tags import Tag

CONTRACTS, LEGAL = ContainerId("con_contracts"), ContainerId("con_legal")
ANNA = Access(user_id=UserId("anna"), containers=frozenset({CONTRACTS}))


def document(**changes: object) -> Document:
    msa = Document(
        id=DocumentId("doc_msa"),
        container_id=CONTRACTS,
        name="msa.pdf",
        tags=(Tag(key="supplier", value="Halden"),),
        language="en",
        dated=date(2024, 3, 1),
        state=DocumentState.READY,
        uploaded_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return msa.model_copy(update=changes)


@pytest.mark.req("FIND-1")
class TestContainers:
    def test_no_container_is_refused_outright(self) -> None:
        with pytest.raises(ScopeError, match="No container is chosen"):
            build_scope(ANNA, [])

    def test_a_container_of_others_is_refused_like_a_missing_one(self) -> None:
        messages = set()
        for container in (LEGAL, ContainerId("con_missing")):
            with pytest.raises(ScopeError) as refused:
                build_scope(ANNA, [CONTRACTS, container])
            messages.add(str(refused.value))
        assert len(messages) == 1

    @pytest.mark.parametrize(
        "changes",
        [{"container_id": LEGAL}, {"hidden": True}, {"state": DocumentState.INDEXING}, {"state": DocumentState.FAILED}],
    )
    def test_only_ready_visible_documents_inside_are_admitted(self, changes: dict[str, object]) -> None:
        scope = build_scope(ANNA, [CONTRACTS])
        assert scope.admits(document())
        assert not scope.admits(document(**changes))


@pytest.mark.req("FIND-2")
class TestFilters:
    @pytest.mark.parametrize(
        "filters",
        [
            Filters(tags={"Supplier": ("halden", "Acme")}),
            Filters(language="en"),
            Filters(document_ids=(DocumentId("doc_msa"),)),
            Filters(date_from=date(2024, 3, 1), date_to=date(2024, 3, 1)),
        ],
    )
    def test_admitted(self, filters: Filters) -> None:
        assert filters.admits(document())

    @pytest.mark.parametrize(
        "filters",
        [
            Filters(tags={"supplier": ("Acme",)}),
            Filters(tags={"supplier": ()}),
            Filters(tags={"region": ("EU",)}),
            Filters(language="de"),
            Filters(document_ids=()),
            Filters(date_from=date(2024, 3, 2)),
            Filters(date_to=date(2024, 2, 29)),
        ],
    )
    def test_not_admitted(self, filters: Filters) -> None:
        assert not filters.admits(document())

    def test_an_undated_document_is_outside_any_range(self) -> None:
        assert not Filters(date_from=date(1900, 1, 1)).admits(document(dated=None))

    def test_the_model_can_only_narrow_what_the_user_chose(self) -> None:
        users = build_scope(ANNA, [CONTRACTS], Filters(language="de"))
        assert not users.narrowed(Filters()).admits(document())
        assert not users.narrowed(Filters(document_ids=(DocumentId("doc_msa"),))).admits(document())
