"""Turns as jobs: they start at once, are stored as they go, are followed by many, and stopped by one."""

import threading
from collections.abc import Callable

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, PRIVATE, QUESTION, Asking, Bench
from workbench.adapters.fakes.scripted_model import ScriptedModel, Step, call, say
from workbench.domain.budgets import Profile
from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound, PinciteError, ScopeError, TurnInProgress
from workbench.domain.events import AnswerDelta, Event, ModelCallFinished, TurnFinished, TurnStarted
from workbench.domain.ids import TurnId, UserId
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access, Filters
from workbench.services.ports import Model, ModelRequest

Make = Callable[[Model], Asking]
SEARCH = call(
    "search_documents",
    query="payment terms",
    document_ids=None,
    tags=None,
    language=None,
    date_from=None,
    date_to=None,
    period=None,
)
ANSWER = say("Orbex is paid within 45 days of receipt [S1].")
WAIT = 20


class Gate:
    """Holds a scripted model in the middle of its answer until it is opened."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()

    def __call__(self, _: str) -> None:
        self.reached.set()
        assert self.opened.wait(WAIT)


def started(asking: Asking, question: str = QUESTION) -> Turn:
    talk = asking.conversations.create(ACCESS, [CONTRACTS])
    return asking.turns.ask(ACCESS, talk.id, question)


@pytest.mark.req("ASK-11", "CITE-5", "CHAT-1")
def test_a_stored_turn_is_what_was_streamed(asking: Make) -> None:
    bench = asking(ScriptedModel([SEARCH, ANSWER], piece=2))
    turn = started(bench)
    live = [event for event in bench.turns.follow(ACCESS, turn.id) if event is not None]
    stored = bench.turns.wait(ACCESS, turn.id)
    assert live == bench.turns.events(ACCESS, turn.id)
    assert [event.seq for event in live] == list(range(1, len(live) + 1))
    assert isinstance(live[0], TurnStarted)
    end = live[-1]
    assert isinstance(end, TurnFinished)
    assert (stored.status, stored.answer, stored.spend) == (end.status, end.answer, end.spend)
    assert "".join(event.text for event in live if isinstance(event, AnswerDelta)) == stored.answer.text
    assert stored.response_ids == ("resp_1", "resp_2")
    assert stored.prompt_version == "agent-4"
    assert stored.finished_at is not None


@pytest.mark.req("ASK-11")
def test_any_number_of_followers_see_the_same_events_from_where_they_join(asking: Make) -> None:
    gate = Gate()
    bench = asking(ScriptedModel([SEARCH, ANSWER], piece=8, after_piece=gate))
    turn = started(bench)
    assert gate.reached.wait(WAIT)
    seen: list[list[Event]] = [[], [], []]

    def follow(index: int, after: int) -> None:
        seen[index] = [event for event in bench.turns.follow(ACCESS, turn.id, after) if event is not None]

    threads = [threading.Thread(target=follow, args=(index, after)) for index, after in enumerate((0, 0, 3))]
    for thread in threads:
        thread.start()
    gate.opened.set()
    for thread in threads:
        thread.join(WAIT)
    assert seen[0] == seen[1]
    assert seen[2] == seen[0][3:]
    assert isinstance(seen[0][-1], TurnFinished)


@pytest.mark.req("CITE-9")
def test_a_citation_is_stored_before_anyone_sees_it(asking: Make) -> None:
    gate = Gate()
    long = say("Orbex is paid within 45 days of receipt [S1]. There is more to say. " * 2)
    bench = asking(ScriptedModel([SEARCH, long], piece=90, after_piece=gate))
    turn = started(bench)
    for event in bench.turns.follow(ACCESS, turn.id):
        if isinstance(event, AnswerDelta) and event.mentions:
            break
    else:
        pytest.fail("nothing was cited")
    stored = bench.conversations.turn(ACCESS, turn.id)
    assert stored.status is TurnStatus.RUNNING
    assert stored.answer.mentions[: len(event.mentions)] == event.mentions
    assert stored.answer.citations == event.citations
    gate.opened.set()
    bench.turns.wait(ACCESS, turn.id)


def test_a_follower_hears_a_heartbeat_while_nothing_happens(asking: Make) -> None:
    gate = Gate()
    bench = asking(ScriptedModel([SEARCH, ANSWER], after_piece=gate))
    turn = started(bench)
    for event in bench.turns.follow(ACCESS, turn.id):
        if event is None:
            break
    else:
        pytest.fail("no heartbeat came")
    gate.opened.set()
    assert bench.turns.wait(ACCESS, turn.id).status is TurnStatus.ANSWERED


@pytest.mark.req("ASK-11")
def test_stop_keeps_what_was_written_and_the_next_turn_works(asking: Make) -> None:
    gate = Gate()
    model = ScriptedModel(
        [SEARCH, say("First part of the answer. " * 4), say("Second turn.")], piece=10, after_piece=gate
    )
    bench = asking(model)
    turn = started(bench)
    assert gate.reached.wait(WAIT)
    bench.turns.stop(ACCESS, turn.id)
    gate.opened.set()
    stopped = bench.turns.wait(ACCESS, turn.id)
    assert stopped.status is TurnStatus.STOPPED
    assert stopped.answer.text.startswith("First part")
    again = bench.turns.ask(ACCESS, turn.conversation_id, "Go on")
    assert bench.turns.wait(ACCESS, again.id).status is TurnStatus.ANSWERED


@pytest.mark.req("ASK-11")
def test_one_conversation_runs_one_turn_at_a_time(asking: Make) -> None:
    gate = Gate()
    bench = asking(ScriptedModel([SEARCH, ANSWER], after_piece=gate))
    turn = started(bench)
    assert gate.reached.wait(WAIT)
    with pytest.raises(TurnInProgress):
        bench.turns.ask(ACCESS, turn.conversation_id, "And now?")
    gate.opened.set()
    bench.turns.wait(ACCESS, turn.id)


@pytest.mark.req("ASK-12")
def test_a_follow_up_continues_from_the_last_response(asking: Make) -> None:
    model = ScriptedModel([SEARCH, ANSWER, say("As said.")])
    bench = asking(model)
    turn = started(bench)
    bench.turns.wait(ACCESS, turn.id)
    bench.turns.wait(ACCESS, bench.turns.ask(ACCESS, turn.conversation_id, "Are you sure?").id)
    assert model.requests[2].previous_response_id == "resp_2"


@pytest.mark.req("ASK-13")
def test_a_lost_history_is_told_and_nothing_fails_silently(asking: Make) -> None:
    model = ScriptedModel([SEARCH, ANSWER, say("never")])
    bench = asking(model)
    turn = started(bench)
    bench.turns.wait(ACCESS, turn.id)
    model.forget("resp_2")
    expired = bench.turns.wait(ACCESS, bench.turns.ask(ACCESS, turn.conversation_id, "And?").id)
    assert expired.status is TurnStatus.EXPIRED
    assert expired.reason
    assert "new chat" in expired.advice
    assert bench.conversations.turns(ACCESS, turn.conversation_id)[0].answer.text


@pytest.mark.req("ASK-8")
def test_the_profile_sets_effort_and_limits_and_is_remembered(asking: Make) -> None:
    model = ScriptedModel([SEARCH, ANSWER])
    bench = asking(model)
    talk = bench.conversations.create(ACCESS, [CONTRACTS])
    bench.conversations.choose(ACCESS, talk.id, [CONTRACTS], Filters(), Profile.THOROUGH)
    turn = bench.turns.ask(ACCESS, talk.id, QUESTION)
    bench.turns.wait(ACCESS, turn.id)
    start = bench.turns.events(ACCESS, turn.id)[0]
    assert isinstance(start, TurnStarted)
    assert (start.profile, start.limits.model_calls, model.requests[0].effort) == (Profile.THOROUGH, 16, "high")
    assert bench.conversations.get(ACCESS, talk.id).profile is Profile.THOROUGH


@pytest.mark.req("FIND-1")
def test_without_a_container_of_ones_own_nothing_is_asked(asking: Make) -> None:
    bench = asking(ScriptedModel([]))
    for containers in ([], [PRIVATE], [CONTRACTS, PRIVATE]):
        talk = bench.conversations.create(ACCESS, containers)
        with pytest.raises(ScopeError):
            bench.turns.ask(ACCESS, talk.id, QUESTION)
        assert not bench.conversations.turns(ACCESS, talk.id)


def test_an_empty_question_is_refused(asking: Make) -> None:
    bench = asking(ScriptedModel([]))
    talk = bench.conversations.create(ACCESS, [CONTRACTS])
    with pytest.raises(PinciteError, match="no question"):
        bench.turns.ask(ACCESS, talk.id, "  \n")


@pytest.mark.req("CITE-9")
def test_another_users_turn_looks_like_a_missing_one(asking: Make) -> None:
    bench = asking(ScriptedModel([SEARCH, ANSWER]))
    turn = started(bench)
    bench.turns.wait(ACCESS, turn.id)
    stranger = Access(user_id=UserId("bob"), containers=ACCESS.containers)
    messages = set()
    for turn_id in (turn.id, TurnId("turn_none")):
        for use in (bench.turns.events, bench.turns.stop):
            with pytest.raises(NotFound):
                use(stranger, turn_id)
        with pytest.raises(NotFound) as told:
            next(iter(bench.turns.follow(stranger, turn_id)))
        messages.add(str(told.value))
    assert len(messages) == 1


@pytest.mark.req("ASK-11")
def test_a_turn_left_by_a_killed_process_is_called_interrupted_and_the_next_one_works(
    asking: Make, bench: Bench
) -> None:
    gate = Gate()
    first = asking(ScriptedModel([SEARCH, ANSWER], after_piece=gate))
    turn = started(first)
    assert gate.reached.wait(WAIT)
    # What a killed process leaves: the records as they stand in the middle of the turn.
    left, events = first.store.turn(turn.id), first.store.events(turn.id)
    assert left is not None
    gate.opened.set()
    first.turns.wait(ACCESS, turn.id)
    model = ScriptedModel([say("It works.")], history="replay")
    again = asking(model)
    talk = first.conversations.get(ACCESS, turn.conversation_id)
    again.store.save_conversation(talk)
    again.store.add_turn(left)
    again.store.append_events(left.id, events)
    assert again.turns.recover() == 1
    recovered = again.conversations.turn(ACCESS, turn.id)
    assert recovered.status is TurnStatus.INTERRUPTED
    assert isinstance(again.turns.events(ACCESS, turn.id)[-1], TurnFinished)
    following = again.turns.ask(ACCESS, talk.id, "Once more")
    assert again.turns.wait(ACCESS, following.id).status is TurnStatus.ANSWERED


@pytest.mark.req("ASK-11")
def test_a_programming_error_ends_the_turn_and_not_the_conversation(asking: Make) -> None:
    def broken(_: ModelRequest) -> Step:
        raise ZeroDivisionError

    bench = asking(ScriptedModel([broken, SEARCH, ANSWER]))
    turn = started(bench)
    failed = bench.turns.wait(ACCESS, turn.id)
    assert failed.status is TurnStatus.FAILED
    assert "log" in failed.reason
    assert isinstance(bench.turns.events(ACCESS, turn.id)[-1], TurnFinished)
    again = bench.turns.ask(ACCESS, turn.conversation_id, QUESTION)
    assert bench.turns.wait(ACCESS, again.id).status is TurnStatus.ANSWERED


@pytest.mark.req("TRACE-1")
def test_every_model_call_is_in_the_trace_with_its_tokens(asking: Make) -> None:
    bench = asking(ScriptedModel([SEARCH, ANSWER], price=0.01))
    turn = started(bench)
    stored = bench.turns.wait(ACCESS, turn.id)
    calls = [event for event in bench.turns.events(ACCESS, turn.id) if isinstance(event, ModelCallFinished)]
    assert [call.number for call in calls] == [1, 2]
    assert sum(call.usage.input_tokens for call in calls) == stored.spend.input_tokens > 0
    assert stored.spend.cost == pytest.approx(0.02)
