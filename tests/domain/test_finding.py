"""Words are found as a reader expects, and where they are found is exact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.domain.finding import _fold_with_places, find, fold

pytestmark = pytest.mark.req("CITE-7")


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("TERM", "The term and its terms.", ["term", "term"]),
        ("indemnity", "an INDEM-\n  NITY clause", ["INDEM-\n  NITY"]),
        ("cooperation", "co-operation, Co‑operation", ["co-operation", "Co‑operation"]),
        ("co-operation", "cooperation", ["cooperation"]),
        ("Gebuhr", "die Gebühr und Gebu\u0308hr", ["Gebühr", "Gebu\u0308hr"]),
        ("STRASSE", "Straße", ["Straße"]),
        ("office first", "of\ufb01ce\n\n \ufb01rst", ["of\ufb01ce\n\n \ufb01rst"]),
        ("ship", "war\u00adship", ["ship"]),
        ("lessee's", "the Lessee’s", ["Lessee’s"]),
        ('"agent"', "the “Agent”", ["“Agent”"]),
        ("5-7", "days 5–7", ["5–7"]),
        ("57", "days 5-7", []),
        ("договор", "ДОГОВОР", ["ДОГОВОР"]),
        ("契約", "本契約は", ["契約"]),
        ("a.b", "axb a.b", ["a.b"]),
        ("", "anything", []),
        ("aa", "aaaa", ["aa", "aa"]),
    ],
)
def test_case_accents_typography_and_line_breaks_do_not_matter(words: str, text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in find(fold(words), text)] == found


LETTERS = st.text(st.sampled_from("aBé\u0301ßﬁİ- \n\t\u00ad–’Я契1"), max_size=14) | st.text(max_size=10)


@given(LETTERS)
def test_both_ways_of_folding_agree(text: str) -> None:
    folded, places = _fold_with_places(text)
    assert folded == fold(text)
    assert len(places) == len(folded)
    assert places == sorted(places)


@given(before=LETTERS, words=st.text("abc d", min_size=1, max_size=6), after=LETTERS)
def test_what_is_there_is_found(before: str, words: str, after: str) -> None:
    folded = fold(words.strip())
    text = f"{before}. {words} .{after}"
    places = find(folded, text)
    assert bool(places) == bool(folded)
    assert all(folded in fold(text[start:end]) for start, end in places)
