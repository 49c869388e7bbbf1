"""What every model does, whoever answers: one suite over all implementations of the Model port.

To add a model, write a context manager that yields a :class:`Subject` and name it in ``SUBJECTS``.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import repeat
from threading import Thread
from typing import Literal

import pytest

from workbench.adapters.extractive.model import ExtractiveModel
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.responses_server import Exchange, FakeResponsesServer, running
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Step, call, calls, say
from workbench.adapters.openai_responses import OpenAIResponsesModel, Prices
from workbench.adapters.openai_responses.client import Connection
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.citations import Source
from workbench.domain.documents import Document, DocumentState
from workbench.domain.errors import BadModelRequest, HistoryExpired
from workbench.domain.ids import ContainerId, DocumentId, UserId, ref
from workbench.domain.items import FunctionCall, FunctionCallOutput, Item, ModelResponse, UserMessage
from workbench.domain.scope import Access, Scope
from workbench.domain.sources import format_blocks
from workbench.services.ports import (
    Model,
    ModelEvent,
    ModelRequest,
    ResponseFinished,
    ResponseStarted,
    TextDelta,
    ToolSpec,
)

pytestmark = pytest.mark.req("ASK-2", "ASK-12")

CONTAINER = ContainerId("con_suppliers")
SCOPE = Scope(access=Access(user_id=UserId("ana"), containers=frozenset({CONTAINER})), containers=(CONTAINER,))
SEARCH = ToolSpec(
    name="search_documents",
    description="Search the documents.",
    parameters={
        "type": "object",
        "properties": {"query": {"type": "string", "description": "What to look for."}},
        "required": ["query"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True)
class Subject:
    """A model under test. ``answer`` gives the output of a tool call that the model makes for ``question``.

    ``strict`` models keep the provider's rules: they refuse a request that leaves a call unanswered or, in a chain, names an
    unknown response, and no two of their responses share an id.
    """

    model: Model
    question: str = "What is the late fee?"
    follow_up: str = "And in the Halden contract?"
    tools: tuple[ToolSpec, ...] = (SEARCH,)
    scope: Scope = SCOPE
    answer: Callable[[FunctionCall], str] = lambda call: f"Nothing more about {call.arguments}."
    strict: bool = True


def searches_then_answers(asked: bool) -> Step:
    """Search twice at once for a question, answer with a marker when the results are there."""
    if asked:
        searches = (call("search_documents", query="late fee"), call("search_documents", query="Überziehung — 5 %"))
        return calls(*searches).but(reasoning="Two searches will do.")
    return say("The late fee is 5 % a month — “capped at 10 %” [S1]. 🧾 Nothing else is said [S2].")


@contextmanager
def scripted(history: Literal["chain", "replay"]) -> Iterator[Subject]:
    def play(request: ModelRequest) -> Step:
        return searches_then_answers(isinstance(request.input[-1], UserMessage))

    yield Subject(ScriptedModel(repeat(play), history, price=0.001))


@contextmanager
def responses_api(history: Literal["chain", "replay"]) -> Iterator[Subject]:
    def play(exchange: Exchange) -> Step:
        return searches_then_answers(exchange.last_input["type"] == "message")

    server = FakeResponsesServer(repeat(play), key="sk-contract")
    with running(server) as base_url:
        connection = Connection("sk-contract", base_url, timeout=10, strict=True)
        model = OpenAIResponsesModel("gpt-5-mini", connection, history=history, prices=Prices(1.0, 4.0, 0.1))
        with closing(model):
            yield Subject(model)


@contextmanager
def extractive() -> Iterator[Subject]:
    """The embedded model over one contract, whose two clauses are the answer to every search."""
    halden = Document(
        id=DocumentId("doc_halden"),
        container_id=CONTAINER,
        name="halden.pdf",
        state=DocumentState.READY,
        uploaded_at=datetime(2026, 1, 5, tzinfo=UTC),
    )
    clauses = ("The late fee is 5 % of the invoice a month.", "The fee for late payment is capped at 10 % in all.")

    def found(_: FunctionCall) -> str:
        return format_blocks(
            Source(ref=ref(offset + 1), chunk=passage(offset, text), title=halden.name, container="Suppliers")
            for offset, text in enumerate(clauses)
        )

    def passage(ordinal: int, text: str) -> Chunk:
        segment = Segment(page=ordinal + 1, start=0, end=len(text))
        return Chunk(
            id=chunk_id(halden.id, ordinal),
            document_id=halden.id,
            container_id=CONTAINER,
            ordinal=ordinal,
            text=text,
            segments=(segment,),
        )

    vocabulary = Counter(word for clause in clauses for word in clause.lower().split())
    model = ExtractiveModel(HashingEmbedder(), lambda _: [halden], lambda _: vocabulary)
    yield Subject(model, answer=found, strict=False)


SUBJECTS: dict[str, Callable[[], AbstractContextManager[Subject]]] = {
    "scripted, chain": partial(scripted, "chain"),
    "scripted, replay": partial(scripted, "replay"),
    "responses api, chain": partial(responses_api, "chain"),
    "responses api, replay": partial(responses_api, "replay"),
    "extractive": extractive,
}


@pytest.fixture(params=SUBJECTS.values(), ids=SUBJECTS.keys())
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    with request.param() as made:
        yield made


class Talk:
    """A conversation with a model, kept the way a caller keeps it: by response id and by transcript."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.history: tuple[Item, ...] = ()
        self.previous: str | None = None
        self.events: list[list[ModelEvent]] = []

    def request(self, *items: Item) -> ModelRequest:
        replay = self.subject.model.history == "replay"
        return ModelRequest(
            instructions="Answer from the documents. Cite with markers.",
            input=items,
            history=self.history if replay else (),
            previous_response_id=None if replay else self.previous,
            tools=self.subject.tools,
            scope=self.subject.scope,
        )

    def send(self, *items: Item) -> ModelResponse:
        events = list(self.subject.model.stream(self.request(*items)))
        self.events.append(events)
        response = finished(events)
        self.history = (*self.history, *items, *response.output)
        self.previous = response.id
        return response

    def ask(self, question: str) -> ModelResponse:
        response = self.send(UserMessage(text=question))
        for _ in range(8):
            if not response.calls:
                return response
            response = self.send(*self.outputs(response))
        pytest.fail("the model made tool calls in each of nine responses")

    def outputs(self, response: ModelResponse) -> list[FunctionCallOutput]:
        answer = self.subject.answer
        return [FunctionCallOutput(call_id=made.call_id, output=answer(made)) for made in response.calls]


def finished(events: list[ModelEvent]) -> ModelResponse:
    last = events[-1]
    assert isinstance(last, ResponseFinished)
    return last.response


def test_a_response_begins_with_its_id_and_ends_finished(subject: Subject) -> None:
    talk = Talk(subject)
    talk.ask(subject.question)
    for events in talk.events:
        assert [isinstance(event, ResponseStarted) for event in events] == [True] + [False] * (len(events) - 1)
        assert [isinstance(event, ResponseFinished) for event in events] == [False] * (len(events) - 1) + [True]
        assert events[0] == ResponseStarted(finished(events).id)
        assert finished(events).finish == "complete"


def test_the_deltas_join_to_the_final_text(subject: Subject) -> None:
    talk = Talk(subject)
    answer = talk.ask(subject.question)
    assert answer.text
    for events in talk.events:
        assert "".join(event.text for event in events if isinstance(event, TextDelta)) == finished(events).text


def test_calls_are_of_offered_tools_with_ids_of_their_own(subject: Subject) -> None:
    talk = Talk(subject)
    talk.ask(subject.question)
    talk.ask(subject.follow_up)
    made = [each for events in talk.events for each in finished(events).calls]
    assert {each.name for each in made} <= {tool.name for tool in subject.tools}
    assert len({each.call_id for each in made}) == len(made)
    assert all(isinstance(json.loads(each.arguments), dict) for each in made)


def test_a_follow_up_continues_the_thread(subject: Subject) -> None:
    talk = Talk(subject)
    first = talk.ask(subject.question)
    second = talk.ask(subject.follow_up)
    assert second.text
    ids = [finished(events).id for events in talk.events]
    assert len(set(ids)) == len(ids)
    assert first.id in ids


def test_usage_and_cost_are_numbers_or_unknown(subject: Subject) -> None:
    answer = Talk(subject).ask(subject.question)
    usage = answer.usage
    assert min(usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.reasoning_tokens) >= 0
    cost = subject.model.cost(answer)
    assert cost is None or cost >= 0


def test_a_closed_stream_leaves_the_model_usable(subject: Subject) -> None:
    with closing(subject.model.stream(Talk(subject).request(UserMessage(text=subject.question)))) as events:
        assert isinstance(next(events), ResponseStarted)
    assert Talk(subject).ask(subject.question).text


def test_two_conversations_at_once_do_not_mix(subject: Subject) -> None:
    talks = [Talk(subject), Talk(subject)]
    answers: dict[int, str] = {}
    threads = [
        Thread(target=lambda number=number, talk=talk: answers.update({number: talk.ask(subject.question).text}))
        for number, talk in enumerate(talks)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers[0] == answers[1] != ""
    ids = [[finished(events).id for events in talk.events] for talk in talks]
    assert all(len(set(each)) == len(each) for each in ids)
    if subject.strict:  # a model that keeps nothing may give two equal talks equal ids
        assert not set(ids[0]) & set(ids[1])


def test_a_call_without_its_output_is_refused_and_the_next_request_works(subject: Subject) -> None:
    if not subject.strict:
        pytest.skip("this model does not insist on outputs")
    talk = Talk(subject)
    asked = talk.send(UserMessage(text=subject.question))
    one_missing = talk.outputs(asked)[:-1]
    with pytest.raises(BadModelRequest):
        list(subject.model.stream(talk.request(*one_missing)))
    with pytest.raises(BadModelRequest):
        list(subject.model.stream(talk.request(*talk.outputs(asked), talk.outputs(asked)[0])))
    assert talk.send(*talk.outputs(asked)).text


@pytest.mark.req("ASK-13")
def test_an_unknown_previous_response_is_history_expired(subject: Subject) -> None:
    if not subject.strict or subject.model.history == "replay":
        pytest.skip("this model keeps no responses")
    talk = Talk(subject)
    talk.previous = "resp_of_last_month"
    with pytest.raises(HistoryExpired) as raised:
        talk.send(UserMessage(text=subject.follow_up))
    assert "new chat" in raised.value.advice
    assert Talk(subject).ask(subject.question).text
