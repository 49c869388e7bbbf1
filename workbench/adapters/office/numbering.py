"""Numbers of paragraphs in Word documents: "7.2" is not written in the text but counted by the program that shows it."""

import re
from typing import NamedTuple

from workbench.adapters.office.ooxml import Element, attribute, child, local

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
_ROMAN_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_LEVELS = 9


class _Level(NamedTuple):
    start: int
    form: str
    text: str
    style: str


class Numbering:
    """Counts the paragraphs of every list as Word does. Feed it the paragraphs in order, each once."""

    def __init__(self, root: Element | None) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._list_of: dict[str, str] = {}
        self._starts: dict[tuple[str, int], int] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()
        for each in root if root is not None else ():
            if local(each) == "abstractNum":
                self._levels[attribute(each, "abstractNumId") or ""] = _levels(each)
            elif local(each) == "num":
                self._add_list(each)

    def _add_list(self, num: Element) -> None:
        number = attribute(num, "numId") or ""
        reference = child(num, "abstractNumId")
        self._list_of[number] = (attribute(reference, "val") or "") if reference is not None else ""
        for override in num:
            start = child(override, "startOverride")
            if local(override) == "lvlOverride" and start is not None:
                self._starts[number, _int(attribute(override, "ilvl"))] = _int(attribute(start, "val"), 1)

    def level_of_style(self, number: str, style: str) -> int | None:
        """Return the level of a list that a paragraph style is tied to, or None."""
        levels = self._levels.get(self._list_of.get(number, ""), {})
        return next((index for index, level in levels.items() if level.style == style), None)

    def next(self, number: str, level: int) -> str:
        """Count one paragraph of list ``number`` at a level (from 0) and return what is shown before it."""
        abstract = self._list_of.get(number, "")
        levels = self._levels.get(abstract)
        if not levels or level not in levels:
            return ""
        counts = self._counts.setdefault(abstract, [None] * _LEVELS)
        override = self._starts.get((number, level))
        if override is not None and (number, level) not in self._begun:
            counts[level] = None
        self._begun.add((number, level))
        current = counts[level]
        start = levels[level].start if override is None else override
        counts[level] = start if current is None else current + 1
        for deeper in range(level + 1, _LEVELS):
            counts[deeper] = None
        return _shown(levels, counts, level)


def _levels(abstract: Element) -> dict[int, _Level]:
    found: dict[int, _Level] = {}
    for each in abstract:
        if local(each) == "lvl":
            values = {local(part): attribute(part, "val") or "" for part in each}
            found[_int(attribute(each, "ilvl"))] = _Level(
                _int(values.get("start"), 1),
                values.get("numFmt", "decimal"),
                values.get("lvlText", ""),
                values.get("pStyle", ""),
            )
    return found


def _shown(levels: dict[int, _Level], counts: list[int | None], level: int) -> str:
    if levels[level].form == "bullet":
        return "•"

    def number(match: re.Match[str]) -> str:
        index = int(match.group(1)) - 1
        of = levels.get(index)
        if of is None:
            return ""
        count = counts[index]
        return _formed(of.start if count is None else count, of.form)

    return re.sub(r"%([1-9])", number, levels[level].text)


def _formed(count: int, form: str) -> str:
    if form == "none":
        return ""
    if form == "decimalZero":
        return f"{count:02d}"
    if form in {"lowerLetter", "upperLetter"}:
        letters = chr(97 + (count - 1) % 26) * ((count - 1) // 26 + 1) if count > 0 else ""
        return letters.upper() if form == "upperLetter" else letters
    if form in {"lowerRoman", "upperRoman"}:
        return _roman(count).upper() if form == "upperRoman" else _roman(count)
    return str(count)


def _roman(count: int) -> str:
    letters = ""
    for value, sign in _ROMAN:
        while count >= value:
            letters += sign
            count -= value
    return letters + _ROMAN_ONES[max(count, 0)]


def _int(text: str | None, default: int = 0) -> int:
    return int(text) if text and text.lstrip("-").isdigit() else default
