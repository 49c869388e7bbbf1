from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from workbench.domain.documents import Document
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.tags import Tag
from workbench.services.retrieval.mentions import MOST_GROUPS, find_mentions

pytestmark = pytest.mark.req("FIND-2")

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def document(name: str, supplier: str = "") -> Document:
    tags = (Tag(key="supplier", value=supplier),) if supplier else ()
    return Document(
        id=DocumentId(name.partition(".")[0]), container_id=ContainerId("c"), name=name, tags=tags, uploaded_at=NOW
    )


SHELF = [
    document("brightport_holdings_2014_ex_10_hosting_agreement.pdf"),
    document("MSA-2021-07.pdf", supplier="Kelmar Foods"),
    document("MSA-2021-07_amendment_1.pdf", supplier="Kelmar Foods"),
    document("greenlinkcorp_affiliate_agreement.pdf"),
    document("services.pdf"),
]
PARTIES = {"Osprey Nine": ["services"], "Osprey": ["services"], "hosting": ["a", "b", "c"], "London": ["a", "b", "c"]}


def holders(text: str) -> Sequence[DocumentId]:
    return [DocumentId(one) for one in PARTIES.get(text, [])]


@pytest.mark.parametrize(
    ("query", "named", "rest"),
    [
        ("Brightport's hosting fees", [{"brightport_holdings_2014_ex_10_hosting_agreement"}], "hosting fees"),
        ("insurance of kelmar", [{"MSA-2021-07", "MSA-2021-07_amendment_1"}], "insurance of"),
        ("renewal with Green Link", [{"greenlinkcorp_affiliate_agreement"}], "renewal with"),
        ("What does Osprey Nine owe?", [{"services"}], "What does owe?"),
        (
            "Compare the caps of Brightport and Osprey",
            [{"brightport_holdings_2014_ex_10_hosting_agreement"}, {"services"}],
            "Compare the caps of and",
        ),
    ],
)
def test_a_name_of_a_file_a_supplier_or_a_party_names_its_documents(
    query: str, named: list[set[str]], rest: str
) -> None:
    found = find_mentions(query, SHELF, holders)
    assert [set(group) for group in found.groups] == named
    assert found.rest == rest


@pytest.mark.parametrize(
    "query",
    ["What are the hosting fees?", "Which law governs?", "Deliveries to London", "Payment terms", "the services", ""],
)
def test_words_that_many_documents_use_name_none(query: str) -> None:
    assert find_mentions(query, SHELF, holders) == ((), query)


def test_a_name_alone_stays_the_query() -> None:
    assert find_mentions("Brightport", SHELF, holders).rest == "Brightport"


def test_the_only_document_of_a_scope_needs_no_name() -> None:
    assert find_mentions("Brightport's fees", SHELF[:1], holders) == ((), "Brightport's fees")


def test_a_query_that_names_many_is_about_what_they_share() -> None:
    shelf = [document(f"{name}.pdf") for name in ("arlent", "borvik", "cestra", "dunmor", "elvast")]
    query = "fees of " + ", ".join(each.name.partition(".")[0].title() for each in shelf)
    assert len(shelf) > MOST_GROUPS
    assert find_mentions(query, shelf, holders) == ((), query)
