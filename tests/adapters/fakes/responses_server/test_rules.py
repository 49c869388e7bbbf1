"""What a real provider refuses, the fake refuses with the same status and code."""

from typing import Any

import openai
import pytest

from workbench.adapters.fakes.steps import call, calls, say

pytestmark = pytest.mark.req("ASK-2", "ASK-12")

CALL = {"type": "function_call", "call_id": "c1", "name": "read_page", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "page"}
QUESTION = {"type": "message", "role": "user", "content": "Page?"}
ANSWER = {
    "type": "message",
    "role": "assistant",
    "id": "msg_1",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Yes.", "annotations": []}],
}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "fake-encrypted:hm"}


def tool(**parameters: Any) -> dict[str, Any]:
    return {"type": "function", "name": "read_page", "strict": True, "parameters": {"type": "object", **parameters}}


NUMBER = {"page": {"type": "integer"}}
NESTED = {"range": {"type": "object", "properties": NUMBER, "required": ["page"]}}
BAD_BODIES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown field": ({"temprature": 1}, "temprature"),
    "unknown field of an item": ({"input": [QUESTION | {"colour": "red"}]}, "colour"),
    "wrong type": ({"max_output_tokens": "many"}, "max_output_tokens"),
    "wrong role": ({"input": [QUESTION | {"role": "owner"}]}, "input"),
    "too small a limit": ({"max_output_tokens": 3}, "max_output_tokens"),
    "no model": ({"model": ""}, "model"),
    "schema open to more": ({"tools": [tool(properties=NUMBER, required=["page"])]}, "additionalProperties"),
    "schema with an option": ({"tools": [tool(properties=NUMBER, required=[], additionalProperties=False)]}, "page"),
    "nested schema open to more": (
        {"tools": [tool(properties=NESTED, required=["range"], additionalProperties=False)]},
        "range",
    ),
    "reasoning for a model without it": ({"model": "gpt-4.1", "reasoning": {"effort": "low"}}, "reasoning"),
    "encrypted reasoning for a model without it": (
        {"model": "gpt-4.1", "include": ["reasoning.encrypted_content"]},
        "not supported",
    ),
    "a call without an output": ({"input": [QUESTION, CALL]}, "No tool output found for function call c1"),
    "an output without a call": ({"input": [QUESTION, OUTPUT]}, "No tool call found"),
    "two outputs": ({"input": [QUESTION, CALL, OUTPUT, OUTPUT]}, "Duplicate"),
    "two calls of one id": ({"input": [QUESTION, CALL, OUTPUT, CALL]}, "Duplicate"),
    "two items of one id": ({"input": [QUESTION, ANSWER, QUESTION, ANSWER]}, "msg_1"),
    "an id of the wrong kind": ({"input": [QUESTION, ANSWER | {"id": "call_1"}]}, "begins with 'msg'"),
    "reasoning at the end": ({"input": [QUESTION, REASONING]}, "without its required following item"),
    "reasoning before a question": ({"input": [REASONING, QUESTION]}, "without its required following item"),
    "reasoning of another provider": (
        {"input": [QUESTION, REASONING | {"encrypted_content": "gAAAA"}, ANSWER]},
        "could not be verified",
    ),
}


@pytest.mark.parametrize(("body", "named"), BAD_BODIES.values(), ids=BAD_BODIES.keys())
@pytest.mark.parametrize("stream", [False, True])
def test_a_bad_body_is_a_400_that_names_the_fault(serve, client, body, named, stream):
    serve()
    with pytest.raises(openai.BadRequestError) as raised:
        client.post("/responses", body={"model": "gpt-5", "input": "Hi", "stream": stream} | body, cast_to=object)
    assert named in raised.value.message


@pytest.mark.parametrize("content", [b"{", b"[]", b'"text"'])
def test_a_body_that_is_no_json_object_is_a_400(serve, client, content):
    serve()
    reply = client._client.post(f"{client.base_url}responses", content=content)
    assert reply.status_code == 400


def test_good_sequences_are_taken(serve, client):
    serve()
    for items in ([QUESTION, REASONING, CALL, OUTPUT], [QUESTION, REASONING, ANSWER, QUESTION]):
        assert client.responses.create(model="gpt-5", input=items).output_text == "Yes."


def test_stateless_reasoning_needs_its_encrypted_content(serve, client):
    serve()
    items = [QUESTION, REASONING | {"encrypted_content": None}, ANSWER]
    with pytest.raises(openai.NotFoundError, match="not persisted"):
        client.responses.create(model="gpt-5", input=items, store=False)
    assert client.responses.create(model="gpt-5", input=items).output_text == "Yes."


def test_every_call_of_a_previous_response_needs_its_output(serve, client):
    serve(calls(call("read_page", page=1), call("read_page", page=2)), say("Both read."))
    first = client.responses.create(model="gpt-5", input="Read.")
    outputs = [{"type": "function_call_output", "call_id": item.call_id, "output": "page"} for item in first.output]
    for given in (outputs[:1], [QUESTION], [*outputs, outputs[0]]):
        with pytest.raises(openai.BadRequestError):
            client.responses.create(model="gpt-5", input=given, previous_response_id=first.id)
    second = client.responses.create(model="gpt-5", input=outputs, previous_response_id=first.id)
    assert second.output_text == "Both read."


@pytest.mark.req("ASK-13")
def test_an_unknown_previous_response_is_named_by_code_and_parameter(serve, client):
    serve()
    with pytest.raises(openai.BadRequestError) as raised:
        client.responses.create(model="gpt-5", input="Hi", previous_response_id="resp_none")
    assert (raised.value.code, raised.value.param) == ("previous_response_not_found", "previous_response_id")


def test_a_cut_response_cannot_be_continued(serve, client):
    server = serve()
    server.fail("incomplete_max_tokens")
    cut = client.responses.create(model="gpt-5", input="Hi")
    assert cut.status == "incomplete"
    with pytest.raises(openai.BadRequestError, match="not found"):
        client.responses.create(model="gpt-5", input="Go on", previous_response_id=cut.id)
