"""The fake provider seen through the SDK with strict validation: its replies are the documented ones."""

import openai
import pytest

from workbench.adapters.fakes.responses_server import FAULTS, ApiError
from workbench.adapters.fakes.steps import call, calls, say

pytestmark = pytest.mark.req("ASK-2")


def test_a_plain_response_has_text_usage_and_an_id(serve, client):
    serve(say("The fee is 5 %."))
    response = client.responses.create(model="gpt-5", input="What is the fee?")
    assert response.output_text == "The fee is 5 %."
    assert response.status == "completed"
    assert response.usage.total_tokens == response.usage.input_tokens + response.usage.output_tokens > 0


def test_a_response_can_be_read_listed_and_deleted_once(serve, client):
    serve()
    created = client.responses.create(model="gpt-5", input="What is the fee?")
    assert client.responses.retrieve(created.id).output_text == "Yes."
    assert [item.content[0].text for item in client.responses.input_items.list(created.id)] == ["What is the fee?"]
    client.responses.delete(created.id)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(created.id)
    with pytest.raises(openai.NotFoundError):
        client.responses.delete(created.id)


def test_input_items_come_in_pages_and_either_order(serve, client):
    serve()
    texts = ["one", "two", "three"]
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}], "status": "completed"}
        for text in texts
    ]
    created = client.responses.create(model="gpt-5", input=items)

    def listed(**options):
        return [item.content[0].text for item in client.responses.input_items.list(created.id, **options)]

    assert listed(order="asc", limit=2) == texts
    assert listed(limit=1) == texts[::-1]


def test_what_is_not_stored_cannot_be_read_or_continued(serve, client):
    serve()
    created = client.responses.create(model="gpt-5", input="Hello", store=False)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(created.id)
    with pytest.raises(openai.BadRequestError, match="not found"):
        client.responses.create(model="gpt-5", input="And?", previous_response_id=created.id)


def test_a_stream_has_the_usual_events_in_order(serve, client):
    serve(calls(say("Look."), call("read_page", page=3)).but(reasoning="hm"))
    stream = client.responses.create(model="gpt-5", input="Page 3?", stream=True)
    events = list(stream)
    assert [event.sequence_number for event in events] == list(range(len(events)))
    kinds = [event.type for event in events]
    assert [kind for number, kind in enumerate(kinds) if kind != kinds[number - 1]] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.output_item.done",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.output_item.added",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
    ]


def test_a_refusal_is_streamed_as_one(serve, client):
    serve(say("").but(refusal="I would rather not."))
    events = list(client.responses.create(model="gpt-5", input="Do it.", stream=True))
    assert "".join(event.delta for event in events if event.type == "response.refusal.delta") == "I would rather not."


def test_a_thread_keeps_what_a_deleted_response_brought(serve, client):
    seen = []
    serve(say("One."), say("Two."), lambda exchange: seen.append(exchange) or say("Three."))
    first = client.responses.create(model="gpt-5", input="1")
    second = client.responses.create(model="gpt-5", input="2", previous_response_id=first.id)
    client.responses.delete(first.id)
    client.responses.create(model="gpt-5", input="3", previous_response_id=second.id)
    assert [item["role"] for item in seen[0].context] == ["user", "assistant", "user", "assistant", "user"]


def test_input_that_the_provider_has_read_before_is_counted_as_cached(serve, client):
    serve()
    first = client.responses.create(model="gpt-5", input="word " * 400)
    second = client.responses.create(model="gpt-5", input="And?", previous_response_id=first.id)
    assert first.usage.input_tokens_details.cached_tokens == 0
    assert 0 < second.usage.input_tokens_details.cached_tokens < second.usage.input_tokens
    assert second.usage.input_tokens_details.cached_tokens % 128 == 0


def test_an_error_of_the_script_is_the_reply(serve, client):
    serve(ApiError(503, "We are closed.", kind="server_error"))
    with pytest.raises(openai.InternalServerError, match="We are closed"):
        client.responses.create(model="gpt-5", input="Hello")


def test_a_script_that_is_over_says_so(serve, client):
    serve(say("Only this."))
    client.responses.create(model="gpt-5", input="1")
    with pytest.raises(openai.BadRequestError, match="no step for request 2"):
        client.responses.create(model="gpt-5", input="2")


def test_a_fault_happens_at_its_request_and_not_at_others(serve, client):
    server = serve()
    server.fail("server_error", at=2)
    client.responses.create(model="gpt-5", input="1")
    with pytest.raises(openai.InternalServerError):
        client.responses.create(model="gpt-5", input="2")
    assert client.responses.create(model="gpt-5", input="3").output_text == "Yes."


def test_an_expired_response_stays_gone(serve, client):
    server = serve()
    first = client.responses.create(model="gpt-5", input="1")
    server.fail("expired")
    for _ in range(2):
        with pytest.raises(openai.BadRequestError) as raised:
            client.responses.create(model="gpt-5", input="2", previous_response_id=first.id)
        assert raised.value.code == "previous_response_not_found"


def test_an_unknown_fault_is_named(serve):
    with pytest.raises(ValueError, match="no such fault: 'fire'"):
        serve().fail("fire")


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_every_fault_differs_from_a_good_reply(serve, client, fault):
    server = serve(calls(say("The late fee is 5 %."), call("read_page", page=3)))
    server.fail(fault)
    timeout = 0.3 if fault == "stall" else 10
    try:
        kinds = [
            event.type for event in client.responses.create(model="gpt-5", input="Hi", stream=True, timeout=timeout)
        ]
    except (openai.APIError, ValueError):
        return
    assert "response.completed" not in kinds
