"""Every failure that providers are known for, from the question to what the user is told, and the turn after it.

The rows are those of the list of failures this project works from. Three need a word:

- A container of a code interpreter that has expired: the provider's code interpreter is not among the tools, so that no
  container is ever made.
- Deleting what is gone already (404) counts as deleted: nothing but the probe deletes at a provider so far, and its test
  holds that rule (``tests/adapters/openai_responses/test_probe.py``, servers without memory).
- Duplicate item ids: with a chain only what is new is sent and no item of ours has an id of its own; the row looks at the
  bodies sent. The fake provider refuses a duplicate.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from tests.adapters.openai_responses.conftest import Switch
from tests.services.conftest import ACCESS, CONTRACTS, QUESTION, Asking
from workbench.adapters.fakes.responses_server import Exchange, FakeResponsesServer, Memory, running
from workbench.adapters.fakes.steps import Step, call, calls, raw_call, say
from workbench.adapters.openai_responses import Connection, OpenAIResponsesModel, RetryPolicy
from workbench.domain.conversations import Turn
from workbench.domain.events import Event, ToolCallFinished, ToolCallStarted
from workbench.domain.results import TurnStatus
from workbench.services.ports import Model

# The servers of these tests break connections off; a socket that the client library lets go of then ends with the collector,
# at a moment that is nobody's failure.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")

ANSWER = say("Orbex is paid within 45 days of receipt [S1].")
ANY = {"document_ids": None, "tags": None, "language": None, "period": None, "date_from": None, "date_to": None}
Play = Callable[[Exchange], Step]


def search(query: str = "payment terms") -> Step:
    return call("search_documents", query=query, **ANY)


def plain(exchange: Exchange) -> Step:
    """Search, then answer."""
    return search() if exchange.last_input["type"] == "message" else ANSWER


def first(step: Step) -> Play:
    """Do ``step`` when asked, then answer."""
    return lambda exchange: step if exchange.last_input["type"] == "message" else ANSWER


def always(step: Step) -> Play:
    return lambda _: step


class Row(NamedTuple):
    """A failure: how it is brought about, and what the user gets.

    ``fault`` names a fault of the fake provider, on the ``at``-th request of the turn and all after it. ``ran`` is how many
    tools may have run.
    """

    status: TurnStatus
    reason: str = ""
    advice: str = ""
    fault: str = ""
    at: int = 1
    play: Play = plain
    options: Mapping[str, Any] = MappingProxyType({})
    memory: Memory = Memory.KEEPS
    ran: int | None = None
    outcome: str = ""


FAILED, PARTIAL, REFUSED, ANSWERED = TurnStatus.FAILED, TurnStatus.PARTIAL, TurnStatus.REFUSED, TurnStatus.ANSWERED
UNSOURCED = ("No document was looked at", "Ask for the same")
MANY = calls(*(search(f"payment term number {number}") for number in range(20)))
ROWS = {
    # 1: every call of a batch gets an output, also those that a limit kept from running
    "a ceiling in the middle of parallel calls": Row(PARTIAL, "limit of 12 tool calls", "Narrow", play=always(MANY)),
    # 3
    "reasoning that the provider does not keep": Row(
        ANSWERED, play=lambda e: plain(e).but(reasoning="Look it up."), options={"history": "replay"}
    ),
    # 4
    "an organisation without data retention": Row(ANSWERED, memory=Memory.NO_RETENTION),
    "a server without memory": Row(ANSWERED, memory=Memory.REFUSES),
    # 6
    "a disconnect in the answer": Row(FAILED, "ended before", "Ask again", "disconnect", 2, ran=1),
    "a silent end in the answer": Row(FAILED, "ended before", "Ask again", "silent_end", 2, ran=1),
    "a disconnect in a call": Row(FAILED, "ended before", "Ask again", "disconnect", 1, ran=0),
    "a silent end in a call": Row(FAILED, "ended before", "Ask again", "silent_end", 1, ran=0),
    "a stream that falls silent": Row(
        FAILED, "nothing for 2 seconds", "time limit", "stall", 2, options={"timeout": 2.0}, ran=1
    ),
    # 7
    "an answer cut at the output limit": Row(PARTIAL, "max_output_tokens", "thorough", "incomplete_max_tokens", 2),
    "calls cut at the output limit": Row(FAILED, "before it wrote", "thorough", "truncated_arguments", 1, ran=0),
    "nothing but reasoning until the output limit": Row(
        FAILED, "before it wrote", "thorough", play=always(Step(reasoning="Hm.", finish="max_output_tokens"))
    ),
    "an empty answer": Row(FAILED, "empty answer", "Ask again", play=always(Step(reasoning="Hm."))),
    # 8
    "a refusal": Row(REFUSED, "cannot help", "Rephrase", play=always(Step(refusal="I cannot help with that."))),
    # 10, 11
    "arguments that are not JSON": Row(
        ANSWERED, *UNSOURCED, play=first(raw_call("search_documents", '{"query": "a"')), outcome="rejected"
    ),
    "arguments that are no object": Row(
        ANSWERED, *UNSOURCED, play=first(raw_call("search_documents", '["payment"]')), outcome="rejected"
    ),
    "a tool that does not exist": Row(
        ANSWERED, *UNSOURCED, play=first(call("web_search", query="x")), outcome="rejected"
    ),
    # 12
    "the same search again and again": Row(
        PARTIAL, "limit of 3 identical calls", "Narrow", play=always(search()), ran=1
    ),
    # 13
    "a rate limit inside the stream": Row(FAILED, "limiting", "in 7 seconds", "rate_limit_in_stream", 2),
    "a rate limit as the first event": Row(FAILED, "limiting", "in 7 seconds", "rate_limit_first_event", 1),
    "a rate limit as a status": Row(FAILED, "limiting", "in a minute", "rate_limit_http", 1),
    "an account without credit": Row(FAILED, "no credit", "add credit", "quota", 1),
    # 14
    "a filtered question": Row(REFUSED, "content policy", "Rephrase", "content_filter", 1),
    "a filtered answer": Row(REFUSED, "content filter", "Rephrase", "content_filter_output", 2),
    # the rest of what servers do
    "a server error": Row(FAILED, "failed while working", "in a moment", "server_error", 1),
    "a failed response": Row(FAILED, "failed while working", "in a moment", "failed", 2),
    "an error event": Row(FAILED, "failed while working", "in a moment", "error_event", 2),
    "an error event of another API": Row(FAILED, "failed while working", "in a moment", "nested_error", 2),
    "an event that is not JSON": Row(FAILED, "arrived damaged", "base URL", "bad_json_chunk", 2),
    "a web page": Row(FAILED, "not with the event stream", "base URL", "html_200", 1),
    "a document instead of a stream": Row(FAILED, "not with the event stream", "base URL", "json_200", 1),
}


class Provider:
    """The fake provider: plays a row's part for the question ``FAULT``, and answers every other one."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self.server = FakeResponsesServer(repeat(self._play), memory=row.memory)

    def _play(self, exchange: Exchange) -> Step:
        questions = [item for item in exchange.context if item.get("role") == "user"]
        faulty = questions[-1]["content"][0]["text"] == FAULT
        return self._row.play(exchange) if faulty else plain(exchange)


class App:
    """Questions in one conversation, and what came of them."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._talk = asking.conversations.create(ACCESS, [CONTRACTS])

    def ask(self, question: str, **options: bool) -> Turn:
        turns = self._asking.turns
        return turns.wait(ACCESS, turns.ask(ACCESS, self._talk.id, question, **options).id)

    def events(self, turn: Turn) -> Sequence[Event]:
        return self._asking.turns.events(ACCESS, turn.id)


FAULT = "And now the one that fails?"
Open = Callable[[FakeResponsesServer, Mapping[str, Any]], App]


@pytest.fixture(scope="module")
def address() -> Iterator[Any]:
    switch = Switch()
    with running(switch) as url:
        yield switch, url


@pytest.fixture
def app(address: Any, asking: Callable[[Model], Asking]) -> Iterator[Open]:
    models: list[OpenAIResponsesModel] = []

    def open_(server: FakeResponsesServer, options: Mapping[str, Any]) -> App:
        address[0].app = server
        given = dict(options)
        connection = Connection("sk-test", address[1], timeout=given.pop("timeout", 20.0), strict=True)
        retry = RetryPolicy(wait=lambda event, _: event.is_set())
        models.append(OpenAIResponsesModel("gpt-5-mini", connection, retry=retry, **given))
        return App(asking(models[-1]))

    yield open_
    for model in models:
        model.close()


@pytest.mark.req("ASK-3", "ASK-4", "ASK-6", "ASK-11", "ASK-13")
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_the_user_is_told_and_the_next_turn_works(app: Open, row: Row) -> None:
    server = Provider(row).server
    talk = app(server, row.options)
    before = talk.ask(QUESTION)
    assert before.status is ANSWERED, before.reason
    if row.fault:
        server.fail(row.fault, at=len(server.bodies) + row.at, times=20)
    turn = talk.ask(FAULT)
    server._faults.clear()

    assert turn.status is row.status, turn.reason
    for told, expected in ((turn.reason, row.reason), (turn.advice, row.advice)):
        assert bool(told) == bool(expected), told
        assert re.search(expected, told)
    events = talk.events(turn)
    finished = [event for event in events if isinstance(event, ToolCallFinished)]
    assert len(finished) == sum(isinstance(event, ToolCallStarted) for event in events)
    if row.ran is not None:
        assert sum(event.outcome == "ok" for event in finished) == row.ran
    if row.outcome:
        assert {event.outcome for event in finished} == {row.outcome}

    following = talk.ask("And a plain one?")
    assert following.status is ANSWERED, following.reason
    assert "45 days" in following.answer.text


@pytest.mark.req("ASK-12")
def test_a_provider_without_memory_is_sent_everything_and_told_to_keep_nothing(app: Open) -> None:
    server = Provider(ROWS["an organisation without data retention"]).server
    talk = app(server, {})
    talk.ask(QUESTION)
    assert talk.ask("And a plain one?").status is ANSWERED
    first_body, refused, *later = server.bodies
    assert (first_body["store"], refused["store"]) == (True, True)
    assert all(body["store"] is False and "previous_response_id" not in body for body in later)
    turn = ["message", "function_call", "function_call_output", "message"]
    assert [item["type"] for item in later[-1]["input"]] == turn + turn[:-1]


@pytest.mark.req("ASK-12", "ASK-13")
def test_an_expired_conversation_is_told_and_goes_on_from_our_copy(app: Open) -> None:
    """Row 2. The copy is sent once; from then on the provider has it again."""
    server = Provider(Row(ANSWERED)).server
    talk = app(server, {})
    talk.ask(QUESTION)
    for response_id in server.store.ids():
        server.store.delete(response_id)

    expired = talk.ask("And?")
    assert expired.status is TurnStatus.EXPIRED
    assert "context has expired" in expired.reason
    assert "new chat" in expired.advice
    assert talk.ask("And?").status is TurnStatus.EXPIRED  # nothing but a decision of the user changes that

    sent = len(server.bodies)
    assert talk.ask("And?", from_transcript=True).status is ANSWERED
    copy, after = server.bodies[sent:]
    assert "previous_response_id" not in copy
    assert [item["type"] for item in copy["input"]] == [
        "message",
        "function_call",
        "function_call_output",
        "message",
        "message",
    ]
    assert [item["type"] for item in after["input"]] == ["function_call_output"]
    assert talk.ask("And now?").status is ANSWERED
    assert [item["type"] for item in server.bodies[-2]["input"]] == ["message"]


@pytest.mark.req("ASK-2")
def test_a_chain_sends_outputs_only_and_no_ids_of_its_own(app: Open) -> None:
    """Row 9."""
    both = calls(search("payment"), search("liability"))
    server = Provider(Row(ANSWERED, play=first(both))).server
    talk = app(server, {})
    talk.ask(QUESTION)
    assert talk.ask(FAULT).status is ANSWERED
    last = server.bodies[-1]["input"]
    assert [item["type"] for item in last] == ["function_call_output"] * 2
    assert len({item["call_id"] for item in last}) == 2
    assert not any("id" in item for body in server.bodies for item in body["input"])


@pytest.mark.req("ASK-12")
def test_another_model_goes_on_with_the_conversation_and_gets_no_thoughts_of_the_first(app: Open, address: Any) -> None:
    server = Provider(Row(ANSWERED)).server
    talk = app(server, {"history": "replay"})
    server._script = type(server._script)(repeat(lambda e: plain(e).but(reasoning="Look it up.")))
    talk.ask(QUESTION)
    connection = Connection("sk-test", address[1], timeout=5, strict=True)
    other = OpenAIResponsesModel("gpt-6", connection, history="replay")
    talk._asking.turns._model = other
    assert talk.ask("And a plain one?").status is ANSWERED
    body = server.bodies[-2]
    assert body["model"] == "gpt-6"
    assert [item["type"] for item in body["input"]] == [
        "message",
        "function_call",
        "function_call_output",
        "message",
        "message",
    ]
    other.close()


@pytest.mark.req("ASK-12")
def test_an_answer_that_was_cut_is_known_to_the_next_turn(app: Open) -> None:
    server = Provider(Row(PARTIAL)).server
    talk = app(server, {})
    talk.ask(QUESTION)
    server.fail("incomplete_max_tokens", at=len(server.bodies) + 2)
    cut = talk.ask("What is the term?")
    assert cut.status is PARTIAL
    assert talk.ask("Go on.").status is ANSWERED
    said = str(server.bodies[-2]["input"])
    assert "What is the term?" in said
    assert "Orbex is paid" in said
