"""Excerpts: the part of a passage that a list of results shows, and where in it the words stand that were looked for."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.finding import Place
from workbench.domain.sentences import sentences
from workbench.domain.words import CJK, is_among, telling, tokens

LENGTH = 320
"""Characters of an excerpt, about."""


class Excerpt(NamedTuple):
    """Characters ``start`` to ``end`` of a passage; ``places`` are those of its words, also in the passage."""

    start: int
    end: int
    places: tuple[Place, ...]


def places_of(query: str, text: str) -> tuple[Place, ...]:
    """Return where ``text`` holds the telling words of ``query`` in any inflection, in order; neighbouring pairs of a script
    without spaces are one place."""
    wanted = telling(query)
    found = [Place(token.start, token.end) for token in tokens(text) if is_among(token.word, wanted)]
    merged: list[Place] = []
    for place in found:
        if merged and place.start < merged[-1].end:
            merged[-1] = Place(merged[-1].start, max(place.end, merged[-1].end))
        else:
            merged.append(place)
    return tuple(merged)


def excerpt(query: str, text: str) -> Excerpt:
    """Return the sentences of ``text`` that hold most of the words of ``query``; its beginning where it holds none."""
    places = places_of(query, text)
    spans = [piece for span in sentences(text) for piece in _pieces(text, *span)] or [Place(0, len(text))]
    windows = [_window(spans, first) for first in range(len(spans))]
    best = max(windows, key=lambda window: (_distinct(text, places, window), -window.start))
    inside = tuple(place for place in places if best.start <= place.start and place.end <= best.end)
    return Excerpt(best.start, best.end, inside)


def _window(spans: Sequence[Place], first: int) -> Place:
    """Return the sentences from ``first`` on that fit into the length of an excerpt, at least one."""
    start, end = spans[first]
    for span in spans[first + 1 :]:
        if span.end - start > LENGTH:
            break
        end = span.end
    return Place(start, end)


def _distinct(text: str, places: Sequence[Place], window: Place) -> int:
    """Count the different words that a window holds."""
    return len({text[start:end].casefold() for start, end in places if window.start <= start and end <= window.end})


def _pieces(text: str, start: int, end: int) -> list[Place]:
    """Cut a sentence that is longer than an excerpt, between words."""
    pieces: list[Place] = []
    while end - start > LENGTH:
        cut = max(text.rfind(mark, start, start + LENGTH) for mark in (" ", "\n"))
        if cut <= start or CJK.match(text, start):
            cut = start + LENGTH
        pieces.append(Place(start, cut))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    return [*pieces, Place(start, end)] if start < end else pieces
