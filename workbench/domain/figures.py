"""Figures: the numbers, amounts, percentages, periods and dates of a text, in a form in which two of them compare.

"EUR 1,250,000", "1.25 million" and "1 250 000" are one value; "45 days" is no support for "45 months".
"""

import re
from decimal import Decimal
from typing import NamedTuple


class Figure(NamedTuple):
    """A number with its unit where one is written (``day``, ``month``, ``%``, ``$``, ``date`` ...; empty where none
    is).

    ``value`` is exact; a date's value is its year, month and day as one number (20240401), that of a day without year 401.
    """

    value: Decimal
    unit: str = ""

    def agrees(self, other: "Figure") -> bool:
        """Tell whether both can be the same figure: a missing unit leaves it open."""
        return self.value == other.value and (self.unit == other.unit or not self.unit or not other.unit)

    @property
    def telling(self) -> bool:
        """Tell whether it says something on its own: a bare small number ("3") stands in many places."""
        return bool(self.unit) or self.value >= 100 or self.value != self.value.to_integral_value()

    @property
    def in_passing(self) -> bool:
        """Tell whether it often only dates what another figure says: a bare year, or a day without its year."""
        return self.unit == "calendar day" or self._is_year

    @property
    def _is_year(self) -> bool:
        return not self.unit and self.value == self.value.to_integral_value() and 1900 <= self.value <= 2100


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar",
            "february feb februar",
            "march mar märz",
            "april apr",
            "may mai",
            "june jun juni",
            "july jul juli",
            "august aug",
            "september sep sept",
            "october oct oktober okt",
            "november nov",
            "december dec dezember dez",
        ),
        start=1,
    )
    for name in names.split()
}
_SCALES = {
    **dict.fromkeys(("k", "thousand", "tausend"), 3),
    **dict.fromkeys(("m", "mn", "mio", "million", "millions", "millionen"), 6),
    **dict.fromkeys(("bn", "billion", "billions", "mrd", "milliarden"), 9),
}
_UNITS = {
    **dict.fromkeys(("%", "percent", "per cent", "prozent", "percentage"), "%"),
    **dict.fromkeys(("day", "days", "tag", "tage", "tagen", "tages"), "day"),
    **dict.fromkeys(("week", "weeks", "woche", "wochen"), "week"),
    **dict.fromkeys(("month", "months", "monat", "monate", "monaten"), "month"),
    **dict.fromkeys(("year", "years", "jahr", "jahre", "jahren"), "year"),
    **dict.fromkeys(("hour", "hours", "stunde", "stunden"), "hour"),
    **dict.fromkeys(("minute", "minutes", "minuten"), "minute"),
}
_CURRENCIES = {
    **dict.fromkeys(("$", "us$", "usd", "dollar", "dollars"), "$"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "€"),
    **dict.fromkeys(("£", "gbp", "pound", "pounds"), "£"),
    **dict.fromkeys(("chf", "francs", "franken"), "CHF"),
    **dict.fromkeys(("¥", "jpy", "yen"), "¥"),
}
_UNITS.update(_CURRENCIES)
_ONES = (
    "two three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_WORDS = {name: number for number, name in enumerate(_ONES.split(), start=2)}
_TENS = {
    name: 10 * n for n, name in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"\b(?P<y1>\d{{4}})-(?P<n1>\d\d)-(?P<d1>\d\d)\b"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:day\s+of\s+)?(?P<m2>{_MONTH})\.?,?\s+(?P<y2>\d{{4}})\b"
    r"|\b(?P<a>\d{1,2})(?P<by>[/.])(?P<b>\d{1,2})(?P=by)(?P<y4>\d{4}|\d\d)\b"
    rf"|\b(?P<d5>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:day\s+of\s+)?(?P<m5>{_MONTH})\b"
    rf"|\b(?P<m3>{_MONTH})\.?\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y3>\d{{4}})\b",
    re.IGNORECASE,
)
_GROUPED = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?"
_PLAIN = r"\d+(?:[.,]\d+)?"
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_MONEY = "|".join(re.escape(unit) for unit in sorted(_CURRENCIES, key=len, reverse=True))
_QUALIFIERS = r"(?:\)|(?:calendar|business|working|consecutive|full|further|additional)|[\s\-])*"
_NUMBER = re.compile(
    rf"(?<![\w.,])(?:(?P<money>{_MONEY})\s?)?(?P<number>{_GROUPED}|{_PLAIN})(?![\d]|[.,]\d)"
    rf"(?:\s?(?P<scale>{_SCALE})\b)?(?:{_QUALIFIERS}(?P<unit>{_UNIT})(?!\w))?",
    re.IGNORECASE,
)
_WORD_NUMBER = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[\s\-](?P<one>one|{'|'.join(_ONES.split()[:8])}))?|(?P<word>{'|'.join(_WORDS)}))\b"
    rf"(?:\s*\(\s*\d+\s*)?{_QUALIFIERS}(?P<unit>{_UNIT})(?!\w)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:\b(?:sections?|clauses?|articles?|paragraphs?|schedules?|annex(?:es)?|exhibits?|appendix|appendices|pages?|chapters?"
    r"|amendments?|sec|cl|art|para|pp?|nos?|nr|ziffer|artikel|abschnitt|anlage)\b\.?|§)\s*"
    r"\d+(?:\.\d+)*(?:\s*(?:,|and|to|-|–)\s*\d+(?:\.\d+)+)*",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"(?:{_UNIT}|{_SCALE})(?!\w)", re.IGNORECASE)
_CLAUSE_NUMBER = re.compile(r"(?m)^[\s#>*_|+\-•]*\(?\d{1,3}(?:\.\d{1,3})*[.)]?[\s*_]+(?=[^\W\d_])")


def figures(text: str) -> frozenset[Figure]:
    """Return the figures of ``text``. Numbers that only point somewhere ("clause 7.2", "page 4") are none."""
    found: set[Figure] = set()

    def date(match: re.Match[str]) -> str:
        found.update(_numeric_date(match) if match["by"] else [_date(match)])
        return " "

    text = _DATE.sub(date, text)
    text = _REFERENCE.sub(" ", text)
    text = _CLAUSE_NUMBER.sub(_keep_counted, text)
    found.update(_number(match) for match in _NUMBER.finditer(text))
    found.update(_word_number(match) for match in _WORD_NUMBER.finditer(text))
    return frozenset(found)


def without_figures(text: str) -> str:
    """Return ``text`` without its numbers, dates and amounts; what is counted stays."""
    for pattern in (_WORD_NUMBER, _NUMBER):
        text = pattern.sub(lambda match: f" {match['unit'] or ''} ", _DATE.sub(" ", text))
    return text


def _keep_counted(match: re.Match[str]) -> str:
    """Drop a clause's own number, but not the "30" of a line that starts with "30 days"."""
    return match[0] if _COUNTED.match(match.string, match.end()) else " "


def _date(match: re.Match[str]) -> Figure:
    parts = match.groupdict()
    if parts["d5"]:
        return Figure(Decimal(f"{_MONTHS[parts['m5'].lower()]:02d}{int(parts['d5']):02d}"), "calendar day")
    year = parts["y1"] or parts["y2"] or parts["y3"]
    day = parts["d1"] or parts["d2"] or parts["d3"]
    month = int(parts["n1"]) if parts["n1"] else _MONTHS[(parts["m2"] or parts["m3"]).lower()]
    return Figure(Decimal(f"{int(year):04d}{month:02d}{int(day):02d}"), "date")


def _numeric_date(match: re.Match[str]) -> list[Figure]:
    """Read 31/3/2024, 3/31/2024 or 31.03.2024; one that can be read in two ways gives no figure."""
    day, month, year = int(match["a"]), int(match["b"]), int(match["y4"])
    if match["by"] == "/" and day <= 12:
        if month <= 12 and day != month:
            return []
        day, month = month, day
    year += 0 if year > 99 else 2000 if year < 70 else 1900
    return [Figure(Decimal(f"{year:04d}{month:02d}{day:02d}"), "date")] if month <= 12 else []


def _number(match: re.Match[str]) -> Figure:
    value = _decimal(match["number"])
    if match["scale"]:
        value = value.scaleb(_SCALES[match["scale"].lower()])
    unit = match["money"] or match["unit"]
    return Figure(value.normalize(), _UNITS[unit.lower()] if unit else "")


def _word_number(match: re.Match[str]) -> Figure:
    if match["word"]:
        value = _WORDS[match["word"].lower()]
    else:
        one = (match["one"] or "").lower()
        value = _TENS[match["tens"].lower()] + (1 if one == "one" else _WORDS.get(one, 0))
    return Figure(Decimal(value).normalize(), _UNITS[match["unit"].lower()])


def _decimal(number: str) -> Decimal:
    """Read a number whose separators may be of either convention: the last one parts decimals unless it parts thousands."""
    number = re.sub(r"[ \u00a0\u202f'’]", "", number)
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", number):
        return Decimal(number.replace(",", ""))
    if re.fullmatch(r"\d{1,3}(\.\d{3})+(,\d+)?", number):
        return Decimal(number.replace(".", "").replace(",", "."))
    return Decimal(number.replace(",", "."))
