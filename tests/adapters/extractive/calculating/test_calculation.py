"""Questions for figures, from the words to the answer: the right rows, or none and the reason."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from tests.services.conftest import Ran
from workbench.adapters.extractive.calculating.telling import HONEST, NO_FIGURE
from workbench.domain.events import ChartDrawn, CodeRan, ToolCallStarted

pytestmark = pytest.mark.req("OPEN-3", "TOOL-9")

LEDGER = """Paid on,Supplier,Site,Invoice No,Amount
13/01/2024,Norvik AS,Harbour,9001,1200.50
14/02/2024,Norvik AS,Depot,9002,-200.25
15/02/2024,Tessel BV,Harbour,9003,99.99
28/03/2025,Tessel BV,Depot,9004,410.00
29/03/2025,Quarry Lane Ltd,Depot,9005,75.00
"""
BUDGET = {
    "Jan 2026": [["Site", "Cost"], ["Harbour", 100.5], ["Depot", 50]],
    "Feb 2026": [["Site", "Cost"], ["Harbour", 80], ["Depot", 90.25]],
}
STOCK = {
    "Stock": [
        ["Product", "Price", "Quantity 2025", "Quantity 2026", "Amount"],
        ["Anchor chain, 10 m", 120, 4, 6, 480],
        ["Deck brush", 7.5, 10, 12, 75],
        ["Total", None, None, None, "=SUM(E2:E3)"],
    ]
}
ASIDE = {"aside.csv": "Day,Visitors\n2024-01-01,12\n2024-01-02,9\n"}


@pytest.fixture
def ledger(asking: Callable[..., Any]) -> Callable[[str], Ran]:
    return asking({"ledger.csv": LEDGER})  # type: ignore[no-any-return]


def text(done: Ran) -> str:
    return done.end.answer.text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the total amount?", "**1,585.24**"),
        ("How much was paid to Norvik AS in total?", "**1,000.25**"),
        ("Wie hoch ist die Summe der Beträge für Norvik AS?", "**1,000.25**"),
        ("What is the total for the harbour site?", "**1,300.49**"),
        ("What is the average amount?", "**317.05**"),
        ("Was ist der durchschnittliche Betrag?", "**317.05**"),
        ("How many payments are there?", "**5** rows"),
        ("How many payments were made to Tessel BV?", "**2** rows"),
        ("How many different suppliers are there?", "**3** different texts"),
        ("Wie viele verschiedene Lieferanten gibt es?", "**3** different texts"),
        ("What is the largest amount, and with which supplier?", "**1,200.50**: Supplier “Norvik AS”"),
        ("What is the smallest amount?", "**-200.25**"),
        ("What is the total without credits?", "**1,785.49**"),
        ("How much was refunded?", "**-200.25**"),
        ("How much was spent in 2025?", "**485.00**"),
        ("How much was paid in February 2024?", "**-100.26**"),
        ("Which months do the payments cover?", "**January 2024**, **February 2024**, **March 2025**"),
        (
            "What is the difference between Norvik AS and Tessel BV?",
            "falls short of Norvik AS by **490.26** (49.0%",
        ),
        ("By how much does 2024 exceed 2025?", "2024 exceeds 2025 by **615.24**"),
        ("What is the total of all 7 lines?", "The question speaks of 7 rows; there are 5."),
        ("What is the total, and is it negative?", "It is positive."),
    ],
)
def test_a_figure_is_calculated_from_the_rows_that_are_meant(
    ledger: Callable[[str], Ran], question: str, told: str
) -> None:
    done = ledger(question)
    assert told in text(done)
    assert done.of(CodeRan)[-1].run.result.ok
    assert [citation.document for citation in done.end.answer.citations] == ["ledger.csv"]
    assert HONEST in text(done)
    assert not done.end.unsourced


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("How much was paid to Orbex in total?", "“Orbex” is no text of a cell"),
        ("What is the total for the depot of Orbex?", "is no text of a cell"),
        ("What is the total by colour?", "no column that is surely “colour”"),
        ("What is the total in March?", "The month is named without its year."),
    ],
)
def test_what_is_not_sure_gives_no_figure_and_says_why(
    ledger: Callable[[str], Ran], question: str, reason: str
) -> None:
    done = ledger(question)
    assert text(done).startswith(NO_FIGURE)
    assert reason in text(done)
    assert "**" not in text(done)


def test_a_part_of_a_name_counts_with_what_it_was_taken_for(ledger: Callable[[str], Ran]) -> None:
    told = text(ledger("How much was paid to Quarry Lane in total?"))
    assert "**75.00**" in told
    assert "“Quarry Lane” was taken as part of a longer text: “Quarry Lane Ltd”." in told


def test_a_word_in_several_columns_is_not_guessed(asking: Callable[..., Any]) -> None:
    ask = asking({"trips.csv": "From,To,Cost\nOslo,Kiel,10\nKiel,Oslo,12\n"})
    assert "“Oslo” stands in several columns: “From”, “To”." in text(ask("What is the total cost for Oslo?"))


def test_days_that_mean_two_things_are_not_guessed(asking: Callable[..., Any]) -> None:
    ask = asking({"trips.csv": "Day,Cost\n01/02/2024,10\n03/04/2024,12\n"})
    assert "can be read in two ways" in text(ask("What is the total cost in February 2024?"))


def test_one_of_several_sheets_is_named_by_its_month_or_not_guessed(asking: Callable[..., Any]) -> None:
    ask = asking({"budget.xlsx": BUDGET})
    assert "**150.5**" in text(ask("What is the total cost in January 2026?"))
    assert "**320.75**" in text(ask("What is the total cost across all sheets?"))
    assert "February exceeds January by **19.75** (13.1% of January)" in text(
        ask("By how much does February exceed January?")
    )
    assert "It can mean several tables" in text(ask("What is the total cost?"))


def test_rows_of_totals_are_left_out_and_two_columns_compared(asking: Callable[..., Any]) -> None:
    ask = asking({"stock.xlsx": STOCK})
    told = text(ask("What is the total of Quantity 2026 on the stock sheet?"))
    assert "**18**" in told
    assert "**2** rows" in text(ask("How many items are on the stock sheet?"))
    assert "**2** different texts in “Product”" in text(ask("How many different products are on the stock sheet?"))
    told = text(ask("What is the difference between quantity 2025 and quantity 2026?"))
    assert "quantity 2026 exceeds quantity 2025 by **4**" in told
    assert "several columns of numbers" in text(ask("What is the total quantity?"))


def test_a_time_that_neither_sheet_nor_column_nor_dates_tell_of_is_not_passed_over(asking: Callable[..., Any]) -> None:
    ask = asking({"stock.xlsx": STOCK})
    assert "no column of dates" in text(ask("What is the total price on the stock sheet in 2025?"))


def test_formulas_are_told_by_the_names_of_their_columns(asking: Callable[..., Any]) -> None:
    rows = [["Item", "Units", "Rate", "Charge"], ["Crane", 3, 40, "=B2*C2"], ["Lift", 2, 15, "=B3*C3"]]
    ask = asking({"hire.xlsx": {"Hire": rows}})
    done = ask("How is the charge of each item calculated?")
    assert "“Charge” is calculated as “Units” × “Rate”" in text(done)
    assert "D2 =B2*C2" in text(done)
    assert not done.of(CodeRan)


def test_groups_are_told_and_drawn(ledger: Callable[[str], Ran]) -> None:
    done = ledger("Show the total amount by supplier as a chart")
    assert "| Norvik AS | 1,000.25 |" in text(done)
    (event,) = done.of(ChartDrawn)
    assert event.chart.rows[0] == ["Norvik AS", "1,000.25"]
    assert done.end.charts[0].unsourced == ()


def test_a_question_of_contracts_reads_no_tables(asking: Callable[..., Any]) -> None:
    ask = asking(ASIDE)
    done = ask("When does the agreement with Norvik renew?")
    assert not [call for call in done.of(ToolCallStarted) if call.name in ("read_table", "run_code")]


def test_dates_of_workbooks_are_dates(asking: Callable[..., Any]) -> None:
    rows = [["Day", "Fee"], [date(2024, 5, 3), 12.5], [date(2024, 6, 3), 7], [date(2025, 1, 9), 1]]
    ask = asking({"fees.xlsx": {"Fees": rows}})
    assert "**19.5**" in text(ask("What is the total fee in 2024?"))
