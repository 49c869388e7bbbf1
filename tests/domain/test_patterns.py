"""Patterns: the beginnings of a pattern are exactly the beginnings of what it matches."""

import re

import pytest

from workbench.domain.patterns import Pattern, char, either, maybe, then, times, word, words

pytestmark = pytest.mark.req("CITE-3")

PATTERN = then(
    char("(["),
    maybe(words("see", "se also")),
    times(then(word("ab"), maybe(char(","))), 1, 3),
    either(char(")"), word("]]")),
)
MATCHES = ["(ab)", "[ab]]", "(seeab,ab)", "(se alsoab,abab]]", "[abab,ab,)"]
NO_MATCHES = ["(x", "((", "[seeb", "(abababab", "[ab]x", "ab"]


def begins(pattern: Pattern, text: str) -> bool:
    return re.fullmatch(pattern.begun, text) is not None


@pytest.mark.parametrize("text", MATCHES)
def test_a_match_and_each_of_its_beginnings(text: str) -> None:
    assert re.fullmatch(PATTERN.full, text)
    assert all(begins(PATTERN, text[:length]) for length in range(len(text) + 1))


@pytest.mark.parametrize("text", NO_MATCHES)
def test_what_can_never_become_a_match(text: str) -> None:
    assert not begins(PATTERN, text)
