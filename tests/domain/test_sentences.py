"""Sentences of contracts and of Markdown answers."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.domain.sentences import sentences

pytestmark = pytest.mark.req("CITE-7")

CASES = [
    ("Pay in 45 days. Then stop.", ["Pay in 45 days.", "Then stop."]),
    ("The fee is 1.5 million. It is net.", ["The fee is 1.5 million.", "It is net."]),
    ("See No. 5 of Art. 3. Next.", ["See No. 5 of Art. 3.", "Next."]),
    ("Is it capped? No. The cap was struck out.", ["Is it capped?", "No.", "The cap was struck out."]),
    ("7.2 Payment terms. The Customer pays.", ["7.2 Payment terms.", "The Customer pays."]),
    ("7. Payment is due.", ["7. Payment is due."]),
    ("7. Payment\n7.1 Pay now.\n7.2 Pay later.", ["7. Payment", "7.1 Pay now.", "7.2 Pay later."]),
    ("Acme Inc. Tower and Halden Ltd. The parties agree.", ["Acme Inc. Tower and Halden Ltd.", "The parties agree."]),
    ("Mr. J. Smith signed, e.g. twice. Done.", ["Mr. J. Smith signed, e.g. twice.", "Done."]),
    ("It ended in 2024. A new term began.", ["It ended in 2024.", "A new term began."]),
    ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
    ("**Halden.** Due in 45 days.", ["**Halden.**", "Due in 45 days."]),
    ("- A is 9\n- B is 10", ["- A is 9", "- B is 10"]),
    ("It covers:\n(a) loss; and\n(b) damage.", ["It covers:", "(a) loss; and", "(b) damage."]),
    ("| a | b |\n| c | d. e |\nafter", ["| a | b |", "| c | d. e |", "after"]),
    ("one line\ngoes on. New\n\npara", ["one line\ngoes on.", "New", "para"]),
    ("within 30\ndays of receipt.", ["within 30\ndays of receipt."]),
    ("代金は45日以内。次の条。", ["代金は45日以内。", "次の条。"]),
    ("Cost is 5.0.", ["Cost is 5.0."]),
    ("", []),
    (" \n\n ", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


@given(st.text(alphabet="aB. \n1|-(。?!)", max_size=60))
def test_spans_are_in_order_and_hold_every_visible_character(text: str) -> None:
    spans = sentences(text)
    assert all(low < high for low, high in spans)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
    assert "".join("".join(text[low:high].split()) for low, high in spans) == "".join(text.split())
