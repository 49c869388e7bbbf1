"""Words: how text becomes the words that are indexed and looked up. Documents and queries take the same way.

A word is a run of letters and digits. What is joined without a space (``INV-2024/0017``, ``7.2.1``, ``long-term``,
``1,250,000``) is a word as a whole and in its parts. Scripts written without spaces give single characters and pairs,
so that a part of a longer expression is found.
"""

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum
from itertools import pairwise
from typing import NamedTuple


class Role(Enum):
    """How a word came about, which decides whether a query looks for it."""

    WORD = "word"
    WHOLE = "whole"  # joined words, as written
    PART = "part"  # one of the joined words
    CHARACTER = "character"  # one of several characters of a script without spaces
    PAIR = "pair"


class Word(NamedTuple):
    """A word in lower case, accents kept."""

    text: str
    role: Role


# Scripts whose sentences have no spaces, or (Korean) whose words carry their endings with them: Thai, Lao, Burmese, Khmer,
# kana, Han, Hangul, and the rarer Han of the supplementary planes.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARKS = "".join(chr(code) for code in range(0x0300, 0xFE30) if unicodedata.category(chr(code)).startswith("M"))
_LETTER = rf"(?![{_UNSPACED}])[^\W_]"
_SPACED = rf"{_LETTER}(?:{_LETTER}|(?![{_UNSPACED}])[{_MARKS}])*"

# Between digits a comma, colon or apostrophe joins; between any two words a hyphen, slash, dot, at sign and the like do.
_JOIN = r"(?:[-/._@&']|(?<=\d)[,:](?=\d))"
_RUN = re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|{_SPACED}(?:{_JOIN}{_SPACED})*")
_PART = re.compile(_SPACED)
_POSSESSIVE = re.compile(r"'s$")
_GROUPED = re.compile(
    r"(?P<whole>\d{1,3}(?P<group>[,.'])\d{3}(?:(?P=group)\d{3})*)(?:(?!(?P=group))[.,](?P<decimals>\d+))?"
)

# Signs that print alike and are typed in many ways; soft hyphens and characters without width are no part of a word.
_ALIKE = str.maketrans(
    {"‐": "-", "‑": "-", "–": "-", "−": "-", "’": "'", "ʼ": "'", "⁄": "/"}
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")
)


def words(text: str) -> Iterator[Word]:
    """Yield the words of ``text`` in order, joined ones before their parts."""
    for run in _RUN.finditer(unicodedata.normalize("NFKC", text).lower().translate(_ALIKE)):
        if run["unspaced"]:
            yield from _unspaced(run[0])
        elif run[0].isalnum():  # most are: neither joined nor possessive
            yield Word(run[0], Role.WORD)
        else:
            yield from _spaced(_POSSESSIVE.sub("", run[0]))


def _spaced(run: str) -> Iterator[Word]:
    parts = _PART.findall(run)
    if len(parts) == 1:
        yield Word(run, Role.WORD)
        return
    yield Word(run, Role.WHOLE)
    if number := _plain_number(run):
        yield Word(number, Role.WHOLE)
    for part in parts:
        yield Word(part, Role.PART)


def _plain_number(run: str) -> str:
    """Return ``1,250,000.00`` as ``1250000``, because one amount is printed with many separators; empty for others."""
    grouped = _GROUPED.fullmatch(run)
    if grouped is None:
        return ""
    digits = grouped["whole"].replace(grouped["group"], "")
    decimals = grouped["decimals"] or ""
    return f"{digits}.{decimals}" if decimals.strip("0") else digits


def _unspaced(run: str) -> Iterator[Word]:
    if len(run) == 1:
        yield Word(run, Role.WORD)
        return
    for character in run:
        yield Word(character, Role.CHARACTER)
    for first, second in pairwise(run):
        yield Word(first + second, Role.PAIR)
