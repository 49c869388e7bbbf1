"""Expressions of time and the bounds they mean."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.domain.dates import DateRefused, ordered, parse_period, resolve

TODAY = date(2026, 1, 5)  # a Monday
DAYS = st.dates(min_value=date(1900, 1, 1), max_value=date(2200, 1, 1))

pytestmark = pytest.mark.req("ASK-9")


def bounds(text: str, today: date = TODAY) -> tuple[str, str]:
    first, last = parse_period(text, today)
    return (str(first or ""), str(last or ""))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("this year", "2026-01-01", "2026-12-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("this quarter", "2026-01-01", "2026-03-31"),
        ("last quarter", "2025-10-01", "2025-12-31"),
        ("last month", "2025-12-01", "2025-12-31"),
        ("next month", "2026-02-01", "2026-02-28"),
        ("this week", "2026-01-05", "2026-01-11"),
        ("last week", "2025-12-29", "2026-01-04"),
        ("today", "2026-01-05", "2026-01-05"),
        ("yesterday", "2026-01-04", "2026-01-04"),
        ("dieses Jahr", "2026-01-01", "2026-12-31"),
        ("im letzten Jahr", "2025-01-01", "2025-12-31"),
        ("im vergangenen Monat", "2025-12-01", "2025-12-31"),
        ("в этом году", "2026-01-01", "2026-12-31"),
        ("в прошлом году", "2025-01-01", "2025-12-31"),
        ("на прошлой неделе", "2025-12-29", "2026-01-04"),
    ],
)
def test_named_units_are_whole_ones_of_the_calendar(text: str, first: str, last: str) -> None:
    assert bounds(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("last 12 months", "2025-01-06"),
        ("the last twelve months", "2025-01-06"),
        ("past 30 days", "2025-12-07"),
        ("previous 2 weeks", "2025-12-23"),
        ("last 2 quarters", "2025-07-06"),
        ("last 3 years", "2023-01-06"),
        ("in den letzten 12 Monaten", "2025-01-06"),
        ("letzte zwei Wochen", "2025-12-23"),
        ("за последние 12 месяцев", "2025-01-06"),
        ("последние 30 дней", "2025-12-07"),
    ],
)
def test_so_many_units_end_today(text: str, first: str) -> None:
    assert bounds(text) == (first, "2026-01-05")


def test_months_back_from_the_end_of_a_month_stop_at_the_end_of_a_shorter_one() -> None:
    assert bounds("last month", date(2024, 3, 31)) == ("2024-02-01", "2024-02-29")
    assert bounds("last 1 months", date(2024, 3, 31)) == ("2024-03-01", "2024-03-31")
    assert bounds("last 12 months", date(2024, 2, 29)) == ("2023-03-01", "2024-02-29")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2023", "2023-01-01", "2023-12-31"),
        ("in 2023", "2023-01-01", "2023-12-31"),
        ("im Jahr 2023", "2023-01-01", "2023-12-31"),
        ("в 2023 году", "2023-01-01", "2023-12-31"),
        ("from 2023", "2023-01-01", "2023-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2024-02-29", "2024-02-29", "2024-02-29"),
        ("31.12.2024", "2024-12-31", "2024-12-31"),
        ("March 2024", "2024-03-01", "2024-03-31"),
        ("Sept. 2024", "2024-09-01", "2024-09-30"),
        ("März 2024", "2024-03-01", "2024-03-31"),
        ("март 2024 года", "2024-03-01", "2024-03-31"),
        ("3 March 2024", "2024-03-03", "2024-03-03"),
        ("March 3rd, 2024", "2024-03-03", "2024-03-03"),
        ("3. März 2024", "2024-03-03", "2024-03-03"),
        ("3 марта 2024 г.", "2024-03-03", "2024-03-03"),
        ("Q2 2025", "2025-04-01", "2025-06-30"),
        ("2025-Q4", "2025-10-01", "2025-12-31"),
        ("second quarter of 2025", "2025-04-01", "2025-06-30"),
        ("2. Quartal 2025", "2025-04-01", "2025-06-30"),
        ("II квартал 2025 года", "2025-04-01", "2025-06-30"),
        ("H2 2025", "2025-07-01", "2025-12-31"),
        ("im ersten Halbjahr 2025", "2025-01-01", "2025-06-30"),
    ],
)
def test_dates_of_the_calendar(text: str, first: str, last: str) -> None:
    assert bounds(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("since March 2024", "2024-03-01", ""),
        ("from 2024 onwards", "2024-01-01", ""),
        ("from March 2024 on", "2024-03-01", ""),
        ("seit März 2024", "2024-03-01", ""),
        ("с марта 2024 года", "2024-03-01", ""),
        ("until 2024", "", "2024-12-31"),
        ("bis 2024", "", "2024-12-31"),
        ("after 2024", "2025-01-01", ""),
        ("before March 2024", "", "2024-02-29"),
        ("nach 2024", "2025-01-01", ""),
        ("since last year", "2025-01-01", ""),
        ("between 2024-01-15 and 2024-03-31", "2024-01-15", "2024-03-31"),
        ("between March and June 2024", "2024-03-01", "2024-06-30"),
        ("from January 2024 to March 2024", "2024-01-01", "2024-03-31"),
        ("2024-01-01 – 2024-06-30", "2024-01-01", "2024-06-30"),
        ("2023-2024", "2023-01-01", "2024-12-31"),
        ("zwischen Januar und März 2024", "2024-01-01", "2024-03-31"),
        ("vom 1. März 2024 bis zum 3. April 2024", "2024-03-01", "2024-04-03"),
        ("между мартом и июнем 2024", "2024-03-01", "2024-06-30"),
        ("с января по март 2024", "2024-01-01", "2024-03-31"),
    ],
)
def test_open_and_closed_ranges_include_what_they_name(text: str, first: str, last: str) -> None:
    assert bounds(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2025-02-30", "February 2025 has 28 days"),
        ("2023-02-29", "February 2023 has 28 days"),
        ("31 June 2024", "June 2024 has 30 days"),
        ("2025-13-01", "no month 13"),
        ("Q5 2025", "a year has 4"),
        ("H3 2025", "a year has 2"),
        ("0000", "outside the calendar"),
        ("last 99999 years", "outside the calendar"),
        ("last 0 days", "holds no day"),
        ("2025 to 2024", "begin on 2025-01-01 and end before that, on 2024-12-31"),
        ("between June and March 2024", "begin on 2024-06-01"),
        ("03/04/2024", "day and month cannot be told apart"),
        ("March", "has no year"),
        ("soon", "not understood"),
        ("not 2024", "not understood"),
        ("2024 except March", "not understood"),
        ("", "not understood"),
        ("since", "not understood"),
    ],
)
def test_what_is_impossible_or_not_understood_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(DateRefused, match=why):
        parse_period(text, TODAY)


def test_arguments_that_are_not_given_leave_a_side_open() -> None:
    assert resolve(None, None, None, TODAY) == (None, None)
    assert resolve(None, "2024-05-01", None, TODAY) == (date(2024, 5, 1), None)
    assert resolve(None, None, "2024", TODAY) == (None, date(2024, 12, 31))


def test_the_narrower_bounds_of_a_period_and_dates_apply() -> None:
    assert resolve("2024", "2024-03-01", None, TODAY) == (date(2024, 3, 1), date(2024, 12, 31))
    with pytest.raises(DateRefused, match="end before that"):
        resolve("2024", "2025-03-01", None, TODAY)


@pytest.mark.parametrize("text", ["", "yesterdayish", "since 2024", "null"])
def test_a_bound_that_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(DateRefused, match="date_from"):
        resolve(None, text, None, TODAY)


@given(DAYS)
def test_an_iso_date_is_taken_as_it_is(day: date) -> None:
    assert parse_period(day.isoformat(), TODAY) == (day, day)


@given(DAYS, DAYS)
def test_a_range_of_iso_dates_keeps_its_ends_or_is_refused(first: date, last: date) -> None:
    text = f"{first} to {last}"
    if first > last:
        with pytest.raises(DateRefused):
            parse_period(text, TODAY)
    else:
        assert parse_period(text, TODAY) == ordered(first, last)


@given(DAYS, st.integers(1, 400))
def test_the_last_days_are_exactly_so_many(today: date, count: int) -> None:
    first, last = parse_period(f"last {count} days", today)
    assert first is not None
    assert last == today
    assert (last - first).days + 1 == count


@given(DAYS)
def test_last_this_and_next_follow_one_another_without_a_gap(today: date) -> None:
    for unit in ("week", "month", "quarter", "year"):
        before, now, after = (parse_period(f"{word} {unit}", today) for word in ("last", "this", "next"))
        assert before.last is not None
        assert now.first is not None
        assert now.last is not None
        assert now.first <= today <= now.last
        assert before.last + timedelta(days=1) == now.first
        assert now.last + timedelta(days=1) == after.first


@given(st.text(max_size=40), DAYS)
def test_any_text_is_understood_in_order_or_refused(text: str, today: date) -> None:
    try:
        first, last = parse_period(text, today)
    except DateRefused:
        return
    assert first is not None or last is not None
    assert first is None or last is None or first <= last
