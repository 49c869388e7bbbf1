"""The line of a running turn and its budgets."""

from typing import Any

import pytest

from workbench.domain.budgets import LimitName, Spend
from workbench.domain.events import AnswerDelta, AnswerWithdrawn, BudgetSpent, Event, ModelCallStarted, ToolCallFinished
from workbench.ui.ask.live_line import live_line
from workbench.ui.ask.meters import budget

pytestmark = pytest.mark.req("TRACE-1")


def spoken(line: str) -> str:
    return line.replace("\u00a0", " ")


def test_the_line_says_what_runs_where_and_what_is_spent(make: Any) -> None:
    events = [make.started(), BudgetSpent(spend=Spend(tool_calls=2, chunks=9)), make.search_call()]

    assert spoken(live_line(events, 4.2)) == (
        "Searching ‘liability cap’ in Contracts · 3 of 12 calls · 9 of 24 passages · 4 s"
    )


def test_the_line_follows_the_turn(make: Any) -> None:
    done = ToolCallFinished(call_id="call_search", name="search_documents", outcome="ok", output="", seconds=0.1)
    story: list[tuple[Event, str]] = [
        (make.started(), "Thinking"),
        (ModelCallStarted(number=1), "Thinking"),
        (make.search_call(), "Searching ‘liability cap’ in Contracts"),
        (make.search_call(query="renewal", call_id="call_2"), "Running 2 tool calls at once"),
        (done, "Searching ‘renewal’ in Contracts"),
        (done.model_copy(update={"call_id": "call_2"}), "Thinking"),
        (AnswerDelta(text="First"), "Writing the answer"),
        (AnswerWithdrawn(text="First"), "Thinking"),
    ]
    events: list[Event] = []
    for event, expected in story:
        events.append(event)
        assert live_line(events, 0).split(" · ")[0] == expected


def test_a_turn_without_events_has_a_line_too() -> None:
    assert live_line([], 0.0).startswith("Starting · 0 of ")


def test_an_account_of_what_was_spent_overrides_what_was_counted(make: Any) -> None:
    counted = budget([make.started(), make.search_call(), make.search_call(call_id="call_2")])
    accounted = budget([make.started(), make.search_call(), BudgetSpent(spend=Spend(tool_calls=7))])

    assert counted.spend.tool_calls == 2
    assert accounted.spend.tool_calls == 7


def test_bars_never_overflow_and_cost_is_shown_only_where_there_is_a_price(make: Any, whole_turn: list[Event]) -> None:
    over = budget([make.started(), BudgetSpent(spend=Spend(chunks=30))]).meter(LimitName.CHUNKS)

    assert (over.text, over.share) == ("30 of 24", 1.0)
    assert LimitName.COST in [meter.limit for meter in budget(whole_turn).meters()]
    assert LimitName.COST not in [meter.limit for meter in budget([make.started()]).meters()]
