"""Excerpts: which part of a passage is shown, and which words are marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.domain.excerpts import LENGTH, excerpt, places_of

pytestmark = pytest.mark.req("FIND-10")

FILLER = "The parties have read this schedule and agree to it in full. " * 8


def marked(query: str, text: str) -> list[str]:
    return [text[start:end] for start, end in places_of(query, text)]


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("insured premiums", "Each PREMIUM is due; what it insures stands.", ["PREMIUM", "insures"]),
        ("Größe", "die GROESSE und die Größe", ["Größe"]),
        ("clause 7.2", "Clauses 7.2 and 17.2", ["Clauses", "7.2"]),
        ("支払期限", "支払期限は月末", ["支払期限"]),
        ("the deposit", "The deposit is the deposit.", ["deposit", "deposit"]),
        ("deposit", "Nothing of the kind.", []),
    ],
)
def test_words_are_marked_in_any_inflection_and_numbers_exactly(query: str, text: str, found: list[str]) -> None:
    assert marked(query, text) == found


def test_the_sentence_with_most_of_the_words_is_shown() -> None:
    text = f"{FILLER}The deposit equals two months. {FILLER}The deposit is returned after inspection. {FILLER}"
    start, end, places = excerpt("deposit returned inspection", text)

    assert "The deposit is returned after inspection." in text[start:end]
    assert [text[low:high] for low, high in places] == ["deposit", "returned", "inspection"]


def test_a_passage_without_the_words_shows_its_beginning() -> None:
    start, end, places = excerpt("quorum", FILLER)
    assert (start, places) == (0, ())
    assert end <= LENGTH


@given(st.text(max_size=40), st.text(alphabet=st.sampled_from("ab .\n界支払é7,'"), max_size=900))
def test_an_excerpt_is_a_part_of_the_text_of_bounded_length(query: str, text: str) -> None:
    start, end, places = excerpt(query, text)

    assert 0 <= start <= end <= len(text)
    assert end - start <= max(LENGTH, 1)
    assert all(start <= low < high <= end for low, high in places)
