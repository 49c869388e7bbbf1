"""Number formats: what a person sees in a cell, from the stored value and the cell's format code.

The codes that occur in practice are followed: digits, thousands, decimals, percent, currency and other literals, scientific
notation, dates, times and durations, and sections for negative numbers, zero and text. Where a code holds what is not known
here (fractions, fill characters), the plain value is shown: never a wrong one.
"""

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<ampm>AM/PM|A/P)|(?P<general>General)|(?P<exponent>E[+-]0+)|(?P<digits>[0#?][0#?,.]*|\.[0#?]+)|(?P<time>[ymdhs]+)"
    r"|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)


def shown(value: object, code: str) -> str:
    """Return a cell's value as its format shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (datetime, date, time, timedelta)):
        return _moment(value, code)
    if isinstance(value, (int, float)):
        return _number(value, code)
    return str(value)


def plain(value: float) -> str:
    """Return a number without a format: at most 11 significant digits after which binary fractions show their noise."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.11g}" if abs(value) < 1e11 else f"{value:.15g}"


@lru_cache(maxsize=2000)
def _sections(code: str) -> tuple[str, ...]:
    """Split a code at the semicolons outside quotes."""
    parts, quoted, current = [], False, ""
    for index, character in enumerate(code):
        if character == '"' and code[index - 1 : index] != "\\":
            quoted = not quoted
        if character == ";" and not quoted and code[index - 1 : index] != "\\":
            parts.append(current)
            current = ""
        else:
            current += character
    return (*parts, current)


def _number(value: float, code: str) -> str:
    if code in {"General", "@", ""}:
        return plain(value)
    sections = _sections(code)
    if re.search(r"\[[<>=]", code):
        return plain(value)
    section, magnitude = sections[0], value
    if value < 0 and len(sections) > 1:
        section, magnitude = sections[1], -value
    elif value == 0 and len(sections) > 2:
        section = sections[2]
    text = _formed(magnitude, section)
    if text is None:
        return plain(value)
    return text or plain(value)


def _formed(value: float, section: str) -> str | None:
    """Return a number by one section, or None where the section holds what is not followed here."""
    tokens = [(match.lastgroup or "", match.group(match.lastgroup or 0)) for match in _TOKEN.finditer(section)]
    kinds = [kind for kind, _ in tokens]
    others = "".join(text for kind, text in tokens if kind == "other")
    if kinds.count("digits") > 1 or "time" in kinds or "/" in others:
        return None
    percent = others.count("%")
    out: list[str] = []
    for index, (kind, text) in enumerate(tokens):
        if kind == "digits":
            exponent = kinds[index + 1] if index + 1 < len(kinds) else ""
            out.append(_digits(value * 100**percent, text, scientific=exponent == "exponent"))
        elif kind == "general":
            out.append(plain(abs(value)))
        elif kind in {"quoted", "escaped"} or (kind == "other" and text != "@"):
            out.append(text)
        elif kind == "bracket" and text.startswith("$"):
            out.append(text[1:].partition("-")[0])
    shown_text = "".join(out).strip()
    return f"-{shown_text}" if value < 0 and "digits" in kinds else shown_text


def _digits(value: float, pattern: str, scientific: bool) -> str:
    whole, _, fraction = pattern.partition(".")
    decimals = len(re.sub(r"[^0#?]", "", fraction))
    optional = len(fraction) - len(fraction.rstrip("#?,"))
    trailing = len(pattern) - len(pattern.rstrip(","))
    number = abs(value) / 1000**trailing
    if scientific:
        return f"{number:.{decimals}E}"
    rounded = Decimal(repr(number)).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    text = f"{rounded:,f}" if "," in whole.rstrip(",") else f"{rounded:f}"
    for _ in range(optional):
        text = text[:-1] if "." in text and text.endswith("0") else text
    text = text.rstrip(".") if optional else text
    needed = len(re.sub(r"[^0]", "", whole))
    head, point, tail = text.partition(".")
    if head == "0" and needed == 0 and tail.strip("0"):
        head = ""
    return head.rjust(needed, "0") + point + tail


def _moment(value: datetime | date | time | timedelta, code: str) -> str:
    """Return a date or time in a form that reads one way only: days before months is a guess nobody should make."""
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
        return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    if isinstance(value, time):
        return value.strftime("%H:%M:%S" if value.second or "s" in code.lower() else "%H:%M")
    bare = re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", code).lower()
    if isinstance(value, datetime) and value.time() != time() and ("h" in bare or "y" not in bare):
        return value.strftime("%Y-%m-%d %H:%M" if not value.second else "%Y-%m-%d %H:%M:%S")
    if "d" not in bare and "m" in bare and "y" in bare:
        return value.strftime("%Y-%m")
    return value.strftime("%Y-%m-%d")
