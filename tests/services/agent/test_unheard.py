"""After a turn that broke off the model knows what the user asked and saw, and a refused question follows nobody."""

import threading
from collections.abc import Callable
from typing import Literal

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, QUESTION, Asking
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Step, call, say
from workbench.domain.budgets import DEFAULT_PROFILES, Limits, Profile
from workbench.domain.conversations import Turn
from workbench.domain.errors import BadModelRequest, ModelRefused, ModelUnavailable, ResponseIncomplete
from workbench.domain.items import AssistantMessage, FunctionCallOutput, Item, UserMessage
from workbench.domain.results import TurnStatus
from workbench.services.ports import ModelRequest

pytestmark = pytest.mark.req("ASK-11", "ASK-12")

Make = Callable[..., Asking]
ANY = dict.fromkeys(("document_ids", "tags", "language", "date_from", "date_to", "period"))
WAIT = 20
STOPPED = "(The user stopped this answer here.)"


def search(query: str = "payment terms of Orbex") -> Step:
    return call("search_documents", query=query, **ANY)


class Gate:
    """Holds a model after a piece of text that ends in ``at``, until the test lets it go."""

    def __init__(self, at: str) -> None:
        self._at = at
        self.reached = threading.Event()
        self.open = threading.Event()

    def __call__(self, piece: str) -> None:
        if piece.endswith(self._at):
            self.reached.set()
            self.open.wait(WAIT)


def asked(made: Asking, talk: str, question: str) -> Turn:
    return made.turns.wait(ACCESS, made.turns.ask(ACCESS, talk, question).id)  # type: ignore[arg-type]


def stopped_at(made: Asking, gate: Gate, talk: str, question: str) -> Turn:
    gate.reached.clear()
    turn = made.turns.ask(ACCESS, talk, question)  # type: ignore[arg-type]
    assert gate.reached.wait(WAIT)
    made.turns.stop(ACCESS, turn.id)
    ended = made.turns.wait(ACCESS, turn.id)
    assert ended.status is TurnStatus.STOPPED
    return ended


def told(request: ModelRequest) -> list[Item]:
    """What the model knows when it is asked: all of it, whoever keeps it, but what it wrote itself before."""
    return [*request.history, *request.input] if request.previous_response_id is None else list(request.input)


@pytest.mark.parametrize("history", ["chain", "replay"])
def test_the_next_turn_knows_the_question_and_what_was_seen_of_its_answer(
    asking: Make, history: Literal["chain", "replay"]
) -> None:
    gate = Gate("|")
    model = ScriptedModel(
        [say("First part.|Never."), say("It was half."), say("Yes.")], history, piece=12, after_piece=gate
    )
    made = asking(model)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    stopped = stopped_at(made, gate, talk.id, "What is the notice period?")
    gate.open.set()

    asked(made, talk.id, "What did you say?")
    asked(made, talk.id, "Sure?")

    assert "First part" in stopped.answer.text
    seen = [
        UserMessage(text="What is the notice period?"),
        AssistantMessage(text=f"{stopped.answer.text}\n\n{STOPPED}"),
        UserMessage(text="What did you say?"),
    ]
    assert told(model.requests[1]) == seen
    last = [] if history == "chain" else [*seen, AssistantMessage(text="It was half.")]
    assert told(model.requests[2]) == [*last, UserMessage(text="Sure?")]


def test_of_a_stopped_answer_after_a_search_the_results_are_sent_first_and_the_markers_are_as_written(
    asking: Make,
) -> None:
    gate = Gate("|")
    said = "Within 45 days [S1]. More|"
    model = ScriptedModel([search(), say(f"{said}Never."), say("On.")], piece=len(said), after_piece=gate)
    made = asking(model)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    stopped = stopped_at(made, gate, talk.id, QUESTION)
    gate.open.set()

    asked(made, talk.id, "Go on")

    assert "[orbex.pdf, p. 2]" in stopped.answer.text
    output, answer, question = model.requests[2].input
    assert isinstance(output, FunctionCallOutput)
    assert isinstance(answer, AssistantMessage)
    assert answer.text.startswith("Within 45 days [S1].")
    assert answer.text.endswith(STOPPED)
    assert question == UserMessage(text="Go on")
    assert model.requests[2].previous_response_id == stopped.response_ids[0]


def test_two_stops_in_a_row_are_both_told(asking: Make) -> None:
    gate = Gate("|")
    model = ScriptedModel([say("One|x"), say("Two|x"), say("Three")], piece=4, after_piece=gate)
    made = asking(model)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    for question in ("First?", "Second?"):
        stopped_at(made, gate, talk.id, question)
    gate.open.set()

    assert asked(made, talk.id, "Third?").status is TurnStatus.ANSWERED
    assert [type(item).__name__ for item in model.requests[2].input] == ["UserMessage", "AssistantMessage"] * 2 + [
        "UserMessage"
    ]


def test_a_stopped_reply_to_a_question_of_the_model_stays_a_reply(asking: Make) -> None:
    gate = Gate("|")
    model = ScriptedModel(
        [call("ask_user", question="Which supplier?"), say("Orbex|x"), say("Fine.")], piece=6, after_piece=gate
    )
    made = asking(model)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    clarification = asked(made, talk.id, "What are the terms?")
    stopped_at(made, gate, talk.id, "Orbex")
    gate.open.set()

    after = asked(made, talk.id, "Never mind")

    assert after.status is TurnStatus.ANSWERED
    reply, said, question = model.requests[2].input
    assert reply == FunctionCallOutput(call_id=clarification.thread.asked or "", output="The user replied: Orbex")
    assert isinstance(said, AssistantMessage)
    assert question == UserMessage(text="Never mind")


def test_a_partial_answer_at_a_limit_is_known_to_the_next_turn(asking: Make) -> None:
    profiles = {
        **DEFAULT_PROFILES,
        Profile.QUICK: DEFAULT_PROFILES[Profile.QUICK].model_copy(update={"limits": Limits(model_calls=1)}),
    }
    model = ScriptedModel([search(), say("The first one.")])
    made = asking(model, profiles=profiles)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    partial = asked(made, talk.id, QUESTION)

    asked(made, talk.id, "Which of them counts?")

    assert partial.status is TurnStatus.PARTIAL
    (answer,) = (item for item in model.requests[1].input if isinstance(item, AssistantMessage))
    assert answer.text.startswith("**Partial answer.**")
    assert "[S1]" in answer.text


def test_after_the_process_ended_the_next_one_tells_what_stood_there(asking: Make) -> None:
    gate = Gate("|")
    made = asking(ScriptedModel([say("Half an|swer")], piece=8, after_piece=gate))
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    running = made.turns.ask(ACCESS, talk.id, "Whole?")
    assert gate.reached.wait(WAIT)
    left = made.store.turn(running.id)
    assert left is not None
    seen = left.model_copy(update={"answer": left.answer.model_copy(update={"text": "Half an"})})
    made.turns.stop(ACCESS, running.id)
    made.turns.wait(ACCESS, running.id)
    gate.open.set()
    made.store.save_turn(seen)

    model = ScriptedModel([say("On.")])
    again = asking(model, store=made.store)
    assert again.turns.recover() == 1
    asked(again, talk.id, "Go on")

    assert model.requests[0].input == (
        UserMessage(text="Whole?"),
        AssistantMessage(text="Half an\n\n(This answer was interrupted here.)"),
        UserMessage(text="Go on"),
    )


@pytest.mark.parametrize(
    ("step", "tells"),
    [
        (Step(error=ModelRefused("Not allowed.")), False),
        (Step(text="I was saying", error=ModelRefused("Cut by the filter.")), False),
        (Step(error=BadModelRequest("Too long.")), False),
        (Step(error=ModelUnavailable("Down.")), False),
        (Step(text="I was saying", error=ResponseIncomplete("Cut off.")), True),
    ],
)
def test_a_question_that_failed_unseen_or_was_refused_follows_nobody(asking: Make, step: Step, tells: bool) -> None:
    model = ScriptedModel([step, say("Fine.")])
    made = asking(model)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    asked(made, talk.id, "Something bad?")

    after = asked(made, talk.id, "Something good?")

    assert after.status is TurnStatus.ANSWERED
    assert (UserMessage(text="Something bad?") in model.requests[1].input) is tells
    assert model.requests[1].input[-1] == UserMessage(text="Something good?")
