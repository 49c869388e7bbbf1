"""A part of an amount by calendar days, to the cent, and what is asked back where something is missing."""

from collections.abc import Callable
from typing import Any

import pytest

from workbench.domain.events import CodeRan

pytestmark = pytest.mark.req("OPEN-3", "TOOL-9")
OTHER = {"aside.csv": "Day,Visitors\n2024-01-01,12\n"}


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # 73 of 365 days: a fifth.
        ("What is EUR 10,000 a year pro rata from 1 January 2025 to 14 March 2025?", "**EUR 2,000.00**: 73 days"),
        # 183 of 366 days: half, in a leap year.
        ("Prorate: $500.50 per year, pro rata from 2024-01-01 to 2024-07-01", "**USD 250.25**: 183 days"),
        # 16 of 31 days and 15 of 30 days.
        ("£62 a month, pro rata between 16 March 2025 and 15 April 2025?", "**GBP 63.00**: 31 days"),
        ("Wie viel sind 3.650,00 EUR pro Jahr anteilig vom 1. Mai 2025 bis 10. Mai 2025?", "**EUR 100.00**: 10 days"),
    ],
)
def test_a_part_is_counted_by_days_both_ends_included(asking: Callable[..., Any], question: str, told: str) -> None:
    done = asking(OTHER)(question)
    assert told in done.end.answer.text
    assert len(done.of(CodeRan)) == 1


@pytest.mark.parametrize(
    "question",
    [
        "What is EUR 10,000 pro rata from 1 January 2025 to 14 March 2025?",
        "What is EUR 10,000 a year pro rata?",
        "What are EUR 10,000 and EUR 500 a year pro rata from 1 January 2025 to 14 March 2025?",
    ],
)
def test_without_amount_whole_or_dates_there_is_no_figure(asking: Callable[..., Any], question: str) -> None:
    done = asking(OTHER)(question)
    assert "needs one amount" in done.end.answer.text
    assert done.of(CodeRan) == []
