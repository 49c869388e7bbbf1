"""Finding words in a text as a reader does: case, accents, typography and line breaks do not matter."""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

_TYPOGRAPHY = {
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—−", "-"),
}
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?:[ \t]*\n\s*)?(?=[^\W\d_])")
"""A hyphen within a word, also where the line ends there: "sub-contractor" is found as "subcontractor"."""
_SPACE = re.compile(r"[^\S ]\s*| \s+")
"""White space that is not one space already."""


class Place(NamedTuple):
    """Characters ``start`` to ``end`` of a text."""

    start: int
    end: int


def fold(text: str) -> str:
    """Return ``text`` as it is compared: lower case, without accents, one space for any white space."""
    plain = _plain(text)
    return _SPACE.sub(" ", _HYPHEN.sub("", plain) if "-" in plain else plain)


def find(folded: str, text: str) -> list[Place]:
    """Return where ``text`` holds words that were folded before, from the first to the last, none overlapping."""
    # Most pages hold nothing: only those that do pay for knowing where each character comes from.
    if not folded or folded not in fold(text):
        return []
    haystack, places = _fold_with_places(text)
    found: list[Place] = []
    at = haystack.find(folded)
    while at >= 0:
        found.append(Place(places[at], places[at + len(folded) - 1] + 1))
        at = haystack.find(folded, at + len(folded))
    return found


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", text).casefold().translate(_table())


@cache
def _table() -> dict[int, str | None]:
    """Typography becomes plain; marks that stand on a letter and characters without a width go."""
    marks = (code for code in range(0x80, 0x20000) if _is_mark(chr(code)))
    return {**dict.fromkeys(marks, None), **{ord(fine): plain for fine, plain in _TYPOGRAPHY.items()}}


def _is_mark(character: str) -> bool:
    return bool(unicodedata.combining(character)) or unicodedata.category(character) == "Cf"


def _fold_with_places(text: str) -> tuple[str, list[int]]:
    """Fold ``text``, and tell for every character of the result which one of ``text`` it comes from."""
    plain: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        folded = _plain(character)
        plain.append(folded)
        places.extend([place] * len(folded))
    joined = "".join(plain)
    for pattern, kept in ((_HYPHEN, 0), (_SPACE, 1)):
        cuts = [(match.start() + kept, match.end()) for match in pattern.finditer(joined)]
        joined = pattern.sub(" " * kept, joined)
        for start, end in reversed(cuts):
            del places[start:end]
    return joined, places
