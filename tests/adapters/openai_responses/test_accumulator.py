"""Streams of servers that differ from the documented one in ways that were seen in the wild."""

from typing import Any

import pytest

from workbench.adapters.openai_responses.accumulator import Accumulator
from workbench.adapters.openai_responses.errors import Failure, Kind
from workbench.domain.items import AssistantMessage, FunctionCall, ModelResponse
from workbench.services.ports import ModelEvent, ResponseFinished, ResponseStarted, TextDelta

pytestmark = pytest.mark.req("ASK-2", "OPEN-3")

CREATED = {"type": "response.created", "response": {"id": "resp_1", "status": "in_progress", "output": []}}
CALL = {"type": "function_call", "call_id": "call_1", "name": "read_page", "arguments": "{}", "status": "completed"}


def message(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def delta(text: str) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "delta": text}


def item_done(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.output_item.done", "item": item}


def completed(*output: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "type": "response.completed",
        "response": {"id": "resp_1", "status": "completed", "output": list(output), **fields},
    }


def play(*events: dict[str, Any], limit: int = 100) -> list[ModelEvent]:
    accumulator = Accumulator(limit)
    return [made for event in events for made in accumulator.feed(event)]


def response(events: list[ModelEvent]) -> ModelResponse:
    last = events[-1]
    assert isinstance(last, ResponseFinished)
    return last.response


def test_unknown_events_are_passed_over() -> None:
    events = play(
        CREATED, {"type": "response.hologram.delta", "delta": "x"}, {"no": "type"}, completed(message("Yes."))
    )
    assert response(events).text == "Yes."


def test_a_server_that_sends_no_deltas_still_gives_the_text_once() -> None:
    events = play(CREATED, completed(message("Yes.")))
    assert events[:2] == [ResponseStarted("resp_1"), TextDelta("Yes.")]


def test_a_missing_tail_of_the_text_is_made_up_for() -> None:
    events = play(CREATED, delta("Yes"), completed(message("Yes, p. 3.")))
    assert events[1:3] == [TextDelta("Yes"), TextDelta(", p. 3.")]


def test_items_count_where_the_last_event_has_none() -> None:
    events = play(CREATED, delta("Yes."), item_done(message("Yes.")), item_done(CALL), completed())
    assert response(events).output == (
        AssistantMessage(text="Yes."),
        FunctionCall(call_id="call_1", name="read_page", arguments="{}"),
    )


def test_streamed_text_counts_where_no_item_has_it() -> None:
    assert response(play(CREATED, delta("Yes."), completed(CALL))).text == "Yes."


def test_a_trimmed_final_text_does_not_change_what_was_shown() -> None:
    assert response(play(CREATED, delta(" Yes.\n"), completed(message("Yes.")))).text == " Yes.\n"


def test_text_that_lost_a_piece_on_the_way_is_damaged() -> None:
    with pytest.raises(Failure) as raised:
        play(CREATED, delta("The fee is "), delta("a month."), completed(message("The fee is 5 % a month.")))
    assert raised.value.kind is Kind.DAMAGED


def test_an_id_that_changes_is_reported_twice_and_the_last_one_counts() -> None:
    events = play(CREATED, completed(message("Yes."), id="resp_gateway"))
    assert [event for event in events if isinstance(event, ResponseStarted)] == [
        ResponseStarted("resp_1"),
        ResponseStarted("resp_gateway"),
    ]
    assert response(events).id == "resp_gateway"


def test_a_response_without_an_id_is_damaged() -> None:
    with pytest.raises(Failure, match="no id"):
        play(completed(message("Yes."), id=None))


def test_an_answer_as_long_as_the_limit_is_cut_whatever_the_server_says() -> None:
    events = play(CREATED, completed(message("Fee is 9 [S"), CALL, usage={"output_tokens": 100}), limit=100)
    assert response(events).finish == "max_output_tokens"
    assert response(events).calls == ()


def test_an_incomplete_call_of_a_complete_response_is_not_run() -> None:
    with pytest.raises(Failure) as raised:
        play(CREATED, completed({**CALL, "status": "incomplete"}))
    assert raised.value.kind is Kind.CUT


def test_a_cut_without_a_reason_is_still_a_cut() -> None:
    cut = {**completed(message("Half")), "type": "response.incomplete"}
    cut["response"] = {**cut["response"], "status": "incomplete", "incomplete_details": None}
    assert response(play(CREATED, cut)).finish == "incomplete"


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_a_completed_event_with_another_status_is_no_answer(status: str) -> None:
    with pytest.raises(Failure):
        play(CREATED, completed(message("Yes."), status=status, error={"code": "server_error", "message": "x"}))
