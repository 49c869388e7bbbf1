"""Code that the fake provider runs, through the SDK with strict validation."""

import openai
import pytest

from workbench.adapters.fakes.steps import call, calls, code_run, say

pytestmark = pytest.mark.req("ASK-2")

AUTO = [{"type": "code_interpreter", "container": {"type": "auto"}}]
SUM = calls(code_run("print(40 + 2)", logs="42\n"), say("It is 42."))
OUTPUTS = ["code_interpreter_call.outputs"]


def run_of(response):
    (found,) = [item for item in response.output if item.type == "code_interpreter_call"]
    return found


def test_a_run_comes_before_the_message_in_a_container_of_its_own(serve, client):
    serve(SUM.but(reasoning="Add."))
    response = client.responses.create(model="gpt-5", input="40+2?", tools=AUTO, include=OUTPUTS)
    assert [item.type for item in response.output] == ["reasoning", "code_interpreter_call", "message"]
    run = run_of(response)
    assert (run.code, run.outputs[0].logs, run.status) == ("print(40 + 2)", "42\n", "completed")
    assert [each.id for each in client.containers.list()] == [run.container_id]
    client.containers.delete(run.container_id)
    with pytest.raises(openai.NotFoundError):
        client.containers.delete(run.container_id)


def test_outputs_are_given_only_where_asked_for(serve, client):
    serve(SUM)
    assert run_of(client.responses.create(model="gpt-5", input="40+2?", tools=AUTO)).outputs is None


def test_a_run_is_streamed_with_its_events_in_order(serve, client):
    serve(SUM)
    events = list(client.responses.create(model="gpt-5", input="40+2?", tools=AUTO, include=OUTPUTS, stream=True))
    of_run = [event for event in events if getattr(event, "output_index", None) == 0]
    kinds = [event.type.removeprefix("response.") for event in of_run]
    assert [kind for number, kind in enumerate(kinds) if kind != kinds[number - 1]] == [
        "output_item.added",
        "code_interpreter_call.in_progress",
        "code_interpreter_call_code.delta",
        "code_interpreter_call_code.done",
        "code_interpreter_call.interpreting",
        "code_interpreter_call.completed",
        "output_item.done",
    ]
    assert "".join(event.delta for event in of_run if event.type.endswith("code.delta")) == "print(40 + 2)"
    assert (of_run[0].item.code, of_run[0].item.outputs) == ("", None)
    assert of_run[-1].item == run_of(events[-1].response)


def test_a_named_container_is_used(serve, client):
    serve(SUM)
    made = client.containers.create(name="sums")
    tools = [{"type": "code_interpreter", "container": made.id}]
    assert run_of(client.responses.create(model="gpt-5", input="40+2?", tools=tools)).container_id == made.id


def test_a_chain_keeps_its_container_until_that_expires(serve, client):
    server = serve(SUM, SUM, SUM)
    first = client.responses.create(model="gpt-5", input="40+2?", tools=AUTO)
    second = client.responses.create(model="gpt-5", input="Again?", tools=AUTO, previous_response_id=first.id)
    assert run_of(second).container_id == run_of(first).container_id
    server.containers.expire(run_of(first).container_id)
    third = client.responses.create(model="gpt-5", input="Again?", tools=AUTO, previous_response_id=second.id)
    assert run_of(third).container_id != run_of(first).container_id


def test_a_repeated_run_needs_its_container(serve, client):
    server = serve(SUM, say("Yes."), say("Yes."))
    run = run_of(client.responses.create(model="gpt-5", input="40+2?", tools=AUTO, include=OUTPUTS))
    thread = [run.model_dump(), {"role": "user", "content": "Sure?"}]
    assert client.responses.create(model="gpt-5", input=thread).output_text == "Yes."
    server.containers.expire(run.container_id)
    with pytest.raises(openai.BadRequestError, match="Expected container_id"):
        client.responses.create(model="gpt-5", input=thread)


def test_a_run_can_be_joined_with_calls_and_cut_off_by_a_fault(serve, client):
    server = serve(calls(code_run("print(1)"), call("read_page", page=3)), SUM)
    server.fail("silent_end", at=2)
    joined = client.responses.create(model="gpt-5", input="Page?", tools=AUTO, include=OUTPUTS)
    assert [item.type for item in joined.output] == ["code_interpreter_call", "function_call"]
    assert run_of(joined).outputs == []
    kinds = [event.type for event in client.responses.create(model="gpt-5", input="40+2?", tools=AUTO, stream=True)]
    assert "response.completed" not in kinds
