"""Amounts as people write them in tables: "1.234,56", "(1,250)", "12 %", "EUR 4.3m", read into exact decimals.

The code that runs in the sandbox reads with the same module: it needs nothing but the standard library.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

_CURRENCIES = {
    **dict.fromkeys(("€", "eur", "euro"), "EUR"),
    **dict.fromkeys(("$", "us$", "usd"), "USD"),
    **dict.fromkeys(("£", "gbp"), "GBP"),
    **dict.fromkeys(("chf", "sfr"), "CHF"),
    **dict.fromkeys(("¥", "jpy"), "JPY"),
}
_SCALES = {
    **dict.fromkeys(("k", "thousand", "tsd", "t€"), 3),
    **dict.fromkeys(("m", "mn", "mio", "million", "millions", "millionen"), 6),
    **dict.fromkeys(("bn", "billion", "billions", "mrd", "milliarden"), 9),
}
_SPACES = re.compile("[ \u00a0\u202f\u2009'’]")
_DIGITS = re.compile(r"\d(?:[\d.,'’ \u00a0\u202f\u2009]*\d)?|[.,]\d+")
_SPACED = re.compile(r"\d{1,3}(?:(?P<space>[ \u00a0\u202f\u2009'’])\d{3})(?:(?P=space)\d{3})*(?:[.,]\d+)?")
_WORD = re.compile(r"US\$|[^\W\d_]+\.?|[%€$£¥]", re.IGNORECASE)
_PER_CENT = re.compile(r"\b(?:per\s?cent|prozent)\b", re.IGNORECASE)
_GROUPS = {".": re.compile(r"\d{1,3}(?:\.\d{3})+"), ",": re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}")}


class Amount(NamedTuple):
    """``value`` counts in ``unit`` with the scale applied: "EUR 4.3m" is 4,300,000, EUR, scale 6; "12 %" is 12, %, 0."""

    value: Decimal
    unit: str = ""
    scale: int = 0

    @property
    def number(self) -> Decimal:
        """The number to calculate with: 12 % is 0.12."""
        return self.value / 100 if self.unit == "%" else self.value


def read_amount(text: str, decimal_mark: str | None = None) -> Amount:
    """Read one amount. ``decimal_mark`` ("." or ",") says what parts the decimals, where that is known.

    Raises ValueError for what is no amount, and for "1.234" without a decimal mark, which means two things.
    """
    if decimal_mark not in (None, ".", ","):
        raise ValueError(f"the decimal mark is '.' or ',', not {decimal_mark!r}")
    found = _DIGITS.search(text)
    if found is None:
        raise ValueError(f"{text!r} is no number")
    if _SPACES.search(found[0]) and not _SPACED.fullmatch(found[0]):
        raise ValueError(f"{text!r} is no one number")
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    unit, scale, signs = _described(rest, text)
    value = Decimal(_plain(_SPACES.sub("", found[0]), decimal_mark, text)).scaleb(scale)
    return Amount(-value if signs in ("-", "()") else value, unit, scale)


def to_decimal(value: object, decimal_mark: str | None = None) -> Decimal:
    """Return ``value`` as an exact decimal: text is read as :func:`read_amount` does, a float as Python shows it."""
    if isinstance(value, bool) or value is None:
        raise ValueError(f"{value!r} is no number")
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        return Decimal(repr(value))
    return read_amount(str(value), decimal_mark).number


def decimal_mark_of(texts: Iterable[str]) -> str | None:
    """Return the decimal mark that the numbers of a column have in common; None where none of them tells.

    Raises ValueError where they contradict each other.
    """
    marks = {mark for text in texts if (found := _DIGITS.search(text)) and (mark := _mark(_SPACES.sub("", found[0])))}
    if len(marks) > 1:
        raise ValueError("some numbers are written like 1,234.56 and some like 1.234,56: read each on its own")
    return marks.pop() if marks else None


def _described(rest: str, text: str) -> tuple[str, int, str]:
    """Return unit, scale and sign from what stands around the digits."""
    unit, scale = "", 0
    rest = _PER_CENT.sub("%", rest)
    for word in (match[0].lower().rstrip(".") for match in _WORD.finditer(rest)):
        if word in _CURRENCIES or word == "%":
            unit = _CURRENCIES.get(word, word)
        elif word in _SCALES:
            scale = _SCALES[word]
        else:
            raise ValueError(f"{text!r} is no amount: {word!r} is no unit")
    signs = _SPACES.sub("", _WORD.sub("", rest)).replace("−", "-").replace("–", "-").strip()
    if signs not in ("", "-", "+", "()"):
        raise ValueError(f"{text!r} is no amount")
    return unit, scale, signs


def _mark(digits: str) -> str | None:
    """Return what parts the decimals in ``digits``, where that can be told from them alone."""
    if "." in digits and "," in digits:
        return max(".,", key=digits.rfind)
    for mark, other in ((".", ","), (",", ".")):
        if digits.count(mark) > 1:
            return other
        if mark in digits and (not _GROUPS[mark].fullmatch(digits) or digits.startswith("0")):
            return mark
    return None


def _plain(digits: str, decimal_mark: str | None, text: str) -> str:
    mark = decimal_mark or _mark(digits)
    if mark is None and "." in digits:
        raise ValueError(f"{text!r} can be read in two ways: say whether the decimal mark is '.' or ','")
    mark = mark or "."
    grouping = "," if mark == "." else "."
    whole, _, fraction = digits.partition(mark)
    if mark in fraction or grouping in fraction or (grouping in whole and not _GROUPS[grouping].fullmatch(whole)):
        raise ValueError(f"{text!r} is no number where {mark!r} parts the decimals")
    return f"{whole.replace(grouping, '') or '0'}.{fraction or '0'}" if fraction else whole.replace(grouping, "")
