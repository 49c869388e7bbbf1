"""Hyphens at line ends: whether a word was cut there ("agree-/ment") or is written with a hyphen ("long-/term").

The rule, in order:

1. a digit on either side keeps the dash ("10-/12"), and so does a capital after it ("Anglo-/American");
2. a hyphen elsewhere in either part keeps it ("state-of-/the-art");
3. the document decides, where it writes the word elsewhere within a line: the commoner form wins;
4. a first part that makes compounds in legal and business English ("self-", "non-", "third-") keeps it;
5. otherwise the word was cut, and the parts are joined.

A hanging hyphen ("pre- and post-closing") is no line break: its space stays.
"""

import re
from collections import Counter
from collections.abc import Iterable

from workbench.adapters.pymupdf.characters import HYPHENS, SOFT_HYPHEN

_CUT = re.compile(rf"[^\W_][{HYPHENS}]$")
_HANGING = {"and", "or", "to", "und", "oder", "et", "ou", "y", "o"}
_COMPOUNDING = frozenset(
    "all cross ex first fixed follow force free full good half hard high long low lump multi non off one open past quasi "
    "real second self semi short single state third time top two user value well wholly world".split()
)
_EDGES = "\"'“”‘’()[]{}.,;:!?"


def vocabulary(words: Iterable[str]) -> Counter[str]:
    """Count a document's words as written within lines, to be asked by :func:`joint`."""
    return Counter(word.strip(_EDGES).casefold() for word in words)


def joint(left: str, right: str, known: Counter[str]) -> tuple[str, str]:
    """Return the last word of a line as it reads in the text, and what stands between it and the next line's first word.

    The separator is empty where the two make one word, and a space otherwise.
    """
    if not _CUT.search(left) or not right or right.casefold().strip(_EDGES) in _HANGING:
        return left.replace(SOFT_HYPHEN, "-"), " "
    stem, first = left[:-1], right[0]
    if not first.isalnum():
        return left.replace(SOFT_HYPHEN, "-"), " "
    if left[-1] == SOFT_HYPHEN and stem[-1].isalpha() and first.islower():
        return stem, ""
    if _written_with_hyphen(stem, right, known):
        return f"{stem}-", ""
    return stem, ""


def _written_with_hyphen(stem: str, right: str, known: Counter[str]) -> bool:
    if stem[-1].isdigit() or not right[0].islower() or any(mark in stem or mark in right for mark in HYPHENS):
        return True
    start, end = stem.lstrip(_EDGES).casefold(), right.rstrip(_EDGES).casefold()
    with_hyphen, without = known[f"{start}-{end}"], known[f"{start}{end}"]
    if with_hyphen != without:
        return with_hyphen > without
    return start in _COMPOUNDING
