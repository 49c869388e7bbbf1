import pytest

from workbench.adapters.openai_responses.request import build_body, reasons

pytestmark = pytest.mark.req("OPEN-3")


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("o3", True),
        ("o4-mini", True),
        ("gpt-5", True),
        ("gpt-5.6-sol", True),
        ("gpt-6-astra", True),
        ("gpt-10", True),
        ("gpt-4.1", False),
        ("gpt-4o", False),
        ("gpt-5-chat-latest", False),
        ("omni-local", False),
        ("qwen3-8b", False),
    ],
)
def test_reasoning_models_are_known_by_name(model: str, expected: bool) -> None:
    assert reasons(model) is expected


def test_a_limit_below_the_least_of_the_api_is_raised_to_it(ask) -> None:
    body = build_body(ask(max_output_tokens=3), model="m", history="chain", reasoning=False)
    assert body["max_output_tokens"] == 16


def test_a_request_without_tools_names_none(ask) -> None:
    body = build_body(ask(tools=()), model="m", history="chain", reasoning=False)
    assert {"tools", "tool_choice", "parallel_tool_calls"}.isdisjoint(body)


def test_a_replay_never_names_a_previous_response(ask) -> None:
    body = build_body(ask(previous_response_id="resp_1"), model="m", history="replay", reasoning=False)
    assert "previous_response_id" not in body


def test_the_scope_never_leaves_this_machine(ask) -> None:
    assert "con_a" not in str(build_body(ask(), model="m", history="replay", reasoning=True))
