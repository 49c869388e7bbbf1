"""The adapter against the fake provider: the SDK validates every event, the provider validates every request."""

import threading
import traceback
from contextlib import closing
from typing import Any, NamedTuple

import httpx2
import pytest

from workbench.adapters.fakes.steps import call, calls, code_run, raw_call, say
from workbench.adapters.openai_responses import OpenAIResponsesModel, Prices
from workbench.adapters.openai_responses.client import Connection
from workbench.adapters.openai_responses.retry import RetryPolicy
from workbench.domain.errors import (
    BadModelRequest,
    HistoryExpired,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    RateLimited,
    ResponseIncomplete,
)
from workbench.domain.items import (
    AssistantMessage,
    FunctionCall,
    FunctionCallOutput,
    ModelResponse,
    OpaqueItem,
    TokenUsage,
    UserMessage,
)
from workbench.services.ports import ResponseFinished, ResponseStarted, TextDelta

ANSWER = say("The late fee is 5 % a month [S1].")
SEARCH = calls(call("search_documents", query="late fee"), call("search_documents", query="interest"))


def finish(model, request):
    """Read a stream to its end and return the response."""
    last = list(model.stream(request))[-1]
    assert isinstance(last, ResponseFinished)
    return last.response


def outputs(response):
    return [FunctionCallOutput(call_id=made.call_id, output="nothing") for made in response.calls]


# --- what is sent ----------------------------------------------------------------------------------------------------


@pytest.mark.req("ASK-2")
def test_a_chain_sends_only_what_is_new_and_the_instructions_each_time(serve, connect, ask):
    server, model = serve(SEARCH, ANSWER), connect()
    first = finish(model, ask())
    finish(model, ask(*outputs(first), previous_response_id=first.id))
    one, two = server.bodies
    assert "previous_response_id" not in one
    assert two["previous_response_id"] == first.id
    assert [item["type"] for item in two["input"]] == ["function_call_output", "function_call_output"]
    assert one["instructions"] == two["instructions"] == "Answer from the documents."
    assert all(body["store"] is True for body in server.bodies)
    assert (one["tool_choice"], one["parallel_tool_calls"], one["tools"][0]["strict"]) == ("auto", True, True)
    assert one["reasoning"] == {"effort": "low"}


@pytest.mark.req("ASK-2")
def test_code_the_provider_ran_is_kept_as_it_came_and_the_chain_goes_on(serve, connect, ask):
    ran = calls(code_run("print(5 * 12)", logs="60"), call("search_documents", query="late fee"))
    server, model = serve(ran, ANSWER), connect()
    first = finish(model, ask())
    run, made = first.output
    (container,) = server.containers.all()
    assert isinstance(run, OpaqueItem)
    assert (run.raw["type"], run.raw["code"], run.raw["container_id"]) == (
        "code_interpreter_call",
        "print(5 * 12)",
        container.id,
    )
    assert isinstance(made, FunctionCall)
    server.containers.expire(container.id)
    assert finish(model, ask(*outputs(first), previous_response_id=first.id)).text == ANSWER.text


@pytest.mark.req("ASK-12")
def test_a_replay_sends_the_whole_thread_with_its_reasoning_and_stores_nothing(serve, connect, ask):
    server, model = serve(SEARCH.but(reasoning="Look for the fee."), ANSWER), connect(history="replay")
    question = UserMessage(text="What is the fee?")
    first = finish(model, ask(question))
    finish(model, ask(*outputs(first), history=(question, *first.output)))
    body = server.bodies[1]
    assert [item["type"] for item in body["input"]] == [
        "message",
        "reasoning",
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output",
    ]
    assert body["store"] is False
    assert body["include"] == ["reasoning.encrypted_content"]
    assert "previous_response_id" not in body
    assert server.store.ids() == []


@pytest.mark.req("ASK-12")
def test_a_chain_without_a_previous_response_starts_from_the_transcript(serve, connect, ask):
    server, model = serve(ANSWER), connect()
    earlier = (UserMessage(text="Hello"), AssistantMessage(text="Good day."))
    finish(model, ask(history=earlier))
    assert [item["role"] for item in server.bodies[0]["input"]] == ["user", "assistant", "user"]


def test_a_model_without_reasoning_is_sent_none_of_its_options(serve, connect, ask):
    server, model = serve(ANSWER), connect("gpt-4.1", history="replay")
    finish(model, ask())
    assert "reasoning" not in server.bodies[0]
    assert "include" not in server.bodies[0]


@pytest.mark.req("OPEN-3")
def test_a_token_is_asked_for_each_request(serve, connect, ask, key):
    serve(ANSWER, ANSWER)
    handed_out = []
    model = connect(api_key=lambda: handed_out.append(key) or key)
    finish(model, ask())
    finish(model, ask())
    assert len(handed_out) == 2


@pytest.mark.req("OPEN-3")
def test_a_server_without_keys_needs_none(address, serve, ask):
    server = serve(ANSWER)
    server._key = ""
    model = OpenAIResponsesModel("local", Connection("", address[1]))
    assert finish(model, ask()).text == ANSWER.text
    model.close()


# --- what comes back -------------------------------------------------------------------------------------------------


def test_the_id_comes_before_text_and_the_deltas_join_to_the_text(serve, connect, ask):
    serve(say("Fee: 5 % — “capped” [S1]. 🧾"))
    events = list(connect().stream(ask()))
    assert isinstance(events[0], ResponseStarted)
    assert len([event for event in events if isinstance(event, TextDelta)]) > 1
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Fee: 5 % — “capped” [S1]. 🧾"


def test_calls_keep_their_arguments_as_written(serve, connect, ask):
    serve(raw_call("search_documents", '{"query": "fee"'))
    assert finish(connect(), ask()).calls[0].arguments == '{"query": "fee"'


def test_a_refusal_is_kept_and_is_not_text(serve, connect, ask):
    serve(say("").but(refusal="I cannot help with that."))
    response = finish(connect(), ask())
    assert (response.text, response.refusal) == ("", "I cannot help with that.")


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("incomplete_max_tokens", "max_output_tokens"), ("content_filter_output", "content_filter")],
)
def test_a_cut_answer_says_why_it_was_cut_and_has_no_calls(serve, connect, ask, fault, reason):
    server = serve(calls(ANSWER, SEARCH))
    server.fail(fault)
    response = finish(connect(), ask())
    assert response.finish == reason
    assert response.text
    assert ANSWER.text.startswith(response.text)
    assert response.calls == ()


def test_truncated_arguments_are_no_call(serve, connect, ask):
    server = serve(raw_call("search_documents", '{"query":"fees"}  {"container":"a"}'))
    server.fail("truncated_arguments")
    response = finish(connect(), ask())
    assert response.finish == "max_output_tokens"
    assert not any(isinstance(item, FunctionCall) for item in response.output)


def test_cost_counts_cached_input_at_its_own_price(connect):
    usage = TokenUsage(input_tokens=3_000_000, cached_tokens=1_000_000, output_tokens=500_000)
    response = ModelResponse(id="resp_1", output=(), usage=usage)
    assert connect(prices=Prices(2.0, 10.0, 0.5)).cost(response) == pytest.approx(2 * 2.0 + 0.5 + 5.0)
    assert connect(prices=Prices(2.0, 10.0)).cost(response) == pytest.approx(3 * 2.0 + 5.0)
    assert connect().cost(response) is None


class Interrupted(NamedTuple):
    """A request that blocks in a thread, and what it gave."""

    events: Any
    thread: threading.Thread
    seen: list[Any]

    @classmethod
    def reading(cls, events):
        seen = []
        thread = threading.Thread(target=lambda: seen.extend(events))
        thread.start()
        return cls(events, thread, seen)

    def ends(self):
        self.events.interrupt()
        self.thread.join(5)
        return not self.thread.is_alive()


@pytest.mark.req("ASK-11")
def test_a_silent_stream_ends_when_it_is_interrupted_from_another_thread(serve, connect, ask):
    server, model = serve(ANSWER, ANSWER), connect()
    server.fail("stall")
    first = model.stream(ask())
    assert isinstance(next(first), ResponseStarted)
    request = Interrupted.reading(first)
    assert request.ends()
    assert server.hung_up.wait(5)
    assert all(isinstance(event, TextDelta) for event in request.seen)
    assert finish(model, ask()).text == ANSWER.text


@pytest.mark.req("ASK-11")
def test_a_server_that_holds_its_headers_back_is_left_as_well(connect, ask, address):
    asked, released = threading.Event(), threading.Event()

    async def app(scope, receive, send):
        asked.set()
        while not released.is_set():
            if (await receive())["type"] == "http.disconnect":
                released.set()

    address[0].app = app
    request = Interrupted.reading(connect().stream(ask()))
    assert asked.wait(5)
    assert request.ends()
    assert request.seen == []
    assert released.wait(5)


@pytest.mark.req("ASK-11")
def test_the_wait_between_two_attempts_ends_when_it_is_interrupted(serve, connect, ask):
    server = serve(ANSWER)
    server.fail("rate_limit_http", retry_after=25)
    waiting = threading.Event()

    def wait(event, seconds):
        waiting.set()
        return event.wait(seconds)

    request = Interrupted.reading(connect(policy={"wait": wait}).stream(ask()))
    assert waiting.wait(5)
    assert request.ends()
    assert len(server.bodies) == 1


def test_an_interrupt_before_the_start_sends_nothing_and_one_after_the_end_does_no_harm(serve, connect, ask):
    server, model = serve(ANSWER, ANSWER), connect()
    early = model.stream(ask())
    early.interrupt()
    assert list(early) == []
    assert server.bodies == []
    late = model.stream(ask())
    assert list(late)
    late.interrupt()
    assert finish(model, ask()).text == ANSWER.text
    assert len(model._lines._free) == 1


def test_closing_the_iterator_ends_the_request(serve, connect, ask):
    server = serve(ANSWER)
    server.fail("stall")
    with closing(connect().stream(ask())) as events:
        assert isinstance(next(events), ResponseStarted)
        assert not server.hung_up.is_set()
    assert server.hung_up.wait(5)


# --- faults ----------------------------------------------------------------------------------------------------------

FAULTS = [
    ("expired", HistoryExpired),
    ("rate_limit_http", RateLimited),
    ("rate_limit_first_event", RateLimited),
    ("rate_limit_in_stream", RateLimited),
    ("quota", ModelUnavailable),
    ("server_error", ModelUnavailable),
    ("failed", ModelUnavailable),
    ("error_event", ModelUnavailable),
    ("nested_error", ModelUnavailable),
    ("html_200", ModelUnavailable),
    ("json_200", ModelUnavailable),
    ("content_filter", ModelRefused),
    ("silent_end", ResponseIncomplete),
    ("disconnect", ResponseIncomplete),
    ("bad_json_chunk", ResponseIncomplete),
]


@pytest.mark.req("ASK-13")
@pytest.mark.parametrize(("fault", "error"), FAULTS)
@pytest.mark.parametrize("step", [ANSWER, SEARCH], ids=["answer", "calls"])
def test_each_fault_has_its_error_and_the_next_request_works(serve, connect, ask, key, fault, error, step):
    script = [step] * 4
    server, model = serve(*script), connect(policy={"retries": 2})
    first = finish(model, ask()) if fault == "expired" else None
    server.fail(fault, times=3)
    asked = ask(*(outputs(first) if first else ()), previous_response_id=first.id if first else None)
    with pytest.raises(error) as raised:
        finish(model, asked)
    assert type(raised.value) is error
    assert raised.value.advice
    assert key not in "".join(traceback.format_exception(raised.value))
    server._faults.clear()
    assert finish(model, ask()).id


def test_silence_is_a_timeout_that_names_the_limit(serve, connect, ask):
    server = serve(ANSWER, ANSWER)
    server.fail("stall")
    model = connect(timeout=0.2)
    with pytest.raises(ModelUnavailable, match=r"0\.2 seconds"):
        finish(model, ask())
    assert finish(model, ask()).text == ANSWER.text


def test_a_server_that_is_not_there_is_unavailable(ask, time):
    connection = Connection("sk-x1", "http://127.0.0.1:9/v1")
    model = OpenAIResponsesModel("gpt-5-mini", connection, retry=RetryPolicy(retries=1, wait=time.wait))
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9 could not be reached"):
        finish(model, ask())
    assert len(time.slept) == 1


def test_a_refused_key_is_not_repeated_in_the_message(serve, connect, ask):
    serve(ANSWER)
    wrong = "sk-proj-wrong-but-real-9f8e7d"
    with pytest.raises(ModelUnavailable) as raised:
        finish(connect(api_key=wrong), ask())
    shown = "".join(traceback.format_exception(raised.value))
    assert "check the key" in shown
    assert wrong not in shown


def test_a_failing_identity_library_is_unavailable(connect, ask):
    def token() -> str:
        raise OSError("no managed identity endpoint")

    with pytest.raises(ModelUnavailable, match="No access token"):
        finish(connect(api_key=token), ask())


def test_a_schema_that_is_not_strict_is_a_bad_request(serve, connect, ask):
    serve(ANSWER)
    tool = ask().tools[0]
    loose = tool.model_copy(update={"parameters": {"type": "object", "properties": {"q": {"type": "string"}}}})
    with pytest.raises(BadModelRequest, match="additionalProperties"):
        finish(connect(), ask(tools=(loose,)))


# --- retries ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", ["rate_limit_http", "server_error", "rate_limit_first_event", "rate_limit_in_stream", "failed"]
)
def test_a_passing_fault_is_retried_and_nobody_notices(serve, connect, ask, time, fault):
    server = serve(ANSWER)
    server.fail(fault, times=2)
    assert finish(connect(), ask()).text == ANSWER.text
    assert len(server.bodies) == 3
    assert len(time.slept) == 2


def test_retry_after_is_obeyed_up_to_a_bound(serve, connect, ask, time):
    server = serve(ANSWER)
    server.fail("rate_limit_http", retry_after=11)
    finish(connect(), ask())
    assert time.slept == [11.0]
    server.fail("rate_limit_http", retry_after=3600)
    with pytest.raises(RateLimited, match="in 3600 seconds") as raised:
        finish(connect(), ask())
    assert raised.value.retry_after == 3600
    assert time.slept == [11.0]


@pytest.mark.parametrize("fault", ["quota", "content_filter", "disconnect"])
def test_what_will_not_pass_or_was_seen_is_sent_once(serve, connect, ask, time, fault):
    server = serve(ANSWER)
    server.fail(fault)
    with pytest.raises(ModelError):
        finish(connect(), ask())
    assert len(server.bodies) == 1
    assert time.slept == []


@pytest.mark.req("ASK-13")
def test_a_young_response_that_is_not_readable_yet_is_waited_for(serve, connect, ask, time):
    server, model = serve(ANSWER, ANSWER), connect()
    first = finish(model, ask())
    server.fail("slow_previous_id", times=4)
    assert finish(model, ask(previous_response_id=first.id)).text == ANSWER.text
    assert len(time.slept) == 4


@pytest.mark.req("ASK-13")
def test_a_young_response_counts_as_expired_after_forty_seconds(serve, connect, ask, time):
    server, model = serve(ANSWER), connect()
    first = finish(model, ask())
    server.fail("slow_previous_id", times=99)
    with pytest.raises(HistoryExpired):
        finish(model, ask(previous_response_id=first.id))
    assert sum(time.slept) == pytest.approx(40)


@pytest.mark.req("ASK-13")
@pytest.mark.parametrize("age", ["old", "of another process"])
def test_an_older_response_is_expired_at_once(serve, connect, ask, time, age):
    server, model = serve(ANSWER), connect()
    first = finish(model, ask())
    server.store.delete(first.id)
    if age == "old":
        time.now += 301
    else:
        model = connect()
    with pytest.raises(HistoryExpired, match="context has expired"):
        finish(model, ask(previous_response_id=first.id))
    assert time.slept == []


def test_reasoning_that_the_provider_cannot_read_is_left_out_once(serve, connect, ask):
    server, model = serve(ANSWER), connect(history="replay")
    of_another_model = OpaqueItem(
        raw={"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "foreign"}
    )
    history = (UserMessage(text="Hello"), of_another_model, AssistantMessage(text="Good day."))
    assert finish(model, ask(history=history)).text == ANSWER.text
    assert [[item["type"] for item in body["input"]] for body in server.bodies] == [
        ["message", "reasoning", "message", "message"],
        ["message", "message", "message"],
    ]


@pytest.mark.req("ASK-12")
@pytest.mark.parametrize(
    "message",
    [
        "llama.cpp does not support 'previous_response_id'.",
        "Previous response cannot be used for this organization due to Zero Data Retention.",
    ],
)
def test_a_provider_without_memory_is_told_apart_from_an_expired_history(ask, message):
    def reply(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(400, json={"error": {"message": message, "code": 400, "type": "invalid_request_error"}})

    transport = httpx2.MockTransport(reply)
    model = OpenAIResponsesModel("m", Connection("sk-test", "http://local/v1", transport=transport))
    with pytest.raises(BadModelRequest, match="replay"):
        finish(model, ask(previous_response_id="resp_1"))


def test_streams_of_two_threads_do_not_mix(serve, connect, ask):
    serve(*[lambda exchange: say(f"You said {exchange.last_input['content'][0]['text']}.")] * 8)
    model, heard = connect(), {}

    def run(number: int) -> None:
        heard[number] = finish(model, ask(UserMessage(text=f"number {number}"))).text

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert heard == {number: f"You said number {number}." for number in range(8)}
