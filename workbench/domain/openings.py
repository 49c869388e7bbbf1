"""Openings: what rules look at to tell what a document is: its name, its title, its first pages, its clause on the law."""

import re
from enum import StrEnum
from typing import NamedTuple

from workbench.domain.values import Value

_QUOTE = 160


class Place(NamedTuple):
    """A text of a document and the physical page it stands on."""

    page: int
    text: str


class Opening(NamedTuple):
    """The parts of a document that tell what it is. ``laws`` are passages that may name the governing law."""

    name: str
    title: str = ""
    pages: tuple[Place, ...] = ()
    laws: tuple[Place, ...] = ()


class Source(StrEnum):
    """What a finding rests on."""

    PAGE = "page"
    TITLE = "title"
    NAME = "file name"


class Found(Value):
    """What a rule found: the value, the words it rests on, and where they stand. ``page`` is None where that is no page."""

    value: str
    quote: str
    page: int | None = None
    source: Source = Source.PAGE


def quoted(text: str, start: int = 0, end: int | None = None) -> str:
    """Return characters ``start`` to ``end`` of a text on one line, cut to a length that a person reads at a glance."""
    if start and not text[start - 1].isspace():
        start = next((index for index in range(start, len(text)) if text[index].isspace()), start)
    words = " ".join(text[start:end].split())
    return words if len(words) <= _QUOTE else f"{words[:_QUOTE].rsplit(' ', 1)[0]} …"


def name_words(name: str) -> list[str]:
    """Return the words of a file's name in lower case, without its extension: also of "PriceList_2025.xlsx"."""
    stem = name.rpartition(".")[0] or name
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", stem)
    return [word for word in re.split(r"[\W_]+", parted.casefold()) if word]
