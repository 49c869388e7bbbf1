"""Dates as people write them, resolved into inclusive bounds from a given day.

``parse_period("last 12 months", today)`` and its like in German and Russian; ISO dates as they are. A whole expression is
understood or refused: no word of it is passed over that could matter, and what cannot be a date is refused with the reason.
"""

import calendar
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from workbench.domain.date_words import (
    DAYS,
    FILLERS,
    INCLUSIVE,
    MONTHS,
    NUMBERS,
    ORDINALS,
    RECENT,
    RELATIVE,
    UNITS,
    YEAR_WORDS,
    Unit,
)
from workbench.domain.errors import PinciteError

EXAMPLES = "Write for example 2024, March 2024, Q2 2025, last 12 months, since 2024-03-01, or 2024-01-15 to 2024-06-30."


class DateRefused(PinciteError):
    """An expression of time that names no period, an impossible date, or bounds that exclude each other."""


class Period(NamedTuple):
    """Inclusive bounds; None leaves a side open."""

    first: date | None
    last: date | None


class _Span(NamedTuple):
    """A stretch of whole days, both ends known."""

    first: date
    last: date


_RANGES = (
    r"between (.+?) and (.+)",
    r"zwischen (.+?) und (.+)",
    r"между (.+?) и (.+)",
    r"(?:from |von |vom |с |со |от )?(.+?) (?:to|until|till|through|bis(?: zum)?|по|до|-) (.+)",
    r"(\d{4})-(\d{4})",
)
_SINCE = r"(?:since|starting(?: from| in| on)?|as of|seit|ab|с|со|начиная с) (.+?)(?: on| onwards?)?"
_ONWARDS = r"(.+?) (?:on|onwards?|and later|und später|и позже)"
_UNTIL = r"(?:until|till|up to|through|bis(?: zum)?|по|до) (.+)"
_AFTER = r"(?:after|nach|после) (.+)"
_BEFORE = r"(?:before|vor|перед) (.+)"

_MONTH = r"(?P<month>[^\W\d_]+)\.?"
_YEAR = r"(?P<year>\d{4})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"


def parse_period(text: str, today: date) -> Period:
    """Return the inclusive bounds that ``text`` means on ``today``; raise DateRefused where it means none.

    "Last year" is the calendar year before; "last 12 months" and "past 30 days" end today and hold exactly that many months
    or days. "Since" and "until" include what they name; "after" and "before" do not. "From 2024" alone means of 2024, as in
    "contracts from 2024"; "from 2024 on" means since.
    """
    words = _normal(text)
    single = _span(words, today)
    if single is not None:
        return Period(*single)
    between = _between(words, today)
    if between is not None:
        return ordered(between.first, between.last)
    for pattern, side in (
        (_SINCE, "since"),
        (_ONWARDS, "since"),
        (_UNTIL, "until"),
        (_AFTER, "after"),
        (_BEFORE, "before"),
    ):
        match = re.fullmatch(pattern, words)
        span = _span(match[1], today) if match else None
        if span is not None:
            return _open_ended(side, span)
    if words in MONTHS:
        raise DateRefused(f"The period {text!r} has no year.", "Say which year is meant.")
    raise DateRefused(f"The period {text!r} was not understood.", EXAMPLES)


def resolve(period: str | None, date_from: str | None, date_to: str | None, today: date) -> Period:
    """Return the bounds of arguments that may each be None; raise DateRefused where they exclude each other.

    ``date_from`` and ``date_to`` may be coarser than a day, such as "2024": the first counts from its beginning, the second
    to its end. Together with ``period`` the narrower bounds apply.
    """
    whole = Period(None, None) if period is None else parse_period(period, today)
    start = None if date_from is None else _one("date_from", date_from, today).first
    end = None if date_to is None else _one("date_to", date_to, today).last
    firsts = [bound for bound in (whole.first, start) if bound is not None]
    lasts = [bound for bound in (whole.last, end) if bound is not None]
    return ordered(max(firsts, default=None), min(lasts, default=None))


def ordered(first: date | None, last: date | None) -> Period:
    """Return the bounds; raise DateRefused where the first day lies after the last."""
    if first is not None and last is not None and first > last:
        raise DateRefused(
            f"The period would begin on {first} and end before that, on {last}.", "Exchange or correct the two dates."
        )
    return Period(first, last)


def _one(name: str, text: str, today: date) -> _Span:
    span = _span(_normal(text), today)
    if span is None:
        raise DateRefused(f"{name} {text!r} is not a date.", "Write it as YYYY-MM-DD, or null for no bound.")
    return span


def _normal(text: str) -> str:
    """Return the text in lower case with single spaces, one kind of dash and no quotation marks or commas."""
    words = re.sub(r"[\"'“”„«»,()]", " ", text.casefold().replace("ё", "е"))
    words = re.sub(r"\s*[–—−]\s*", " - ", words)
    return " ".join(words.split()).rstrip(".?! ") or ""


def _open_ended(side: str, span: _Span) -> Period:
    match side:
        case "since":
            return Period(span.first, None)
        case "until":
            return Period(None, span.last)
        case "after":
            return Period(_shifted(span.last, 1), None)
        case _:
            return Period(None, _shifted(span.first, -1))


def _between(words: str, today: date) -> _Span | None:
    for pattern in _RANGES:
        match = re.fullmatch(pattern, words)
        if match is None:
            continue
        last = _span(match[2], today)
        first = _span(match[1], today) or (last and _span(f"{match[1]} {last.last.year}", today))
        if first is not None and last is not None:
            return _Span(first.first, last.last)
    return None


def _span(words: str, today: date) -> _Span | None:
    """Return the days that one expression means, or None where it is none; raise DateRefused where it is impossible."""
    said = [word for word in words.split() if word not in INCLUSIVE]
    kept = [word for word in said if word not in FILLERS]
    if not kept or said[-1] in FILLERS:
        return None
    if len(kept) == 1 and kept[0] in DAYS:
        day = _shifted(today, DAYS[kept[0]])
        return _Span(day, day)
    relative = _relative(kept, today) or _recent(kept, today)
    return relative or _absolute(" ".join(word for word in kept if word not in YEAR_WORDS))


# --- relative to today -----------------------------------------------------------------------------------------------


def _relative(words: Sequence[str], today: date) -> _Span | None:
    """Read "this year", "last month": whole calendar units."""
    if len(words) != 2 or words[0] not in RELATIVE or words[1] not in UNITS:
        return None
    return _unit(UNITS[words[1]], RELATIVE[words[0]], today)


def _unit(unit: Unit, offset: int, today: date) -> _Span:
    match unit:
        case Unit.DAY:
            day = _shifted(today, offset)
            return _Span(day, day)
        case Unit.WEEK:
            monday = _shifted(today, 7 * offset - today.weekday())
            return _Span(monday, _shifted(monday, 6))
        case Unit.MONTH:
            return _months(today.year, today.month + offset, 1)
        case Unit.QUARTER:
            return _months(today.year, (today.month - 1) // 3 * 3 + 1 + 3 * offset, 3)
        case Unit.YEAR:
            return _months(today.year + offset, 1, 12)


def _recent(words: Sequence[str], today: date) -> _Span | None:
    """Read "last 12 months", "past 30 days": so many units that end today."""
    if len(words) != 3 or words[0] not in RECENT or words[2] not in UNITS:
        return None
    count = NUMBERS.get(words[1]) or (int(words[1]) if re.fullmatch(r"\d{1,5}", words[1]) else None)
    if count is None:
        return None
    if count < 1:
        raise DateRefused(f"A period of {words[1]} {words[2]} holds no day.", EXAMPLES)
    unit = UNITS[words[2]]
    if unit in (Unit.DAY, Unit.WEEK):
        return _Span(_shifted(today, 1 - count * (7 if unit is Unit.WEEK else 1)), today)
    return _Span(_shifted(_months_before(today, count * _IN_MONTHS[unit]), 1), today)


_IN_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}


def _months_before(day: date, count: int) -> date:
    """Return the same day ``count`` months earlier, or the last one of that month where it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 - count, 12)
    _check_year(year)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


# --- on the calendar -------------------------------------------------------------------------------------------------


def _absolute(words: str) -> _Span | None:
    for read in (_numeric, _named, _part_of_year):
        span = read(words)
        if span is not None:
            return span
    return None


def _numeric(words: str) -> _Span | None:
    """Read 2024, 2024-03, 2024-03-31, 31.03.2024."""
    match = re.fullmatch(r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?)?(?:t[\d:.]+z?)?", words)
    match = match or re.fullmatch(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})", words)
    if match is None:
        if re.fullmatch(r"\d{1,2}/\d{1,2}/\d{2,4}", words):
            raise DateRefused(f"In {words!r} day and month cannot be told apart.", "Write the date as YYYY-MM-DD.")
        return None
    month, day = match["month"], match["day"]
    return _calendar(int(match["year"]), int(month) if month else None, int(day) if day else None, words)


def _named(words: str) -> _Span | None:
    """Read March 2024, 2024 March, 3 March 2024, March 3 2024, and the same in other languages."""
    for pattern in (f"{_MONTH} {_YEAR}", f"{_YEAR} {_MONTH}", f"{_DAY} {_MONTH} {_YEAR}", f"{_MONTH} {_DAY} {_YEAR}"):
        match = re.fullmatch(pattern, words)
        if match is not None and match["month"] in MONTHS:
            day = match.groupdict().get("day")
            return _calendar(int(match["year"]), MONTHS[match["month"]], int(day) if day else None, words)
    return None


_PARTS = {"q": 3, "quarter": 3, "quartal": 3, "квартал": 3, "квартале": 3}
_PARTS |= {"h": 6, "half": 6, "halbjahr": 6, "полугодие": 6, "полугодии": 6}
_NUMBER = r"(?P<number>\d|[^\W\d_]+)"


def _part_of_year(words: str) -> _Span | None:
    """Read Q2 2025, 2025-Q2, first half of 2025, 2. Quartal 2025, II квартал 2025."""
    kind = r"(?P<kind>[^\W\d_]+?)"
    patterns = (
        rf"{kind} ?(?P<number>\d)[ /-]{_YEAR}",
        rf"{_YEAR}[ /-]?{kind} ?(?P<number>\d)",
        rf"{_NUMBER}(?:st|nd|rd|th|\.|-й)? {kind} {_YEAR}",
    )
    for pattern in patterns:
        match = re.fullmatch(pattern, words)
        if match is None or match["kind"] not in _PARTS:
            continue
        number = int(match["number"]) if match["number"].isdigit() else ORDINALS.get(match["number"])
        if number is None:
            return None
        months = _PARTS[match["kind"]]
        if not 1 <= number <= 12 // months:
            raise DateRefused(f"{words!r} is impossible: a year has {12 // months} of these.", EXAMPLES)
        return _months(int(match["year"]), (number - 1) * months + 1, months)
    return None


def _calendar(year: int, month: int | None, day: int | None, words: str) -> _Span:
    _check_year(year)
    if month is None:
        return _months(year, 1, 12)
    if not 1 <= month <= 12:
        raise DateRefused(f"{words!r} is not a date: there is no month {month}.", "Write dates as YYYY-MM-DD.")
    if day is None:
        return _months(year, month, 1)
    length = calendar.monthrange(year, month)[1]
    if not 1 <= day <= length:
        raise DateRefused(
            f"{words!r} is not a date: {calendar.month_name[month]} {year} has {length} days.",
            "Write dates as YYYY-MM-DD.",
        )
    return _Span(date(year, month, day), date(year, month, day))


def _months(year: int, month: int, count: int) -> _Span:
    """Return ``count`` whole months from ``month``, which may lie outside 1 to 12, of ``year``."""
    year, index = divmod(year * 12 + month - 1, 12)
    last_year, last_index = divmod(year * 12 + index + count - 1, 12)
    _check_year(year)
    _check_year(last_year)
    last_day = calendar.monthrange(last_year, last_index + 1)[1]
    return _Span(date(year, index + 1, 1), date(last_year, last_index + 1, last_day))


def _check_year(year: int) -> None:
    if not 1 <= year <= 9999:
        raise DateRefused(f"The year {year} is outside the calendar.", EXAMPLES)


def _shifted(day: date, days: int) -> date:
    try:
        return day + timedelta(days=days)
    except OverflowError as error:
        raise DateRefused("The period reaches outside the calendar.", EXAMPLES) from error
