"""Words as a reader compares them."""

import pytest

from workbench.domain.words import same_word, telling, tokens

pytestmark = pytest.mark.req("FIND-10")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("invoice", "invoices", True),
        ("terminate", "termination", True),
        ("kundigung", "kundigungen", True),
        ("term", "lease", False),
        ("rent", "rental", True),
        ("pay", "payroll", False),
        ("2024", "2025", False),
        ("hc0117", "hc0118", False),
        ("contract", "contraband", False),
    ],
)
def test_inflections_are_the_same_word_and_numbers_are_not(one: str, other: str, same: bool) -> None:
    assert same_word(one, other) is same
    assert same_word(other, one) is same


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What is the notice period?", ("notice", "period")),
        ("Kündigungsfrist für Wartung", ("kundigungsfrist", "wartung")),
        ("clause 14.2 of 45,000 EUR", ("clause", "14.2", "45,000", "eur")),
        ("to be or not to be", ("to", "be", "or", "not")),
        ("", ()),
    ],
)
def test_the_telling_words_of_a_query(text: str, words: tuple[str, ...]) -> None:
    assert telling(text) == words


def test_a_script_without_spaces_gives_pairs_of_characters_at_their_places() -> None:
    assert [(token.word, token.start, token.end) for token in tokens("支払期限")] == [
        ("支払", 0, 2),
        ("払期", 1, 3),
        ("期限", 2, 4),
    ]
