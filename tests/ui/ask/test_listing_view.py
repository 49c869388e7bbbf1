"""Lists, cards and coverage on the screen, over real parts and a scripted model."""

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.ask.desk import Desk, Open, find, html, search, shown_turn
from workbench.adapters.fakes.steps import Step, call, say
from workbench.domain.conversations import Turn
from workbench.domain.results import ResultType
from workbench.services.ports import ModelRequest

Desks = Callable[..., Desk]
NAMES = ["alder.pdf", "birch.pdf", "cedar.pdf", "halden.pdf"]
BY_NAME = find(sort="name", page_size=3)


def filled(desk: Desk, pdf: Callable[..., bytes]) -> Desk:
    """Add three documents to the one that the desk comes with."""
    for name in NAMES[:3]:
        desk.add(name, pdf(f"The {name} agreement."))
    return desk


def listed(at: AppTest) -> list[str]:
    return re.findall(r'class="pc-document"[^>]*>([^<]+)<', html(at))


def answers(at: AppTest) -> list[str]:
    return re.findall(r'<div class="pc-answer">.*?</div>', html(at), re.DOTALL)


def turned(at: AppTest, turn: Turn, button: str) -> AppTest:
    return at.button(key=f"pager-list-{turn.id}-{button}").click().run()


@pytest.mark.req("TOOL-12", "TOOL-13")
def test_a_list_is_turned_page_by_page_without_the_model_and_the_answer_stays(
    desk_for: Desks, open_screen: Open, pdf: Callable[..., bytes]
) -> None:
    """The script has no step left: a call of the model would end the turn in failure."""
    desk = filled(desk_for(BY_NAME, say("These are the contracts.")), pdf)
    turn = desk.asked("List the contracts by name")
    events = desk.workbench.turns.events(desk.access, turn.id)
    at = shown_turn(open_screen, turn)
    first, answer = listed(at), answers(at)
    turned(at, turn, "next")

    assert turn.result_type is ResultType.DOCUMENTS
    assert (first, listed(at)) == (NAMES[:3], NAMES[3:])
    assert "4–4 of 4" in html(at)
    assert answers(at) == answer != []
    assert at.query_params["list_page"] == "2"
    assert at.button(key=f"pager-list-{turn.id}-next").disabled
    assert desk.workbench.turns.events(desk.access, turn.id) == events
    assert desk.workbench.conversations.turn(desk.access, turn.id) == turn


@pytest.mark.req("TOOL-13")
def test_the_address_holds_the_page_of_the_list(desk_for: Desks, open_screen: Open, pdf: Callable[..., bytes]) -> None:
    desk = filled(desk_for(BY_NAME, say("These.")), pdf)
    turn = desk.asked("List the contracts by name")
    at = shown_turn(open_screen, turn, list=turn.id, list_page="2")
    second = listed(at)
    turned(at, turn, "previous")

    assert (second, listed(at)) == (NAMES[3:], NAMES[:3])


@pytest.mark.req("TOOL-13")
def test_a_library_that_has_changed_since_is_said_to_have(
    desk_for: Desks, open_screen: Open, pdf: Callable[..., bytes]
) -> None:
    desk = filled(desk_for(BY_NAME, say("These.")), pdf)
    turn = desk.asked("List the contracts by name")
    desk.add("dogwood.pdf", pdf("The dogwood agreement."))
    at = shown_turn(open_screen, turn)
    as_it_was = listed(at)
    turned(at, turn, "next")

    assert as_it_was == NAMES[:3]
    assert listed(at) == ["dogwood.pdf", "halden.pdf"]
    assert [caption.value for caption in at.caption] == ["The library has changed since the answer, which counted 4."]


@pytest.mark.req("TOOL-12", "TOOL-14")
def test_an_answer_from_a_part_of_its_list_says_so(
    desk_for: Desks, open_screen: Open, pdf: Callable[..., bytes]
) -> None:
    desk = filled(desk_for(BY_NAME, search("payment due invoice"), say("Due in 45 days [S1].")), pdf)
    turn = desk.asked()
    shown = html(shown_turn(open_screen, turn))

    assert turn.coverage is not None
    assert turn.result_type is ResultType.COMBINED
    assert (f"Based on {turn.coverage.based_on} of 4 documents." in shown) is turn.coverage.limited
    assert ">Documents · 4<" in shown
    assert ">Sources · 1 page<" in shown


def recommend(request: ModelRequest) -> Step:
    """Recommend the document that the list before it gave."""
    told = str(request.input[-1])
    found = re.search(r"doc_\w+", told)
    assert found is not None, told
    return call("recommend", message="Read this one.", document_ids=[found[0]])


@pytest.mark.req("TOOL-12")
def test_recommended_documents_are_cards_that_open_the_document_beside_the_chat(
    desk_for: Desks, open_screen: Open, pdf: Callable[..., bytes]
) -> None:
    desk = desk_for(find(text="halden"), recommend)
    turn = desk.asked("What should I read?")
    (document,) = turn.cards
    at = shown_turn(open_screen, turn)
    opened = shown_turn(open_screen, turn, document=document.id, page="1")

    assert turn.result_type is ResultType.RECOMMENDATION
    assert "Read this one." in html(at)
    assert f'<article class="pc-card"><a class="pc-document" href="/viewer?document={document.id}&amp;page=1"' in html(
        at
    )
    assert 'class="pc-card pc-opened"' in html(opened)
