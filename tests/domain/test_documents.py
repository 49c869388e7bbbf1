"""Documents: names for people, and what is searchable."""

from datetime import UTC, datetime

import pytest

from workbench.domain.documents import Document, DocumentState, display_name
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.tags import Tag


@pytest.mark.req("LIB-4")
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("orders.docx.pdf", "orders.docx"),
        ("Orders.XLSX.PDF", "Orders.XLSX"),
        ("msa.pdf", "msa.pdf"),
        ("docx.pdf", "docx.pdf"),
        ("report.v2.pdf", "report.v2.pdf"),
        ("報告 2024.pdf", "報告 2024.pdf"),
    ],
)
def test_the_conversion_suffix_is_not_shown(name: str, shown: str) -> None:
    assert display_name(name) == shown


def document(state: DocumentState, *, hidden: bool = False) -> Document:
    return Document(
        id=DocumentId("doc_1"),
        container_id=ContainerId("con_1"),
        name="msa.pdf",
        tags=(Tag(key="supplier", value="Halden"), Tag(key="supplier", value="Acme")),
        state=state,
        hidden=hidden,
        uploaded_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


@pytest.mark.req("LIB-6")
@pytest.mark.parametrize("state", list(DocumentState))
def test_only_a_ready_document_that_is_not_hidden_is_searchable(state: DocumentState) -> None:
    assert document(state).searchable is (state is DocumentState.READY)
    assert not document(state, hidden=True).searchable
    assert not document(state).model_copy(update={"replaced_by": DocumentId("doc_2")}).searchable
    assert state.working is (state not in (DocumentState.READY, DocumentState.FAILED, DocumentState.CANCELLED))


def test_the_first_value_of_a_tag() -> None:
    assert document(DocumentState.READY).tag("supplier") == "Halden"
    assert document(DocumentState.READY).tag("region") == ""
