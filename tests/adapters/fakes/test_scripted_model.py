import json
from typing import Any

import pytest

from workbench.adapters.fakes.scripted_model import ScriptedModel, call, calls, raw_call, say
from workbench.adapters.fakes.steps import code_run
from workbench.domain.errors import BadModelRequest, HistoryExpired, ModelUnavailable
from workbench.domain.ids import ContainerId, UserId
from workbench.domain.items import (
    AssistantMessage,
    FunctionCall,
    FunctionCallOutput,
    Item,
    ModelResponse,
    OpaqueItem,
    TokenUsage,
    UserMessage,
)
from workbench.domain.scope import Access, Scope
from workbench.services.ports import ModelRequest, ResponseFinished, TextDelta

pytestmark = pytest.mark.req("ASK-2")

QUESTION = UserMessage(text="What is the fee?")


def ask(*items: Item, **fields: Any) -> ModelRequest:
    container = ContainerId("con_a")
    scope = Scope(access=Access(user_id=UserId("ana"), containers=frozenset({container})), containers=(container,))
    return ModelRequest(instructions="", input=items or (QUESTION,), scope=scope, **fields)


def finish(model: ScriptedModel, request: ModelRequest) -> ModelResponse:
    last = list(model.stream(request))[-1]
    assert isinstance(last, ResponseFinished)
    return last.response


def output(call_id: str) -> FunctionCallOutput:
    return FunctionCallOutput(call_id=call_id, output="nothing")


def test_text_comes_in_pieces_of_the_chosen_size() -> None:
    events = list(ScriptedModel([say("See [S12].")], piece=4).stream(ask()))
    assert [event.text for event in events if isinstance(event, TextDelta)] == ["See ", "[S12", "]."]


def test_calls_are_written_as_json_or_exactly_as_told() -> None:
    step = calls(call("search_documents", query="Gebühr", filters=None), raw_call("read_page", "{'page'"))
    first, second = finish(ScriptedModel([step]), ask()).calls
    assert json.loads(first.arguments) == {"query": "Gebühr", "filters": None}
    assert second.arguments == "{'page'"
    assert first.call_id != second.call_id


def test_a_step_can_be_made_from_the_request() -> None:
    model = ScriptedModel([lambda request: say(f"{len(request.tools)} tools")])
    assert finish(model, ask()).text == "0 tools"


@pytest.mark.parametrize("entry", [ModelUnavailable("down"), lambda _: ModelUnavailable("down")])
def test_an_exception_in_the_script_is_raised_and_the_next_request_works(entry: Any) -> None:
    model = ScriptedModel([entry, say("Up again.")])
    with pytest.raises(ModelUnavailable):
        finish(model, ask())
    assert finish(model, ask()).text == "Up again."
    assert len(model.requests) == 2


def test_a_step_can_fail_after_its_text() -> None:
    heard: list[str] = []
    step = say("Half an").but(error=ModelUnavailable("gone"))
    with pytest.raises(ModelUnavailable):
        finish(ScriptedModel([step], after_piece=heard.append), ask())
    assert heard == ["Half an"]


def test_pieces_can_be_watched() -> None:
    pieces: list[str] = []
    finish(ScriptedModel([say("abcdef")], piece=3, after_piece=pieces.append), ask())
    assert pieces == ["abc", "def"]


def test_a_cut_step_has_no_calls_and_cannot_be_continued() -> None:
    model = ScriptedModel(
        [calls(say("Fee is 9 [S"), call("read_page", page=1)).but(finish="max_output_tokens"), say("x")]
    )
    cut = finish(model, ask())
    assert (cut.finish, cut.calls, cut.text) == ("max_output_tokens", (), "Fee is 9 [S")
    with pytest.raises(HistoryExpired):
        finish(model, ask(previous_response_id=cut.id))


def test_reasoning_and_refusal_become_items() -> None:
    step = say("").but(reasoning="hm", refusal="No.")
    reasoning, message = finish(ScriptedModel([step]), ask()).output
    assert isinstance(reasoning, OpaqueItem)
    assert reasoning.raw["type"] == "reasoning"
    assert message == AssistantMessage(text="", refusal="No.")


def test_a_code_run_becomes_an_item_before_the_text() -> None:
    run, message = finish(ScriptedModel([calls(say("It is 1."), code_run("print(1)", logs="1"))]), ask()).output
    assert isinstance(run, OpaqueItem)
    assert (run.raw["type"], run.raw["code"], run.raw["outputs"]) == ("code_interpreter_call", "print(1)", None)
    assert message == AssistantMessage(text="It is 1.")


def test_usage_is_as_told_or_counted_in_words() -> None:
    told = TokenUsage(input_tokens=7, output_tokens=8)
    model = ScriptedModel([say("one two three").but(usage=told), say("one two three")], price=0.25)
    assert finish(model, ask()).usage == told
    counted = finish(model, ask())
    assert counted.usage == TokenUsage(input_tokens=4, output_tokens=3)
    assert model.cost(counted) == 0.25


@pytest.mark.req("ASK-13")
def test_a_forgotten_response_is_expired() -> None:
    model = ScriptedModel([say("Yes."), say("No.")])
    first = finish(model, ask())
    model.forget(first.id)
    with pytest.raises(HistoryExpired):
        finish(model, ask(previous_response_id=first.id))


def test_a_script_that_is_over_says_so() -> None:
    with pytest.raises(BadModelRequest, match="1 times"):
        finish(ScriptedModel([]), ask())


CALL = FunctionCall(call_id="c1", name="read_page", arguments="{}")
BROKEN: dict[str, tuple[Item, ...]] = {
    "no output": (QUESTION, CALL),
    "output without a call": (QUESTION, output("c9")),
    "two outputs": (QUESTION, CALL, output("c1"), output("c1")),
    "output before the call": (QUESTION, output("c1"), CALL),
    "two calls of one id": (QUESTION, CALL, output("c1"), CALL, output("c1")),
}


@pytest.mark.req("ASK-12")
@pytest.mark.parametrize("items", BROKEN.values(), ids=BROKEN.keys())
def test_broken_pairs_are_refused_also_in_a_replay(items: tuple[Item, ...]) -> None:
    split = len(items) - 1
    with pytest.raises(BadModelRequest):
        finish(ScriptedModel([say("x")], "replay"), ask(*items[split:], history=items[:split]))


@pytest.mark.req("ASK-12")
def test_a_replay_with_its_pairs_is_answered() -> None:
    model = ScriptedModel([say("x")], "replay")
    assert finish(model, ask(output("c1"), history=(QUESTION, CALL))).text == "x"


def test_the_history_of_a_chain_is_what_the_model_remembers() -> None:
    model = ScriptedModel([call("read_page", page=1), say("Done.")])
    first = finish(model, ask())
    with pytest.raises(BadModelRequest, match=first.calls[0].call_id):
        finish(model, ask(UserMessage(text="Hurry!"), previous_response_id=first.id))
    answered = ask(output(first.calls[0].call_id), previous_response_id=first.id)
    assert finish(model, answered).text == "Done."
