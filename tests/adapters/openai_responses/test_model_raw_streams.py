"""Replies byte by byte, as servers that are not quite the Responses API have sent them."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from workbench.adapters.openai_responses import Connection, OpenAIResponsesModel, RetryPolicy
from workbench.domain.errors import ModelError, ModelUnavailable, RateLimited, ResponseIncomplete
from workbench.domain.items import FunctionCall, ModelResponse
from workbench.services.ports import ModelRequest, ResponseFinished, TextDelta

pytestmark = pytest.mark.req("OPEN-3", "ASK-13")

Reading = Callable[..., list[Any]]


@pytest.fixture
def read(ask: Callable[..., ModelRequest]) -> Reading:
    """Return a function that lets a model read one raw reply and returns its events."""

    def read(content: bytes, media_type: str = "text/event-stream", **fields: Any) -> list[Any]:
        reply = httpx2.Response(200, content=content, headers={"content-type": media_type})
        transport = httpx2.MockTransport(lambda _: reply)
        retry = RetryPolicy(retries=0)
        model = OpenAIResponsesModel(
            "local", Connection("sk-test", "http://local/v1", transport=transport), retry=retry
        )
        return list(model.stream(ask(**fields)))

    return read


def sse(*events: dict[str, Any]) -> bytes:
    return b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events)


CREATED = {"type": "response.created", "response": {"id": "resp_1"}}
COMPLETED = {"type": "response.completed", "response": {"id": "resp_1", "status": "completed", "output": []}}
BROKEN = {
    "nothing at all": b"",
    "only the word done": b"data: [DONE]\n\n",
    "a number": sse(CREATED) + b"data: 5\n\n",
    "a list": sse(CREATED) + b"data: [1]\n\n",
    "not UTF-8": sse(CREATED) + b'data: {"type": "\xff"}\n\n',
    "half an object": sse(CREATED) + b'data: {"type": "resp',
    "a start without a response": sse({"type": "response.created"}),
    "an item that is a list": sse(CREATED, {"type": "response.output_item.done", "item": ["x"]}, COMPLETED),
    "an output that is a text": sse({**COMPLETED, "response": {**COMPLETED["response"], "output": "yes"}}),
    "a web page under a false name": b"<!doctype html><p>Please sign in.</p>",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_stream_is_an_incomplete_response(read: Reading, content: bytes) -> None:
    with pytest.raises(ModelError) as raised:
        read(content)
    assert type(raised.value) is ResponseIncomplete


def test_an_error_in_a_json_reply_is_read_as_one(read: Reading) -> None:
    error = {"error": {"code": "rate_limit_exceeded", "message": "Slow down, try again in 50s."}}
    with pytest.raises(RateLimited, match="Slow down"):
        read(json.dumps(error).encode(), "application/json; charset=utf-8")


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"object": "response"}'])
def test_any_other_json_is_not_the_responses_api(read: Reading, content: bytes) -> None:
    with pytest.raises(ModelUnavailable, match="event stream"):
        read(content, "application/json")


def test_a_server_with_the_bare_minimum_is_understood(read: Reading) -> None:
    call = {"type": "function_call", "call_id": "fc_1", "name": "search_documents", "arguments": '{"query":"fee"}'}
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Let me see."}]}
    events = read(
        sse(
            {"type": "response.created", "response": {"id": "resp_1", "object": "response", "status": "in_progress"}},
            {"type": "response.output_text.delta", "item_id": "msg_1", "delta": "Let me "},
            {"type": "response.output_text.delta", "item_id": "msg_1", "delta": "see."},
            {"type": "response.output_item.done", "item": message},
            {"type": "response.output_item.done", "item": call},
            {
                "type": "response.completed",
                "response": {
                    "id": "resp_1",
                    "status": "completed",
                    "output": [message, call],
                    "usage": {"input_tokens": 12, "output_tokens": 7, "total_tokens": 19},
                },
            },
        )
        + b"data: [DONE]\n\n"
    )
    last = events[-1]
    assert isinstance(last, ResponseFinished)
    response: ModelResponse = last.response
    assert [event.text for event in events if isinstance(event, TextDelta)] == ["Let me ", "see."]
    assert response.calls == (FunctionCall(call_id="fc_1", name="search_documents", arguments='{"query":"fee"}'),)
    assert (response.usage.input_tokens, response.usage.output_tokens) == (12, 7)


def test_an_item_of_a_type_the_sdk_does_not_know_is_kept_as_it_came(read: Reading) -> None:
    item = {"type": "hologram_call", "id": "h_1", "depth": {"layers": [1, None]}, "content": "not a list"}
    completed = {**COMPLETED, "response": {**COMPLETED["response"], "output": [item]}}
    response = read(sse(CREATED, completed))[-1].response
    assert [kept.raw for kept in response.output] == [item]
