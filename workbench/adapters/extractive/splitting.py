"""Splitting a passage into sentences fit to be quoted: verbatim slices of it, each with the heading it stands under."""

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from workbench.adapters.extractive.words import one_line, tokens
from workbench.domain.sentences import sentences

_NUMBER = (
    r"(?:(?:section|article|clause)[ \t]+)?\d{1,2}(?:\.\d{1,3})*[.)]?(?=\s)"
    r"|\([a-z0-9]{1,4}\)|[a-z]\.(?:\d{1,2})?(?=\s)|[•▪‣–*-](?=\s)"
)
_ITEM = re.compile(rf"^[ \t]*(?:{_NUMBER})(?=\s)", re.MULTILINE | re.IGNORECASE)
_LABEL = re.compile(rf"\s*[“\"]?(?:{_NUMBER})\s*", re.IGNORECASE)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LONGEST_UNSTOPPED = 40
_PER_CENT = re.compile(r"per cent\.$", re.IGNORECASE)
_LEADERS = re.compile(r"(?:\.\s?){5,}|_{3,}")
_SIGNATURE = re.compile(r"^\s*(?:by|name|title|date|its|signed|signature|attest|witness)\s*:", re.IGNORECASE)
_MARKER_LIKE = re.compile(r"[\[［【]\s*s\d", re.IGNORECASE)


class Sentence(NamedTuple):
    """A sentence of a passage: characters ``start`` to ``end`` of it, and its text on one line.

    ``heading`` is the title that stands over it; ``joined`` is where that title starts when it runs in the same paragraph,
    so that both can be quoted as one piece.
    """

    start: int
    end: int
    text: str
    heading: str = ""
    joined: int | None = None

    @property
    def complete(self) -> bool:
        """Tell whether it starts like a sentence and ends like one."""
        opens = self.text.lstrip("“\"‘'([")[:1]
        closes = self.text.rstrip("”\"’')] ")[-1:]
        return not opens.islower() and closes in tuple(".?!:;")


def split(passage: str) -> list[Sentence]:
    """Return the quotable sentences of ``passage`` in order.

    Headings, contents lists and signature lines are left out, and so is any text that looks like one of our own markers.
    """
    found: list[Sentence] = []
    heading, joined, last = "", None, 0
    for start, end in _pieces(passage):
        text = one_line(passage[start:end])
        if joined is not None and _PARAGRAPH.search(passage, last, start):
            joined = None
        last = end
        if is_heading(text):
            heading, joined = text, start
        elif _quotable(text):
            found.append(Sentence(start, end, text, heading, joined))
    return found


def is_heading(text: str) -> bool:
    """Tell whether a piece is a title: short, without a figure, and mostly capitalised."""
    words = [token.text for token in tokens(text)]
    if not words or len(words) > 9 or any(character.isdigit() for character in text):
        return False
    long_words = [word for word in words if len(word) > 3]
    capitals = sum(word[0].isupper() for word in long_words)
    if text.rstrip().endswith((".", ":")):
        return len(words) <= 6 and capitals >= 0.6 * len(long_words)
    if text.rstrip().endswith((";", ",", "?", "!")) or not words[0][0].isupper():
        return False
    return len(words) <= 6 or capitals >= 0.5 * len(long_words)


def _quotable(text: str) -> bool:
    if len(tokens(text)) < 3:
        return False
    return not (_LEADERS.search(text) or _SIGNATURE.search(text) or _MARKER_LIKE.search(text))


def _pieces(passage: str) -> Iterator[tuple[int, int]]:
    """The sentences, cut before each item of a list, without the clause numbers before them."""
    items = [match.start() for match in _ITEM.finditer(passage)]
    for low, high in _whole(passage):
        borders = [low, *(start for start in items if low < start < high), high]
        for start, end in itertools.pairwise(borders):
            for first, last in _rows(passage, start, end):
                inner = _after_labels(passage, first, last)
                close = _before_stray_quote(passage, inner, last)
                if close > inner:
                    yield inner, close


def _rows(passage: str, start: int, end: int) -> list[tuple[int, int]]:
    """A long piece without a full stop is a table or a list: its lines stand for themselves."""
    text = passage[start:end].rstrip()
    if len(text.split()) <= _LONGEST_UNSTOPPED or text.endswith((".", "?", "!", ":", ";", "”", '"')):
        return [(start, end)]
    borders = [start, *(start + match.end() for match in re.finditer(r"\n", text)), end]
    return list(itertools.pairwise(borders))


def _before_stray_quote(passage: str, start: int, end: int) -> int:
    """The end without white space, and without a closing quotation mark whose opening one stands elsewhere."""
    text = passage[start:end].rstrip()
    if text.endswith("”") and text.count("”") > text.count("“"):
        text = text[:-1]
    return start + len(text)


def _whole(passage: str) -> Iterator[tuple[int, int]]:
    """The sentences; "two per cent. (2%) of" is one, though its full stop looks like an end."""
    held: tuple[int, int] | None = None
    for low, high in sentences(passage):
        start = low if held is None else held[0]
        held = (start, high)
        if not (_PER_CENT.search(passage, start, high) and passage.startswith("(", high + 1)):
            yield held
            held = None
    if held is not None:
        yield held


def _after_labels(passage: str, start: int, end: int) -> int:
    while (match := _LABEL.match(passage, start, end)) and match.end() > start:
        start = match.end()
    while start < end and passage[start].isspace():
        start += 1
    return start
