"""Replays over the small library: the same events from what was recorded, or the first that differs."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.playbook import search
from tests.services.conftest import ACCESS, CONTRACTS, Bench
from tests.services.evals.conftest import Evaluating
from workbench.adapters.fakes.scripted_model import ScriptedModel, calls, say
from workbench.domain.budgets import DEFAULT_PROFILES, Limits, Profile, ProfileSettings
from workbench.domain.conversations import Turn
from workbench.domain.errors import ModelUnavailable, NotFound
from workbench.domain.ids import UserId
from workbench.domain.recordings import Recording
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access

QUESTION = "When is Orbex paid?"
ANSWER = say("Within 45 days of receipt [S1]. Nothing else [S9].")
Make = Callable[..., Evaluating]


def asked(made: Evaluating, model: Any, limits: Limits | None = None, question: str = QUESTION) -> Turn:
    profiles = {**DEFAULT_PROFILES}
    if limits is not None:
        profiles[Profile.QUICK] = ProfileSettings(effort="low", limits=limits)
    turns = made.turns(model=model, profiles=profiles)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    return turns.wait(ACCESS, turns.ask(ACCESS, talk.id, question).id)


SCRIPTS: dict[str, Any] = {
    "an answer with citations": [search("payment terms invoice"), ANSWER],
    "several searches at once": [calls(search("payment terms"), search("liability cap")), ANSWER],
    "a remark that is withdrawn": [calls(say("I look it up."), search("payment terms")), ANSWER],
    "a failure": [search("payment terms"), say("Within").but(error=ModelUnavailable("Down.", "Wait."))],
    "a cut answer": [search("payment terms"), say("Within 45 da").but(finish="max_output_tokens")],
    "a call cut off": [search("payment terms").but(finish="max_output_tokens", text="I would")],
    "a refusal": [say("").but(refusal="No.")],
    "an answer out of nothing": [say("They pay.")],
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_replay_gives_the_same_events(evaluating: Make, script: str) -> None:
    made = evaluating({})
    turn = asked(made, ScriptedModel(SCRIPTS[script], piece=3, price=0.01))
    replayed = made.replay.run(ACCESS, turn.id)
    assert replayed.same, replayed.difference
    assert replayed.compared > 3
    assert len(made.store.turns(turn.conversation_id)) == 1


def test_a_turn_that_a_limit_ended_ends_there_again(evaluating: Make) -> None:
    made = evaluating({})
    turn = asked(made, ScriptedModel([search("payment terms"), ANSWER]), Limits(model_calls=1))
    assert turn.status is TurnStatus.PARTIAL
    assert made.replay.run(ACCESS, turn.id).same


def test_a_turn_that_ran_out_of_time_is_compared_as_far_as_it_came(evaluating: Make) -> None:
    made = evaluating({})
    slow = ScriptedModel(
        [search("payment terms"), say("Within 45 days.")], after_piece=lambda piece: made.clock.advance(90)
    )
    turn = asked(made, slow, Limits(seconds=120))
    assert turn.status is TurnStatus.PARTIAL
    replayed = made.replay.run(ACCESS, turn.id)
    assert replayed.same, replayed.difference
    assert replayed.compared > 3


def test_relative_dates_mean_what_they_meant_then(evaluating: Make) -> None:
    made = evaluating({})
    turn = asked(made, ScriptedModel([search("payment terms", period="last 12 months"), say("Nothing found.")]))
    made.clock.advance(3 * 365 * 86_400)
    assert made.replay.run(ACCESS, turn.id).same


def test_a_changed_library_shows_in_the_first_event_that_differs(evaluating: Make, bench: Bench) -> None:
    made = evaluating({})
    turn = asked(made, ScriptedModel([search("payment terms invoice"), ANSWER]))
    document = bench.library.document(bench.documents["orbex.pdf"])
    assert document is not None
    bench.library.save_document(document.model_copy(update={"hidden": True}))
    difference = made.replay.run(ACCESS, turn.id).difference
    assert difference is not None
    assert difference.kind == "search_finished"
    assert difference.path == "documents"
    assert (difference.then, difference.now) == (2, 1)
    assert difference.text.startswith("Event ")


def test_a_changed_tool_shows(evaluating: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = evaluating({})
    turn = asked(made, ScriptedModel([search("payment terms invoice"), ANSWER]))
    monkeypatch.setattr("workbench.services.tools.search_documents.SNIPPET", 10)
    difference = made.replay.run(ACCESS, turn.id).difference
    assert difference is not None
    assert (difference.kind, difference.path) == ("search_finished", "kept[0].snippet")


def test_a_stopped_turn_is_compared_as_far_as_it_came(evaluating: Make) -> None:
    made = evaluating({})
    turns = made.turns(model=None, profiles=DEFAULT_PROFILES)

    def stop(piece: str) -> None:
        turns.stop(ACCESS, made.store.running_turns()[0].id)

    turns._model = ScriptedModel([search("payment terms"), say("Within 45 days. " * 20)], after_piece=stop)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    turn = turns.wait(ACCESS, turns.ask(ACCESS, talk.id, QUESTION).id)
    assert turn.status is TurnStatus.STOPPED
    assert made.replay.run(ACCESS, turn.id).same


def test_what_was_not_kept_cannot_be_replayed(evaluating: Make) -> None:
    made = evaluating({})
    turn = asked(made, ScriptedModel([ANSWER]))
    made.store.save_recording(turn.id, Recording(whole=False))
    with pytest.raises(NotFound, match="too much to be kept"):
        made.replay.run(ACCESS, turn.id)
    made.store._recordings.clear()
    with pytest.raises(NotFound, match="was not kept"):
        made.replay.run(ACCESS, turn.id)


def test_a_turn_of_another_user_is_not_replayed(evaluating: Make) -> None:
    made = evaluating({})
    turn = asked(made, ScriptedModel([ANSWER]))
    with pytest.raises(NotFound):
        made.replay.run(Access(user_id=UserId("bo"), containers=frozenset([CONTRACTS])), turn.id)


def test_a_turn_of_evaluation_is_replayed_by_whoever_sees_its_containers(evaluating: Make) -> None:
    made = evaluating({QUESTION: [search("payment terms invoice"), ANSWER]})
    suite = f'containers = ["Contracts"]\n[[sample]]\nid = "a"\nquestion = "{QUESTION}"\n'
    (sample,) = made.evals.run(ACCESS, made.write("one", suite)).samples
    assert made.replay.run(ACCESS, sample.turn_id).same
    with pytest.raises(NotFound):
        made.replay.run(Access(user_id=UserId("bo"), containers=frozenset()), sample.turn_id)
