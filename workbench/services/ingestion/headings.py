"""Headings: how contracts and reports number and name their sections."""

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from workbench.domain.pages import Bookmark

_PART = re.compile(
    r"(?P<kind>schedule|annex|appendix|exhibit|attachment|addendum)\s+(?P<number>\d{1,2}|[IVXLC]{1,6}|[A-Z])\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(
    r"(?P<kind>article|section|clause|part|chapter)\s+(?P<number>\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}|[A-Z])\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s+(?P<rest>\S.*)", re.DOTALL)
_RUN_IN = re.compile(r"(?P<title>[^.:;\n]{3,80})[.:](?=\s|$)")
_VERB = re.compile(r"\b(?:shall|will|may|must|is|are|was|were|has|have|agrees?|means|hereby|does|can)\b")
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}|\t")
_NAME_ENDS = re.compile(r"\s*[.:–—]")
_SMALL = frozenset("a an and as at but by for from in into of on or the to upon via with".split())
_MAX_WORDS = 10


class Level(IntEnum):
    PART = 0
    SECTION = 1
    CLAUSE = 2


class Heading(NamedTuple):
    """``text`` is what the context line shows: "Section 7 Limitation of Liability". ``bare`` ones have a number only."""

    level: Level
    text: str
    bare: bool = False
    numbered: bool = True


def heading(text: str) -> Heading | None:
    """Return the heading a paragraph is or begins with, or None.

    Known forms: numbered clauses alone or run in ("7.2 Late Payment. The Customer ..."), article, section, schedule, annex,
    exhibit and the like, and short lines in capitals or with capital initials.
    """
    line = text.split("\n", 1)[0].strip()
    if not line or _LEADERS.search(line):
        return None
    for pattern, level in ((_PART, Level.PART), (_SECTION, Level.SECTION)):
        match = pattern.fullmatch(line)
        if match:
            return _named(match, level)
    match = _NUMBERED.fullmatch(line)
    if match:
        return _clause(match)
    return _unnumbered(line) if "\n" not in text else None


def bookmarked(text: str, bookmarks: Sequence[Bookmark]) -> Heading | None:
    """Return the heading of a paragraph that a bookmark of its page names, alone or before the text that follows at once."""
    line = text.split("\n", 1)[0]
    for mark in bookmarks:
        title, rest = _letters(mark.title), _letters(line)
        if len(title) < 4 or not rest.startswith(title):
            continue
        if rest == title or _NAME_ENDS.match(line, _after(line, len(title))):
            level = Level.SECTION if mark.level == 1 else Level.CLAUSE
            return Heading(level, _cased(mark.title), numbered=mark.level == 1)
    return None


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _after(line: str, letters: int) -> int:
    """Return the place after that many letters and digits of a line."""
    for place, character in enumerate(line):
        letters -= len(_letters(character))
        if letters <= 0:
            return place + 1
    return len(line)


def named_below(text: str) -> Heading | None:
    """Return the short line under a bare "Schedule 2" or "ARTICLE VII" as its name, or None where text begins at once."""
    words = text.split()
    if "\n" in text or len(words) > _MAX_WORDS or text[-1] in ".,;:" or not text[:1].isupper() or _VERB.search(text):
        return None
    return Heading(Level.SECTION, _cased(text), numbered=False)


def _named(match: re.Match[str], level: Level) -> Heading | None:
    """Read "ARTICLE VII - INDEMNIFICATION"; refuse a sentence that merely begins so ("Section 7 applies to ...")."""
    name = f"{match['kind'].capitalize()} {match['number'].upper()}"
    rest = match["rest"].strip(" .:-–—\t")
    if not rest:
        return Heading(level, name, bare=True)
    title = _title(rest)
    if title is None:
        return None
    if "." in match["number"]:
        level = Level.CLAUSE
    return Heading(level, f"{name} {title}")


def _clause(match: re.Match[str]) -> Heading | None:
    title = _title(match["rest"].strip())
    if title is None:
        return None
    number = match["number"]
    top = "." not in number or number.endswith(".0")
    return Heading(Level.SECTION if top else Level.CLAUSE, f"Section {number} {title}")


def _title(rest: str) -> str | None:
    """Return the title at the start of ``rest``: all of a short line, or what stands before its first full stop."""
    run_in = _RUN_IN.match(rest)
    title = run_in["title"].strip() if run_in else rest.rstrip(" .:")
    alone = run_in is None or run_in.end() == len(rest)
    words = title.split()
    if not words or len(words) > _MAX_WORDS or not title[0].isupper() or _VERB.search(title):
        return None
    if not alone and not _capitalised(words):
        return None
    return _cased(title)


def _unnumbered(line: str) -> Heading | None:
    words = line.split()
    letters = [character for character in line if character.isalpha()]
    if not 1 <= len(words) <= _MAX_WORDS or len(letters) < 5 or line[-1] in ".,;:" or _VERB.search(line):
        return None
    if any(character.isdigit() for character in line) or "_" in line:
        return None
    capitals = all(character.isupper() for character in letters)
    if capitals or (len(words) > 1 and line[0].isupper() and _capitalised(words)):
        return Heading(Level.SECTION, _cased(line), numbered=False)
    return None


def _capitalised(words: list[str]) -> bool:
    return all(word[:1].isupper() or word.lower() in _SMALL or not word[:1].isalpha() for word in words)


def _cased(title: str) -> str:
    """Write a title in capitals the usual way, so that context lines look alike."""
    if not title.isupper():
        return title
    words = title.split()
    return " ".join(
        word.lower() if index and word.lower() in _SMALL else word.capitalize() for index, word in enumerate(words)
    )
