"""Which documents a question names, and what is left of it."""

import pytest

from workbench.adapters.extractive.naming import Roster

pytestmark = pytest.mark.req("TOOL-2")


@pytest.fixture
def roster(documents):
    return Roster(documents)


def labels(naming):
    return [group.label for group in naming.groups]


def test_documents_of_one_supplier_are_one_group_with_its_amendments_last(roster):
    halden = next(group for group in roster.groups if group.label.startswith("Halden"))
    assert halden.documents == ("halden_msa", "halden_amendment_1")
    assert halden.amendments == {"halden_amendment_1"}
    assert len(roster.groups) == 3


@pytest.mark.parametrize(
    ("text", "named", "rest"),
    [
        ("What is Halden's liability cap?", ["Halden Freight GmbH"], "What is liability cap?"),
        ("the renewal in the Corvid Data Ltd agreement?", ["Corvid Data Ltd"], "the renewal?"),
        ("when must Meridian be paid", ["Meridian Hygiene S.A."], "when must be paid"),
        ("payment terms of halden and corvid", ["Halden Freight GmbH", "Corvid Data Ltd"], "payment terms"),
        ("and for Haldn?", ["Halden Freight GmbH"], "and?"),
    ],
)
def test_a_name_is_found_and_taken_out_with_what_hangs_on_it(roster, text, named, rest):
    naming = roster.find(text)
    assert labels(naming) == named
    assert naming.rest == rest


@pytest.mark.parametrize(
    "text",
    [
        "what data must be deleted?",
        "who pays the freight?",
        "which cloud services are covered by the agreement?",
        "the 1 msa",
    ],
)
def test_ordinary_words_of_a_name_name_nobody(roster, text):
    assert labels(roster.find(text)) == []
    assert roster.find(text).rest == text


def test_a_tag_restricts_only_where_it_is_said_as_a_place_to_look(roster):
    assert roster.with_tag("payment terms in Europe") == (("region", "Europe"),)
    assert roster.with_tag("our Europe suppliers") == (("region", "Europe"),)
    assert roster.with_tag("is it governed by the law of Europe?") == ()


def test_the_latest_need_a_date_each(roster, documents):
    assert [group.label for group in roster.latest(2)] == ["Halden Freight GmbH", "Meridian Hygiene S.A."]
    undated = [document.model_copy(update={"dated": None}) for document in documents]
    assert Roster(undated).latest(2) is None
