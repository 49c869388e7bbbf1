"""How questions are worded."""

import pytest

from workbench.adapters.extractive import phrasing


@pytest.mark.parametrize(
    ("question", "compares"),
    [
        ("Compare A and B", True),
        ("which of our suppliers offers credits?", True),
        ("what do our three supplier contracts say on renewal", True),
        ("What is the difference between A and B?", True),
        ("Which law governs the agreement?", False),
        ("What interest do overdue amounts bear?", False),
        ("Is there a most-favoured-customer clause?", False),
    ],
)
def test_comparing(question, compares):
    assert phrasing.compares(question) is compares


@pytest.mark.parametrize(
    ("question", "goes_on"),
    [
        ("and what about the renewal clause?", True),
        ("when does it renew?", True),
        ("Is there a non-compete clause?", False),
        ("Can a party assign its rights?", False),
    ],
)
def test_going_on_from_the_turn_before(question, goes_on):
    assert phrasing.goes_on(question) is goes_on


def test_numbers_and_pages():
    assert phrasing.wanted("our last three supplier contracts") == 3
    assert phrasing.wanted("compare 4 contracts") == 4
    assert phrasing.wanted("within thirty days") is None
    assert phrasing.page("see page 12") == 12
    assert phrasing.page("twelve pages") is None


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What is the cap and when does it renew?", ["What is the cap", "when does it renew?"]),
        ("What is the cap? Who pays freight?", ["What is the cap", "Who pays freight?"]),
        ("the notice period as well as the governing law", ["the notice period", "the governing law"]),
        ("Is liability capped, and at what amount?", ["Is liability capped, and at what amount?"]),
    ],
)
def test_pieces(question, parts):
    assert phrasing.pieces(question) == parts


@pytest.mark.parametrize(
    ("text", "comparing", "topics"),
    [
        ("Compare the payment terms in our three supplier contracts", True, ["payment terms"]),
        ("payment terms, liability caps and governing law", True, ["payment terms", "liability caps", "governing law"]),
        ("Which contracts renew automatically?", True, ["renew automatically"]),
        ("and what about the renewal clause?", False, ["the renewal clause?"]),
        ("books, records or sites", False, ["books, records or sites"]),
    ],
)
def test_topics(text, comparing, topics):
    assert phrasing.topics(text, comparing=comparing) == topics
