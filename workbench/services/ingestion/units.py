"""Units: sentences, table rows and pieces of them, with their token counts. No unit is too long for a chunk."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from workbench.domain.chunks import Segment

CountTokens = Callable[[Sequence[str]], list[int]]
"""Counts the tokens of each text as the embedding model does, with the marks it puts around a passage."""
_CLAUSE_MARK = re.compile(r"[;,:)\t]$")


class Unit(NamedTuple):
    """A sentence, a table row, or a piece of one: what is never cut again. It has two segments over a page break."""

    segments: tuple[Segment, ...]
    tokens: int


class TokenCounter:
    """Counts tokens of slices, and cuts slices that hold too many."""

    def __init__(self, count_tokens: CountTokens, texts: Mapping[int, str], limit: int) -> None:
        self._count_tokens = count_tokens
        self._marks = count_tokens([""])[0]
        self._texts = texts
        self.limit = limit

    def limited(self, limit: int) -> "TokenCounter":
        """Return a counter of the same texts with another limit."""
        return TokenCounter(self._count_tokens, self._texts, limit)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count without the marks that the model puts around every passage."""
        return [max(tokens - self._marks, 0) for tokens in self._count_tokens(texts)] if texts else []

    def units(self, segments: Sequence[Segment]) -> list[list[Unit]]:
        """Return the units of each segment: itself where it is within the limit, else its pieces."""
        counts = self.count([self._slice(segment) for segment in segments])
        return [self._fit(segment, tokens) for segment, tokens in zip(segments, counts, strict=True)]

    def _fit(self, segment: Segment, tokens: int) -> list[Unit]:
        if tokens <= self.limit:
            return [Unit((segment,), tokens)]
        words = [
            Segment(page=segment.page, start=segment.start + found.start(), end=segment.start + found.end())
            for found in re.finditer(r"[^\S\t]*\t?\S+", self._slice(segment))
        ]
        counts = self.count([self._slice(word) for word in words])
        if len(words) == 1:
            return [
                unit for half in halved(segment, True) for unit in self._fit(half, self.count([self._slice(half)])[0])
            ]
        pieces: list[Unit] = []
        start = total = 0
        for index, count in enumerate(counts):
            if total + count > self.limit and index > start:
                cut = self._cut(words, start, index)
                pieces += self._fit_words(words[start:cut], counts[start:cut])
                start, total = cut, sum(counts[cut:index])
            total += count
        return pieces + self._fit_words(words[start:], counts[start:])

    def _cut(self, words: Sequence[Segment], start: int, end: int) -> int:
        """Return where to cut before ``end``: after a clause mark in the last third if there is one."""
        for index in range(end, start + 2 * (end - start) // 3, -1):
            if _CLAUSE_MARK.search(self._slice(words[index - 1])):
                return index
        return end

    def _fit_words(self, words: Sequence[Segment], counts: Sequence[int]) -> list[Unit]:
        if len(words) == 1 and counts[0] > self.limit:
            return self._fit(words[0], counts[0])
        span = Segment(page=words[0].page, start=words[0].start, end=words[-1].end)
        return [Unit((_trimmed(self._texts, span),), sum(counts))]

    def _slice(self, segment: Segment) -> str:
        return self._texts[segment.page][segment.start : segment.end]


def merged(units: Sequence[Unit]) -> tuple[Segment, ...]:
    """Return one segment a page, from the first unit on it to the last."""
    segments: list[Segment] = []
    for segment in (segment for unit in units for segment in unit.segments):
        if segments and segments[-1].page == segment.page:
            segments[-1] = Segment(page=segment.page, start=segments[-1].start, end=segment.end)
        else:
            segments.append(segment)
    return tuple(segments)


def joined_text(texts: Mapping[int, str], segments: Sequence[Segment]) -> str:
    return "\n".join(texts[segment.page][segment.start : segment.end] for segment in segments)


def halved(segment: Segment, cut: bool) -> list[Segment]:
    if not cut:
        return [segment]
    middle = (segment.start + segment.end) // 2
    return [
        Segment(page=segment.page, start=segment.start, end=middle),
        Segment(page=segment.page, start=middle, end=segment.end),
    ]


def _trimmed(texts: Mapping[int, str], segment: Segment) -> Segment:
    text = texts[segment.page][segment.start : segment.end]
    return Segment(
        page=segment.page,
        start=segment.start + len(text) - len(text.lstrip()),
        end=segment.start + len(text.rstrip()),
    )
