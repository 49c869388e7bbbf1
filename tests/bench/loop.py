"""What the loop itself costs for each tool call, and what a chain saves against sending the whole transcript."""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from itertools import count, repeat
from pathlib import Path
from typing import Any, Literal, NamedTuple

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.responses_server import Exchange, FakeResponsesServer, running
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Step, call, say
from workbench.adapters.openai_responses import Connection, OpenAIResponsesModel
from workbench.domain.events import ResponseCreated
from workbench.domain.ids import ContainerId
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access
from workbench.services.ports import ModelEvent, ModelRequest
from workbench.services.tools.search_documents import SearchArguments
from workbench.settings import Settings

TURNS = 40
CALLS = 6
"""Tool calls of a turn, one a round."""
TALK = 10
"""Turns of a conversation."""
CHARACTERS_A_TOKEN = 4
STOPS = 20
STOPPED_WITHIN = 1.0
"""Seconds from *Stop* to the end of the turn and to the provider's connection being closed: the limit."""
ANSWER = say("The invoice is due within thirty days of receipt [S1]. " * 4)


class Stopwatch:
    """Adds up the time spent in what it wraps."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def measure(self, run: Any) -> Any:
        def timed(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return run(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - started

        return timed


class TimedModel(ScriptedModel):
    """Notes the time in which the loop waits for nothing but the script."""

    def __init__(self, script: Iterator[Step], watch: Stopwatch) -> None:
        super().__init__(script)
        self._next_event = watch.measure(next)

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        events = super().stream(request)
        while (event := self._next_event(events, None)) is not None:
            yield event


def main() -> None:
    report_overhead()
    report_tokens()
    report_stop()


def search(number: int) -> Step:
    return call(
        "search_documents",
        **dict.fromkeys(SearchArguments.model_fields) | {"query": f"payment terms of supplier {number}"},
    )


def turns_of_calls() -> Iterator[Step]:
    numbers = count()
    while True:
        yield from (search(next(numbers)) for _ in range(CALLS))
        yield ANSWER


def with_samples(bench: bootstrap.Workbench) -> tuple[Access, ContainerId]:
    """Take in the sample contracts; return the rights to ask about them and where they are."""
    container, outcomes = bench.ingestion.load_samples(bench.library.access(bootstrap.LOCAL_USER), bench.samples)
    bench.ingestion.wait([outcome.document_id for outcome in outcomes if outcome.document_id])
    return bench.library.access(bootstrap.LOCAL_USER), container.id


def report_overhead() -> None:
    """Real stores on a disk and every event stored, as in the app; only the model is a script and the embedding a hash."""
    inside = Stopwatch()
    with tempfile.TemporaryDirectory() as directory:
        model = TimedModel(turns_of_calls(), inside)
        bench = bootstrap.build(Settings(home=Path(directory)), embedder=HashingEmbedder(), model=model)
        try:
            costs = measured_turns(bench, inside)
        finally:
            bench.close()
    overheads = [cost.overhead for cost in costs]
    p50, p95 = statistics.median(overheads), statistics.quantiles(overheads, n=20)[-1]
    storing, search = (statistics.median(getattr(cost, name) for cost in costs) for name in ("storing", "search"))
    print(
        f"loop: overhead of a tool call p50 {p50 * 1000:.1f} ms, p95 {p95 * 1000:.1f} ms (model, retrieval and storing "
        f"excluded), storing it {storing * 1000:.1f} ms; the search itself {search * 1000:.1f} ms: overhead "
        f"{p50 / search:.2f} times, with storing {(p50 + storing) / search:.2f} times"
    )


class Cost(NamedTuple):
    """Seconds a tool call in one turn."""

    overhead: float
    storing: float
    search: float


def measured_turns(bench: bootstrap.Workbench, inside: Stopwatch) -> list[Cost]:
    """Return the cost of a tool call in each of the turns; the first turn warms up and is left out."""
    access, container = with_samples(bench)
    retrieval, storing = Stopwatch(), Stopwatch()
    bench.search.run = retrieval.measure(bench.search.run)  # type: ignore[method-assign]
    store = bench.turns._store
    store.save_turn, store.append_events = storing.measure(store.save_turn), storing.measure(store.append_events)  # type: ignore[method-assign]
    costs = []
    for _ in range(TURNS):
        inside.seconds = retrieval.seconds = storing.seconds = 0.0
        talk = bench.conversations.create(access, [container])
        started = time.perf_counter()
        turn = bench.turns.wait(access, bench.turns.ask(access, talk.id, "What are the payment terms?").id)
        elapsed = time.perf_counter() - started
        if turn.status is not TurnStatus.ANSWERED:
            raise SystemExit(f"loop: a turn ended {turn.status.value}: {turn.reason}")
        rest = elapsed - inside.seconds - retrieval.seconds - storing.seconds
        costs.append(Cost(rest / CALLS, storing.seconds / CALLS, retrieval.seconds / CALLS))
    return costs[1:]


def report_tokens() -> None:
    chained, replayed = (sent_by_turn(history) for history in ("chain", "replay"))
    print(
        f"loop: tokens sent in a conversation of {TALK} turns, chained {sum(chained)}, whole transcripts {sum(replayed)}: "
        f"{sum(chained) / sum(replayed):.2f} times; in turn {TALK} {chained[-1]} against {replayed[-1]}: "
        f"{chained[-1] / replayed[-1]:.2f} times"
    )


def sent_by_turn(history: Literal["chain", "replay"]) -> list[int]:
    """Return the tokens of the request bodies of each turn, estimated at four characters each."""

    def play(exchange: Exchange) -> Step:
        return search(1) if exchange.last_input["type"] == "message" else ANSWER

    server = FakeResponsesServer(repeat(play))
    sent = []
    with tempfile.TemporaryDirectory() as directory, running(server) as url:
        model = OpenAIResponsesModel("gpt-5-mini", Connection("sk-bench", url), history=history)
        bench = bootstrap.build(Settings(home=Path(directory)), embedder=HashingEmbedder(), model=model)
        try:
            access, container = with_samples(bench)
            talk = bench.conversations.create(access, [container])
            for number in range(TALK):
                before = len(server.bodies)
                bench.turns.wait(
                    access, bench.turns.ask(access, talk.id, f"Question {number}: when is payment due?").id
                )
                sent.append(sum(len(json.dumps(body)) for body in server.bodies[before:]) // CHARACTERS_A_TOKEN)
        finally:
            bench.close()
            model.close()
    return sent


def report_stop() -> None:
    """Stop turns whose provider says nothing more."""
    server = FakeResponsesServer(repeat(ANSWER))
    ended, left = [], []
    with tempfile.TemporaryDirectory() as directory, running(server) as url:
        model = OpenAIResponsesModel("gpt-5-mini", Connection("sk-bench", url))
        bench = bootstrap.build(Settings(home=Path(directory)), embedder=HashingEmbedder(), model=model)
        try:
            access, container = with_samples(bench)
            for number in range(1, STOPS + 1):
                server.fail("stall", at=number)
                server.hung_up.clear()
                talk = bench.conversations.create(access, [container])
                turn = bench.turns.ask(access, talk.id, "What are the payment terms?")
                next(event for event in bench.turns.follow(access, turn.id) if isinstance(event, ResponseCreated))
                started = time.perf_counter()
                bench.turns.stop(access, turn.id)
                bench.turns.wait(access, turn.id)
                ended.append(time.perf_counter() - started)
                server.hung_up.wait()
                left.append(time.perf_counter() - started)
        finally:
            bench.close()
            model.close()
    for what, seconds in (("the turn ends", ended), ("the provider is left", left)):
        print(f"loop: stop until {what}: slowest of {STOPS} {max(seconds) / STOPPED_WITHIN:.2f} of the limit of 1 s")
