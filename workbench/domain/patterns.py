"""Patterns: regular expressions built together with ones for their beginnings.

The beginnings tell, of a text that is still arriving, whether it can yet become a match.
"""

import re
from typing import NamedTuple


class Pattern(NamedTuple):
    """A regular expression, and one that matches every beginning of what it matches (the empty and the whole one too)."""

    full: str
    begun: str


def char(members: str) -> Pattern:
    """One character of a class, written as between square brackets."""
    return Pattern(f"[{members}]", f"[{members}]?")


def word(text: str) -> Pattern:
    begun = ""
    for letter in reversed(text):
        begun = f"(?:{re.escape(letter)}{begun})?"
    return Pattern(re.escape(text), begun)


def words(*texts: str) -> Pattern:
    """Any one of the words."""
    return either(*(word(text) for text in texts))


def either(*choices: Pattern) -> Pattern:
    return Pattern(f"(?:{'|'.join(c.full for c in choices)})", f"(?:{'|'.join(c.begun for c in choices)})")


def then(*parts: Pattern) -> Pattern:
    """All parts, one after the other."""
    full, begun = "", []
    for part in parts:
        begun.append(full + part.begun)
        full += part.full
    return Pattern(full, f"(?:{'|'.join(reversed(begun))})")


def times(part: Pattern, low: int, high: int) -> Pattern:
    """From ``low`` to ``high`` repetitions; ``high`` is at least 1."""
    return Pattern(f"(?:{part.full}){{{low},{high}}}", f"(?:{part.full}){{0,{high - 1}}}{part.begun}")


def maybe(part: Pattern) -> Pattern:
    return times(part, 0, 1)
