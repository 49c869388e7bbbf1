"""Long sentences are shortened at clause borders and stay verbatim."""

import pytest

from workbench.adapters.extractive.quoting import LONGEST, shortened

FILLER = "the parties acknowledge that the services are rendered with the usual care of a prudent merchant of the trade"
LONG = (
    f"The Supplier shall perform the services; {FILLER}; {FILLER}; the aggregate liability of the Supplier shall not exceed"
    f" the fees paid in the preceding year; {FILLER}."
)


def test_a_short_sentence_stays():
    assert shortened("Liability is limited to EUR 5.", "liability cap") == "Liability is limited to EUR 5."


@pytest.mark.req("OPEN-3")
def test_the_clause_asked_about_is_kept_and_every_piece_is_verbatim_and_in_order():
    text = shortened(LONG, "What is the liability cap?")
    assert "aggregate liability of the Supplier shall not exceed" in text
    assert len(text.replace("…", "").split()) <= LONGEST
    position = 0
    for piece in text.removesuffix(" …").split(" … "):
        position = LONG.index(piece, position) + len(piece)
    assert " … " in text


def test_one_long_clause_is_not_cut_inside():
    clause = " ".join(f"word{number}" for number in range(80))
    assert shortened(clause, "liability") == clause
