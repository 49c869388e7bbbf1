"""One conversation in two tabs: nothing of one is lost to the other, and the thread with the provider stays whole."""

import threading
from collections.abc import Callable

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, Asking
from workbench.adapters.fakes.scripted_model import ScriptedModel, say
from workbench.domain.conversations import Turn
from workbench.domain.errors import TurnInProgress

pytestmark = pytest.mark.req("ASK-12", "CHAT-1")

Make = Callable[..., Asking]


def held(go_on: threading.Event) -> None:
    go_on.wait(10)


def test_a_tab_that_has_not_seen_the_latest_turns_adds_to_them(asking: Make) -> None:
    model = ScriptedModel([say(f"Answer {number}.") for number in range(1, 5)])
    made = asking(model)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    shown_in_stale_tab = made.conversations.turns(ACCESS, talk.id)
    for number in (1, 2, 3):
        made.turns.wait(ACCESS, made.turns.ask(ACCESS, talk.id, f"Question {number}?").id)

    late = made.turns.wait(ACCESS, made.turns.ask(ACCESS, talk.id, "From the stale tab?").id)

    assert shown_in_stale_tab == []
    turns = made.conversations.turns(ACCESS, talk.id)
    assert [(turn.number, turn.answer.text) for turn in turns] == [(n, f"Answer {n}.") for n in range(1, 5)]
    assert turns[-1].id == late.id
    # It goes on from the answer that it did not show, so the provider's chain has no branch.
    assert model.requests[-1].previous_response_id == turns[2].response_ids[-1]


def test_of_two_tabs_that_ask_at_once_each_is_answered_or_told(asking: Make) -> None:
    go_on = threading.Event()
    model = ScriptedModel([say("First."), say("Second.")], after_piece=lambda _: held(go_on))
    made = asking(model)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    together, outcomes = threading.Barrier(2), []

    def tab(question: str) -> None:
        together.wait(10)
        try:
            outcomes.append(made.turns.ask(ACCESS, talk.id, question))
        except TurnInProgress as told:
            outcomes.append(told)

    tabs = [threading.Thread(target=tab, args=(question,)) for question in ("One?", "Two?")]
    for each in tabs:
        each.start()
    for each in tabs:
        each.join(10)
    go_on.set()

    asked = [outcome for outcome in outcomes if isinstance(outcome, Turn)]
    assert len(asked) == 1
    assert sum(isinstance(outcome, TurnInProgress) for outcome in outcomes) == 1
    made.turns.wait(ACCESS, asked[0].id)
    assert [turn.question for turn in made.conversations.turns(ACCESS, talk.id)] == [asked[0].question]
