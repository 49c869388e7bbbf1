"""What figure a question wants: the operation, the rows, and the words that are left to name columns and values."""

import re
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from workbench.domain.date_words import MONTHS
from workbench.domain.dates import DateRefused, Period, parse_period


class Operation(StrEnum):
    TOTAL = "total"
    AVERAGE = "average"
    COUNT = "rows"
    DISTINCT = "different"
    LARGEST = "largest"
    SMALLEST = "smallest"
    MONTHS = "months"
    FORMULA = "formula"


class Sign(StrEnum):
    NEGATIVE = "< 0"
    POSITIVE = "> 0"


class Wanted(NamedTuple):
    """The figure asked for.

    ``text`` is the question without the words that were understood. ``sides`` are what is compared, "A" with "B" as in
    A - B. ``strong`` tells that only a calculation can answer: "how much" alone also asks for what a contract says.
    ``claimed`` is the number of rows that the question speaks of. ``group`` names what there shall be a figure for each of.
    """

    text: str
    operations: tuple[Operation, ...]
    strong: bool
    sides: tuple[str, str] | None = None
    sign: Sign | None = None
    asks_sign: bool = False
    period: Period | None = None
    month: int | None = None
    claimed: int | None = None
    every_sheet: bool = False
    group: str = ""
    chart: bool = False


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


_ROWS = (
    r"(?:(?:payment|invoice|order)\s+)?(?:lines?|rows?|entries|entry|records?|payments?|transactions?|items?|bookings?"
    r"|zeilen?|einträge|buchungen|zahlungen|posten|positionen)"
)
_COUNTED_ROWS = _words(rf"(?:all\s+|alle[nr]?\s+)?(\d[\d.,' ]*)\s+{_ROWS}")
_STRONG = (
    (
        Operation.FORMULA,
        _words(
            r"how\s+(?:is|are)\b(?P<what>.{3,80}?)\b(?:calculated|computed|worked\s+out)",
            r"wie\s+(?:wird|werden)\b(?P<was>.{3,80}?)\b(?:berechnet|errechnet)",
        ),
    ),
    (
        Operation.MONTHS,
        _words(
            r"(?:which|what)\s+months?\b(?=.*\b(?:cover|span|in|of|do|does|are|is)\b)",
            r"welche[nr]?\s+monate?",
        ),
    ),
    (
        Operation.DISTINCT,
        _words(
            r"(?:how\s+many|the\s+number\s+of|number\s+of)\s+(?:different|distinct|unique)",
            r"(?:wie\s?viele|anzahl\s+der)\s+(?:verschiedenen?|unterschiedlichen?)",
        ),
    ),
    (Operation.COUNT, _words(rf"(?:how\s+many|number\s+of|wie\s?viele|anzahl\s+der)(?=\s+{_ROWS}(?!\w))")),
    (
        Operation.AVERAGE,
        _words(
            r"(?:the\s+)?averages?(?:\s+of)?", r"on\s+average", r"(?:the\s+)?mean(?=\s+(?:of|value|amount|price))",
            r"durchschnitt(?:lich(?:e[rsn]?)?|s\w+)?", r"im\s+(?:schnitt|mittel)", r"mittelwert",
        ),
    ),
    (
        Operation.TOTAL,
        _words(
            r"(?:in|the\s+(?:net\s+|grand\s+|overall\s+)?)\s*totals?(?:\s+of)?", r"net\s+total", r"totals?\s+of",
            r"(?:the\s+)?sum(?:\s+of)?", r"add(?:s)?\s+up(?:\s+to)?", r"altogether", r"totals?",
            r"summe(?:\s+(?:der|des|von))?", r"insgesamt", r"gesamt(?:betrag|summe|wert|kosten)?", r"zusammen",
        ),
    ),
)  # fmt: skip
_WEAK = (
    (
        Operation.LARGEST,
        _words(
            "largest", "biggest", "highest", "greatest", r"most\s+expensive", "maximum", r"größte[nrs]?", r"höchste[nrs]?",
            r"teuerste[nrs]?",
        ),
    ),
    (
        Operation.SMALLEST,
        _words("smallest", "lowest", "cheapest", r"least\s+expensive", "minimum", r"kleinste[nrs]?", r"niedrigste[nrs]?",
               r"geringste[nrs]?", r"günstigste[nrs]?", r"billigste[nrs]?"),
    ),
    (Operation.TOTAL, _words(r"how\s+much", r"wie\s?viel", r"wie\s+hoch")),
)  # fmt: skip
_SIDES = (
    _words(r"difference\s+between\s+(?P<b>.+?)\s+and\s+(?P<a>.+)"),
    _words(r"(?:unterschied|differenz)\s+zwischen\s+(?P<b>.+?)\s+und\s+(?P<a>.+)"),
    _words(r"by\s+how\s+much\s+(?:does|did|do|is|are)\s+(?P<a>.+?)\s+(?:exceed|above|over|higher\s+than|more\s+than)\s+(?P<b>.+)"),
    _words(r"um\s+wie\s?viel\s+(?:übersteigt|übertrifft)\s+(?P<a>.+?)\s+(?:den|die|das)?\s*(?P<b>.+)"),
    _words(r"how\s+much\s+(?:more|higher)\s+(?:is|was|are|were)\s+(?P<a>.+?)\s+than\s+(?P<b>.+)"),
)  # fmt: skip
_IN_UNITS = _words(
    r",?\s*(?:both\s+)?(?:in|als)\s+(?:pounds?|euros?|dollars?|gbp|eur|usd|per\s?cent|percent|%|prozent)"
    r"(?:\s+(?:and|und)\s+(?:in\s+)?(?:pounds?|euros?|dollars?|per\s?cent|percent|prozent))?"
)
_ASKS_SIGN = re.compile(
    r",?\s*(?:and|und)?\s*(?:is|ist)\s+(?:it|this|that|sie|er|es)\s+(?:positive?|negative?)\b", re.IGNORECASE
)
_CREDITS = r"(?:credits?|refunds?|gutschriften|negatives?|negative\s+(?:values?|amounts?)|erstattungen)"
_NO_CREDITS = _words(
    rf"(?:without|excluding|except|leaving\s+out|ohne)\s+(?:the\s+|die\s+)?{_CREDITS}",
    r"(?:only\s+)?(?:the\s+)?positive\s+(?:values?|amounts?)", r"positive[nr]?\s+beträge",
)  # fmt: skip
_ONLY_CREDITS = _words(
    r"refunded", r"credited", r"\(?negative\s+(?:values?|amounts?)\)?", r"(?:have|has|with)\s+an?\s+negative\s+\w+",
    rf"(?:only\s+)?(?:the\s+)?{_CREDITS}", r"erstattet", r"gutgeschrieben", r"negative[nr]?\s+beträge",
)  # fmt: skip
_EVERY_SHEET = _words(
    r"(?:across|over|of|in|on|from)?\s*all\s+(?:of\s+)?(?:the\s+)?(?:\w+\s+)?sheets",
    r"(?:über|auf|in|aus)?\s*alle[nr]?\s+(?:\w+\s+)?(?:blätter[n]?|tabellenblätter[n]?)",
)
_GROUP = _words(
    r"(?:per|by|for\s+each|for\s+every|je|pro|nach)\s+(?P<what>(?!cent\b|annum\b|rata\b|how\b)[^\W\d_]+(?:\s+name)?)"
)
_OF_TABLES = _words(r"(?:spread)?sheets?", "columns?", "csv", r"(?:tabellen)?blatt", "tabelle", "spalten?")
_CHART = _words(
    r"(?:as\s+a\s+|in\s+a\s+|als\s+)?(?:bar\s+)?(?:chart|graph|diagram|plot|diagramm|balkendiagramm)s?(?:\s+of)?",
)  # fmt: skip
_MONTH = "|".join(sorted((word for word in MONTHS if word.isascii() or "ä" in word), key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d"
_PERIOD = _words(
    rf"(?:in|im|during|for|of|from)?\s*(?:the\s+)?(?:calendar\s+year|year|jahr|kalenderjahr)?\s*(?P<year>{_YEAR})",
)
_MONTH_OF = _words(rf"(?:in|im|during|for|of)?\s*(?P<whole>(?P<month>{_MONTH})\s+{_YEAR})")
_MONTH_ALONE = _words(rf"(?:in|im|during|for|of)\s+(?P<month>{_MONTH})")
_ANY_DAY = date(2026, 1, 1)


def wanted(question: str) -> Wanted | None:
    """Read what figure a question wants; None where it asks for none."""
    text = question.strip().rstrip("?.! ")
    text, chart = _taken(text, _CHART)
    text, _ = _taken(text, _IN_UNITS)
    text, asks_sign = _taken(text, _ASKS_SIGN)
    sides = next((match for pattern in _SIDES if (match := pattern.search(text))), None)
    if sides is not None:
        rest = f"{text[: sides.start()]} {text[sides.end() :]}"
        both = (sides["a"].strip(" ,"), sides["b"].strip(" ,"))
        return Wanted(" ".join(rest.split()), (Operation.TOTAL,), True, sides=both, chart=chart)
    operations, text, strong = _operations(text)
    group = _GROUP.search(text)
    if group is not None:
        text = f"{text[: group.start()]} {text[group.end() :]}"
        operations = operations or (Operation.TOTAL,)
    if not operations:
        return None
    return _rows(text, operations)._replace(
        strong=strong or _OF_TABLES.search(question) is not None,
        asks_sign=asks_sign,
        group=group["what"] if group else "",
        chart=chart,
    )


def time_of(text: str) -> tuple[str, Period | None, int | None]:
    """Return the text without the time it names, the period that means, and a month that is named without its year."""
    found = _MONTH_OF.search(text)
    named = found["whole"] if found else None
    if found is None and (found := _PERIOD.search(text)):
        named = found["year"]
    if found is not None and named is not None:
        try:
            period = parse_period(named, _ANY_DAY)
        except DateRefused:
            return text, None, None
        return _cut(text, found), period, None
    alone = _MONTH_ALONE.search(text) or re.fullmatch(rf"\W*(?P<month>{_MONTH})\W*", text, re.IGNORECASE)
    if alone is None:
        return text, None, None
    return _cut(text, alone), None, MONTHS[alone["month"].casefold()]


_ALONE = (Operation.FORMULA, Operation.MONTHS)
"""Operations beside which no other is asked for in the same breath."""


def _operations(text: str) -> tuple[tuple[Operation, ...], str, bool]:
    """Return the operations that a question names, its other words, and whether one can only be had by calculating."""
    found: list[Operation] = []
    for operation, pattern in _STRONG:
        match = pattern.search(text)
        if match is None:
            continue
        found.append(operation)
        what = next((each for each in match.groupdict().values() if each), "")
        text = pattern.sub(" ", f"{text[: match.start()]} {what} {text[match.end() :]}")
        if operation in _ALONE:
            return (operation,), text, True
    strong = bool(found)
    for operation, pattern in _WEAK:
        if pattern.search(text):
            text = pattern.sub(" ", text)
            if operation is not Operation.TOTAL or not found:
                found.append(operation)
    return tuple(dict.fromkeys(found)), text, strong


def _rows(text: str, operations: tuple[Operation, ...]) -> Wanted:
    """Read which rows are meant: signs, a count that the question states, sheets and a time."""
    text, without = _taken(text, _NO_CREDITS)
    text, only = _taken(text, _ONLY_CREDITS)
    text, every_sheet = _taken(text, _EVERY_SHEET)
    counted = _COUNTED_ROWS.search(text)
    claimed = None
    if counted is not None:
        claimed, text = int(re.sub(r"\D", "", counted[1])), _cut(text, counted)
    text, period, month = time_of(text)
    sign = Sign.POSITIVE if without else Sign.NEGATIVE if only else None
    return Wanted(
        " ".join(text.split()),
        operations,
        strong=True,
        sign=sign,
        period=period,
        month=month,
        claimed=claimed,
        every_sheet=every_sheet,
    )


def _taken(text: str, pattern: re.Pattern[str]) -> tuple[str, bool]:
    """Take what a pattern finds out of the text; tell whether it found anything."""
    rest, count = pattern.subn(" ", text)
    return rest, count > 0


def _cut(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"
