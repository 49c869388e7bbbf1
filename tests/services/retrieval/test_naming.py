from datetime import UTC, datetime

import pytest

from workbench.domain.documents import Container, Document
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.tags import Tag
from workbench.services.retrieval.naming import distinctive_words, strip_names

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def document(name: str, supplier: str = "") -> Document:
    tags = (Tag(key="supplier", value=supplier),) if supplier else ()
    return Document(id=DocumentId(name), container_id=ContainerId("c"), name=name, tags=tags, uploaded_at=NOW)


def container(name: str) -> Container:
    return Container(id=ContainerId("c"), name=name, created_at=NOW)


def test_distinctive_words_leave_out_generic_ones_numbers_and_crumbs() -> None:
    assert distinctive_words(["orbex_master_agreement_2024 v2.pdf"]) == {"orbex"}


@pytest.mark.parametrize(
    ("query", "stripped"),
    [
        ("payment terms Orbex agreement", "payment terms agreement"),
        ("What are Orbex's payment terms?", "What are payment terms?"),
        ("late fees in Procurement", "late fees in"),
        ("Orbex", "Orbex"),
        ("payment terms", "payment terms"),
        ("renewal at NORDWAND", "renewal at"),
    ],
)
@pytest.mark.req("FIND-2")
def test_names_that_the_scope_already_says_are_taken_out_of_the_query(query: str, stripped: str) -> None:
    documents = [document("orbex_master_agreement_2024.pdf"), document("x.pdf", supplier="Nordwand")]
    assert strip_names(query, documents, [container("Procurement")]) == stripped
