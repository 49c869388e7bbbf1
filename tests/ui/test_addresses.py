"""Addresses are read back as they were written, and nonsense names nothing."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from workbench.domain.ids import ConversationId, DocumentId, TurnId
from workbench.ui.addresses import MentionAddress, PageAddress, read

pytestmark = pytest.mark.req("CITE-9")


@pytest.mark.parametrize(
    "address",
    [
        PageAddress(DocumentId("doc_1"), 412),
        PageAddress(DocumentId("a&b=c d"), 1),
        MentionAddress(ConversationId("conv_1"), TurnId("turn_1"), 0),
    ],
)
def test_an_address_survives_its_link(address: PageAddress | MentionAddress) -> None:
    link = urlsplit(address.url)
    assert link.path == "/viewer"
    assert read(dict(parse_qsl(link.query))) == address


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"page": "3"},
        {"document": "d", "page": "x"},
        {"document": "d", "page": "-1"},
        {"document": "d", "page": "²"},
        {"document": "d", "page": "9" * 30},
        {"conversation": "c", "turn": "t"},
        {"conversation": "c", "turn": "t", "mention": "one"},
    ],
)
def test_nonsense_names_nothing(query: dict[str, str]) -> None:
    assert read(query) is None


def test_the_first_page_is_meant_where_none_is_named() -> None:
    assert read({"document": "d"}) == PageAddress(DocumentId("d"), 1)
    assert read({"document": "d", "page": "0"}) == PageAddress(DocumentId("d"), 1)
