"""The part of a yearly or monthly amount that falls on a period, by calendar days."""

import re
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from workbench.adapters.extractive.calculating.figures import printed
from workbench.adapters.extractive.calculating.telling import failed
from workbench.adapters.extractive.toolcalls import Step, ToolCall
from workbench.adapters.extractive.transcript import RUN_CODE, TurnSoFar
from workbench.domain.amounts import read_amount
from workbench.domain.dates import DateRefused, Period, parse_period

_ASKED = re.compile(r"\bpro[- ]?rat(?:a|ed)\b|\banteilig\w*|\bzeitanteilig\w*", re.IGNORECASE)
_UNIT = r"(?:EUR|USD|GBP|CHF|US\$|[€$£])"
_NUMBER = r"\d(?:[\d.,'’\u00a0]*\d)?(?:\s?(?:k|m|mn|bn|million|Mio\.?)\b)?"
_AMOUNT = re.compile(rf"{_UNIT}\s?{_NUMBER}|{_NUMBER}\s?{_UNIT}", re.IGNORECASE)
_MONTHLY = re.compile(r"\b(?:a|per|each)\s+month\b|\bmonthly\b|\bmonatlich\w*|\b(?:pro|im|je)\s+monat\b", re.IGNORECASE)
_YEARLY = re.compile(
    r"\b(?:a|per|each)\s+(?:year|annum)\b|\bannual\w*|\byearly\b|\bp\.\s?a\.|\bjährlich\w*|\b(?:pro|im|je)\s+jahr\b",
    re.IGNORECASE,
)
_DAY = r"(?:\d{1,2}\.?\s+[^\W\d_]+\s+\d{4}|[^\W\d_]+\s+\d{1,2},?\s+\d{4}|\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4})"
_PERIOD = re.compile(
    rf"(?:from|between|vom|von|zwischen)\s+{_DAY}\s+(?:to|until|and|bis(?:\s+zum)?|und)\s+{_DAY}", re.IGNORECASE
)
_ANY_DAY = date(2026, 1, 1)


class Share(NamedTuple):
    """An amount for a whole year, or a whole month, and the days of which the part is asked for, both included."""

    amount: str
    unit: str
    monthly: bool
    period: Period


def asks(question: str) -> bool:
    return _ASKED.search(question) is not None and _AMOUNT.search(question) is not None


def next_step(question: str, turn: TurnSoFar) -> Step:
    """Return the run that calculates the part, or the answer; where something is missing, say what."""
    share = _share(question)
    if isinstance(share, str):
        return share
    code = _code(share)
    for call in turn.calls:
        if call.name == RUN_CODE and call.arguments.get("code") == code and call.output is not None:
            run = printed(call.output)
            return failed(run) if run.error else _told(share, run.figures)
    return [ToolCall(RUN_CODE, {"code": code, "tables": []})]


def _share(question: str) -> Share | str:
    amounts = _AMOUNT.findall(question)
    found = _PERIOD.search(question)
    monthly, yearly = _MONTHLY.search(question) is not None, _YEARLY.search(question) is not None
    if len(amounts) != 1 or found is None or monthly == yearly:
        return (
            "A part of an amount by days needs one amount, the time that it is for (a year or a month), and two dates: "
            "for example “EUR 12,000 a year, pro rata from 1 March 2025 to 15 April 2025”."
        )
    try:
        amount = read_amount(amounts[0])
        period = parse_period(found[0], _ANY_DAY)
    except (ValueError, DateRefused) as problem:
        return f"No figure is given: {problem}"
    return Share(f"{amount.value:f}", amount.unit, monthly, period)


def _code(share: Share) -> str:
    first, last = share.period.first, share.period.last
    whole = (
        "calendar.monthrange(day.year, day.month)[1]" if share.monthly else "366 if calendar.isleap(day.year) else 365"
    )
    return "\n".join(
        [
            "import calendar",
            "from datetime import date, timedelta",
            "from decimal import Decimal, ROUND_HALF_UP",
            "from fractions import Fraction",
            "",
            f"amount = Decimal({share.amount!r})  # for a whole {'month' if share.monthly else 'year'}",
            f"first, last = date.fromisoformat({str(first)!r}), date.fromisoformat({str(last)!r})",
            "days = [first + timedelta(days=number) for number in range((last - first).days + 1)]",
            f"share = sum(Fraction(1, {whole}) for day in days)",
            "part = amount * share.numerator / share.denominator",
            "print('days:', len(days))",
            "print('part:', part.quantize(Decimal('0.01'), ROUND_HALF_UP))",
        ]
    )


def _told(share: Share, figures: dict[str, str]) -> str:
    first, last = share.period.first, share.period.last
    whole = "month" if share.monthly else "year"
    return (
        f"The part is **{share.unit} {Decimal(figures['part']):,f}**: {figures['days']} days, from {first} to {last}, both "
        f"included, each counted as its share of the days of its calendar {whole}. The amount and the dates are those of "
        "your question; whether the contract counts in this way is for you to check."
    )
