"""The provider's code interpreter: offered by a setting, read like any other run, and its container replaced once."""

import pytest

from workbench.adapters.fakes.steps import calls, code_run, say
from workbench.adapters.openai_responses.interpreter import runs
from workbench.domain.calculations import RunOutcome
from workbench.domain.errors import BadModelRequest
from workbench.domain.items import UserMessage
from workbench.services.ports import ObjectUsed, ResponseFinished

pytestmark = pytest.mark.req("TOOL-9")
QUESTION = UserMessage(text="What is 5 times 12?")
RAN = calls(code_run("print(5 * 12)", logs="60\n"), say("It is 60."))


def finish(model, request):
    last = list(model.stream(request))[-1]
    assert isinstance(last, ResponseFinished)
    return last.response


def item(logs="", status="completed", **more):
    outputs = [{"type": "logs", "logs": logs}]
    return {"type": "code_interpreter_call", "id": "ci_1", "code": "x", "outputs": outputs, "status": status} | more


def only(output, **seconds):
    (made,) = runs([output], "api.example.com", seconds)
    return made.run


def test_the_tool_is_offered_with_the_calls_that_are_left_and_its_output_is_asked_for(serve, connect, ask):
    server, model = serve(RAN), connect(interpreter=True)
    finish(model, ask(tool_calls_left=4))
    (body,) = server.bodies
    assert body["tools"][-1] == {"type": "code_interpreter", "container": {"type": "auto"}}
    assert body["include"] == ["code_interpreter_call.outputs"]
    assert body["max_tool_calls"] == 4


def test_it_is_not_offered_without_the_setting_or_where_no_call_is_left(serve, connect, ask):
    server = serve(say("Yes."), say("Yes."))
    finish(connect(), ask())
    finish(connect(interpreter=True), ask(tool_calls_left=0))
    assert [[tool["type"] for tool in body["tools"]] for body in server.bodies] == [["function"], ["function"]]
    assert all("max_tool_calls" not in body for body in server.bodies)


def test_what_ran_comes_with_its_code_and_what_it_printed(serve, connect, ask):
    serve(RAN)
    (made,) = finish(connect(interpreter=True), ask()).runs
    assert (made.run.code, made.run.result.printed, made.run.result.outcome) == ("print(5 * 12)", "60\n", RunOutcome.OK)
    assert made.run.at_provider
    assert made.run.engine.startswith("the code interpreter of 127.0.0.1")


@pytest.mark.req("CHAT-2")
def test_containers_and_files_are_told_before_the_response_ends(serve, connect, ask):
    text = "See [the sums](sandbox:/mnt/data/sums.csv)."
    server = serve(calls(code_run("open('sums.csv', 'w')", file="sums.csv"), say(text)))
    events = list(connect(interpreter=True).stream(ask()))
    (container,) = server.containers.all()
    (file,) = server.containers.files(container.id)
    assert [event for event in events if isinstance(event, ObjectUsed)] == [
        ObjectUsed(container.id),
        ObjectUsed(container.id, file.id),
    ]
    assert isinstance(events[-1], ResponseFinished)


@pytest.mark.req("CHAT-2")
def test_an_expired_container_of_a_replay_is_replaced_once(serve, connect, ask):
    server, model = serve(RAN, say("It was 60.")), connect(interpreter=True, history="replay")
    first = finish(model, ask(QUESTION))
    (container,) = server.containers.all()
    server.containers.expire(container.id)
    again = finish(model, ask(UserMessage(text="And again?"), history=(QUESTION, *first.output)))
    assert again.text == "It was 60."
    kinds = [[each["type"] for each in body["input"]] for body in server.bodies]
    assert kinds[1] == ["message", "code_interpreter_call", "message", "message"]
    assert kinds[2] == ["message", "message", "message"]
    assert [each.id for each in server.containers.all() if server.containers.is_active(each.id)] != [container.id]


def test_a_container_that_is_gone_again_is_an_error_in_words(serve, connect, ask, monkeypatch):
    from workbench.adapters.openai_responses import request  # noqa: PLC0415

    monkeypatch.setattr(request, "TOOL", {"type": "code_interpreter", "container": "cntr_gone"})
    server = serve(RAN, RAN)
    with pytest.raises(BadModelRequest):
        finish(connect(interpreter=True), ask())
    assert len(server.bodies) == 2


def test_an_error_is_read_off_what_was_printed():
    trace = "Traceback (most recent call last):\nCell In[1], line 3\n      3 1/0\nZeroDivisionError: division by zero\n"
    error = only(item(trace)).result.error
    assert error is not None
    assert (error.type, error.message, error.line) == ("ZeroDivisionError", "division by zero", 3)


@pytest.mark.parametrize("status", ["failed", "incomplete"])
def test_a_run_that_the_provider_broke_off_is_no_success(status):
    assert only(item("half", status)).result.outcome is RunOutcome.ERROR


def test_pictures_stay_at_the_provider_and_are_said_to():
    pictured = item(outputs=[{"type": "logs", "logs": "a"}, {"type": "image", "url": "https://x/y.png"}])
    assert only(pictured).result.printed == "a\n(1 picture kept at the provider)\n"


def test_a_run_whose_output_the_provider_kept_is_read_without_it():
    assert only(item(outputs=None)).result.printed == ""
