import pytest
from openai.types.responses.response_code_interpreter_tool_call_param import ResponseCodeInterpreterToolCallParam
from pydantic import TypeAdapter

from workbench.adapters.openai_responses.items import from_wire, to_wire, usage_from_wire
from workbench.domain.items import (
    AssistantMessage,
    FunctionCall,
    FunctionCallOutput,
    OpaqueItem,
    TokenUsage,
    UserMessage,
)

pytestmark = pytest.mark.req("ASK-12")

CALL = FunctionCall(call_id="call_1", name="read_page", arguments='{"page": 3}')


def reasoning(number: int, **fields: object) -> OpaqueItem:
    base = {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": f"secret {number}"}
    return OpaqueItem(raw=base | fields)


def types(wire: list[dict[str, object]]) -> list[object]:
    return [item["type"] for item in wire]


def test_each_item_has_its_wire_form() -> None:
    items = (UserMessage(text="Why?"), CALL, FunctionCallOutput(call_id="call_1", output="page 3"))
    assert to_wire(items) == [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Why?"}]},
        {"type": "function_call", "call_id": "call_1", "name": "read_page", "arguments": '{"page": 3}'},
        {"type": "function_call_output", "call_id": "call_1", "output": "page 3"},
    ]


def test_an_assistant_message_has_the_same_id_each_time_and_no_two_share_one() -> None:
    items = [AssistantMessage(text="Yes."), UserMessage(text="Sure?"), AssistantMessage(text="Yes.")]
    first, second = to_wire(items), to_wire(items)
    assert first == second
    assert first[0]["id"].startswith("msg_")
    assert first[0]["id"] != first[2]["id"]


def test_a_refusal_goes_back_as_text_and_an_empty_message_not_at_all() -> None:
    wire = to_wire([AssistantMessage(text="", refusal="I would rather not."), AssistantMessage(text="")])
    assert [item["content"][0]["text"] for item in wire] == ["I would rather not."]


def test_reasoning_stays_right_before_the_calls_it_led_to() -> None:
    wire = to_wire(
        [UserMessage(text="?"), reasoning(1), CALL, FunctionCallOutput(call_id="call_1", output=""), reasoning(2)]
    )
    assert types(wire) == ["message", "reasoning", "function_call", "function_call_output"]


@pytest.mark.parametrize("follower", [UserMessage(text="Next?"), AssistantMessage(text=""), None])
def test_reasoning_without_an_output_after_it_is_left_out(follower: UserMessage | AssistantMessage | None) -> None:
    items = [reasoning(1), reasoning(2), *([follower] if follower else [])]
    assert "reasoning" not in types(to_wire(items))


def test_reasoning_a_server_without_memory_cannot_read_is_left_out() -> None:
    unreadable, open_text = (
        reasoning(1, encrypted_content=None),
        reasoning(2, encrypted_content=None, content=[{"text": "so"}]),
    )
    assert types(to_wire([unreadable, CALL])) == ["function_call"]
    assert types(to_wire([open_text, CALL])) == ["reasoning", "function_call"]
    assert types(to_wire([reasoning(3), CALL], reasoning=False)) == ["function_call"]


def test_an_opaque_item_goes_back_as_it_came_without_nulls_and_status() -> None:
    raw = {"type": "web_search_call", "id": "ws_1", "action": None, "status": "completed"}
    assert to_wire([OpaqueItem(raw=raw)]) == [{"type": "web_search_call", "id": "ws_1"}]


def test_code_that_the_provider_ran_goes_back_with_every_field_it_demands_or_not_at_all() -> None:
    raw = {"type": "code_interpreter_call", "id": "ci_1", "code": "1+1", "container_id": "cntr_1", "outputs": None}
    whole = raw | {"status": "completed"}
    assert to_wire([OpaqueItem(raw=raw), OpaqueItem(raw=whole)]) == [whole, whole]
    TypeAdapter(ResponseCodeInterpreterToolCallParam).validate_python(whole)
    assert to_wire([OpaqueItem(raw=whole), CALL], runs=False) == to_wire([CALL])


def test_output_of_an_unknown_type_is_kept_whole() -> None:
    raw = {"type": "hologram", "id": "h_1", "depth": {"layers": [1, 2]}}
    assert from_wire([raw]) == (OpaqueItem(raw=raw),)


def test_text_and_refusal_of_a_message_are_told_apart() -> None:
    parts = [
        {"type": "output_text", "text": "The fee "},
        {"type": "output_text", "text": "is 5 %."},
        {"type": "refusal", "refusal": "No advice."},
    ]
    assert from_wire([{"type": "message", "content": parts}]) == (
        AssistantMessage(text="The fee is 5 %.", refusal="No advice."),
    )


@pytest.mark.parametrize(
    ("wire", "usage"),
    [
        (None, TokenUsage()),
        ({"input_tokens": 5, "output_tokens": 2}, TokenUsage(input_tokens=5, output_tokens=2)),
        ({"input_tokens": 5, "input_tokens_details": None, "output_tokens": None}, TokenUsage(input_tokens=5)),
        (
            {
                "input_tokens": 9,
                "input_tokens_details": {"cached_tokens": 4},
                "output_tokens_details": {"reasoning_tokens": 3},
            },
            TokenUsage(input_tokens=9, cached_tokens=4, reasoning_tokens=3),
        ),
    ],
)
def test_usage_may_lack_details(wire: dict[str, object] | None, usage: TokenUsage) -> None:
    assert usage_from_wire(wire) == usage
