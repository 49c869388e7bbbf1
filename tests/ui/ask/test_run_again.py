"""The trace of a turn with a calculation, on the Ask screen: code, result, and *Run again*."""

from collections.abc import Callable

import pytest

from tests.ui.ask.desk import Desk, Open, html, shown_turn
from workbench.adapters.fakes.plain_sandbox import PlainSandbox
from workbench.adapters.fakes.steps import call, say

pytestmark = pytest.mark.req("TOOL-9", "TRACE-1")
CODE = "17 * 3  # <b>"


@pytest.fixture
def sandbox() -> PlainSandbox:
    return PlainSandbox({CODE: lambda tables: 51})


def test_a_calculation_is_shown_and_can_be_run_again(
    desk_for: Callable[..., Desk], open_screen: Open, sandbox: PlainSandbox
) -> None:
    desk = desk_for(call("run_code", code=CODE, tables=[]), say("It is 51."), sandbox=sandbox)
    turn = desk.asked("What is 17 times 3?")
    at = shown_turn(open_screen, turn, turn=turn.id, tab="trace")
    assert "Calculate · 51" in html(at)
    assert "<b>" not in html(at).partition("pc-code")[2].partition("</ol>")[0]
    (button,) = [each for each in at.button if each.label == "Run again"]
    at = button.click().run()
    assert [each.value for each in at.success] == ["Run again on the same cells\\: exactly the same result\\."]

    sandbox.programs[CODE] = lambda tables: 52
    (button,) = [each for each in at.button if each.label == "Run again"]
    at = button.click().run()
    assert "the result differs" in at.warning[0].value
    assert ">52</pre>" in html(at)
