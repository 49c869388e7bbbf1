"""Stop and the end of time, while something blocks: a silent model, a wait between attempts, a slow search."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, QUESTION, Asking, Bench
from workbench.adapters.clock import SystemClock
from workbench.adapters.fakes.plain_sandbox import HANGS
from workbench.adapters.fakes.responses_server import FakeResponsesServer, running
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Step, call, calls, say
from workbench.adapters.openai_responses import Connection, OpenAIResponsesModel
from workbench.domain.budgets import LimitName, Limits
from workbench.domain.conversations import Turn
from workbench.domain.events import BaseEvent, LimitReached, ResponseCreated, ToolCallFinished, ToolCallStarted
from workbench.domain.items import FunctionCallOutput, ModelResponse
from workbench.domain.results import TurnStatus
from workbench.services.agent.batch import NOT_RUN
from workbench.services.ports import Model

pytestmark = pytest.mark.req("ASK-11", "ASK-3")

Make = Callable[[Model], Asking]
WAIT = 20
"""Seconds after which something that should happen is given up. What blocks a turn here blocks it for longer."""
ANY = dict.fromkeys(("document_ids", "tags", "language", "date_from", "date_to", "period"))


def search(query: str = "payment terms") -> Step:
    return call("search_documents", query=query, **ANY)


ANSWER = say("Orbex is paid within 45 days of receipt [S1].")


@contextmanager
def remote(server: FakeResponsesServer) -> Iterator[OpenAIResponsesModel]:
    with running(server) as url:
        model = OpenAIResponsesModel("gpt-5-mini", Connection("sk-test", url, timeout=WAIT))
        yield model
        model.close()


def stopped(asking: Asking, turn: Turn) -> Turn:
    """Stop the turn, and return it as it ended while what blocked it still does."""
    asking.turns.stop(ACCESS, turn.id)
    waiting = threading.Thread(target=asking.turns.wait, args=(ACCESS, turn.id), daemon=True)
    waiting.start()
    waiting.join(WAIT)
    assert not waiting.is_alive()
    return asking.conversations.turn(ACCESS, turn.id)


def asked(asking: Asking) -> Turn:
    return asking.turns.ask(ACCESS, asking.conversations.create(ACCESS, [CONTRACTS]).id, QUESTION)


def wait_for(asking: Asking, turn: Turn, kind: type[BaseEvent], times: int = 1) -> None:
    """Wait until the turn has had so many events of a kind."""
    for event in asking.turns.follow(ACCESS, turn.id):
        times -= isinstance(event, kind)
        if not times:
            return
    pytest.fail(f"no {kind.__name__} came")


def next_turn_works(asking: Asking, turn: Turn) -> bool:
    after = asking.turns.wait(ACCESS, asking.turns.ask(ACCESS, turn.conversation_id, "Go on").id)
    return after.status is TurnStatus.ANSWERED


def no_thread_is_left() -> bool:
    """Wait for the threads of models and tools to end."""
    mine = [thread for thread in threading.enumerate() if thread.name.startswith(("model", "tool", "turn-"))]
    for thread in mine:
        thread.join(WAIT)
    return not any(thread.is_alive() for thread in mine)


def test_a_silent_model_is_left_and_its_response_is_known_by_id(asking: Make) -> None:
    server = FakeResponsesServer([search(), ANSWER, ANSWER])
    server.fail("stall", at=2)
    with remote(server) as model:
        bench = asking(model)
        turn = asked(bench)
        wait_for(bench, turn, ResponseCreated, 2)
        # Stored at once: a process killed in the silence must not lose the id of what the provider has stored.
        stored = bench.store.turn(turn.id)
        assert stored is not None
        assert list(stored.response_ids) == server.store.ids()
        ended = stopped(bench, turn)
        assert (ended.status, ended.reason) == (TurnStatus.STOPPED, "You stopped this turn.")
        assert server.hung_up.wait(WAIT)
        assert no_thread_is_left()
        assert next_turn_works(bench, turn)


def test_the_wait_for_a_busy_provider_is_broken_off(asking: Make) -> None:
    server = FakeResponsesServer([ANSWER])
    server.fail("rate_limit_http", retry_after=25)
    with remote(server) as model:
        bench = asking(model)
        turn = asked(bench)
        deadline = time.monotonic() + WAIT
        while not server.bodies and time.monotonic() < deadline:
            threading.Event().wait(0.01)
        ended = stopped(bench, turn)
        assert ended.status is TurnStatus.STOPPED
        assert no_thread_is_left()
        assert next_turn_works(bench, turn)


class SlowSearch:
    """Holds searches for one query until they are let go."""

    def __init__(self, bench: Bench, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached = threading.Event()
        self.released = threading.Event()
        self.gone_on = threading.Event()
        self._query = query
        self._run = bench.search.run
        monkeypatch.setattr(bench.search, "run", self)

    def __call__(self, scope: Any, query: str, *rest: Any, **named: Any) -> Any:
        if query == self._query:
            self.reached.set()
            self.released.wait(WAIT)
            self.gone_on.set()
        return self._run(scope, query, *rest, **named)


@pytest.mark.req("ASK-2")
def test_a_stop_in_a_batch_keeps_what_has_run_and_says_of_the_rest_that_it_has_not(
    asking: Make, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowSearch(bench, "liability cap", monkeypatch)
    model = ScriptedModel([calls(search(), search("liability cap")), say("Going on.")])
    app = asking(model)
    turn = asked(app)
    wait_for(app, turn, ToolCallFinished)
    assert slow.reached.wait(WAIT)
    ended = stopped(app, turn)
    slow.released.set()
    assert ended.status is TurnStatus.STOPPED
    assert no_thread_is_left()
    assert next_turn_works(app, turn)
    done, undone = (item for item in model.requests[1].input if isinstance(item, FunctionCallOutput))
    assert done.output.startswith("REF: S1")
    assert undone.output == NOT_RUN


@pytest.mark.req("ASK-4")
@pytest.mark.parametrize("slow_part", ["model", "search"])
def test_the_end_of_time_is_noticed_while_something_blocks(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, slow_part: str
) -> None:
    released, gone_on = threading.Event(), threading.Event()
    limits = Limits(seconds=0.5)

    def hold(_: str) -> None:
        released.wait(WAIT)
        gone_on.set()

    slow = SlowSearch(bench, "liability cap", monkeypatch)
    script = [search(), say("Never.")] if slow_part == "model" else [search(), search("liability cap")]
    model = ScriptedModel(script, after_piece=hold)
    ran = bench._replace(clock=SystemClock()).run(model, limits=limits)  # type: ignore[arg-type]
    assert not gone_on.is_set()
    assert not slow.gone_on.is_set()
    released.set()
    slow.released.set()
    assert [hit.limit for hit in ran.of(LimitReached)] == [LimitName.SECONDS]
    assert ran.end.status is TurnStatus.PARTIAL
    assert "orbex.pdf, p. 2" in ran.end.answer.text
    assert no_thread_is_left()


def test_a_stop_before_the_tools_runs_none_of_them(bench: Bench) -> None:
    stop = threading.Event()

    class StoppedAtTheBill(ScriptedModel):
        """The user stops just when the response with its calls is complete."""

        def cost(self, response: ModelResponse) -> None:
            stop.set()

    ran = bench.run(StoppedAtTheBill([search()]), stop=stop.is_set)
    assert ran.end.status is TurnStatus.STOPPED
    assert not ran.of(ToolCallStarted)
    assert [output.output for output in ran.run.thread.owed] == [NOT_RUN]


@pytest.mark.req("TOOL-9")
def test_code_that_never_ends_is_stopped_with_the_turn(bench: Bench, asking: Make) -> None:
    bench.sandbox.programs["while True: pass"] = HANGS
    made = asking(ScriptedModel([call("run_code", code="while True: pass", tables=[]), ANSWER]), clock=SystemClock())
    turn = asked(made)
    assert bench.sandbox.hanging.wait(WAIT)
    assert stopped(made, turn).status is TurnStatus.STOPPED
    assert bench.sandbox.stopped.wait(WAIT)
