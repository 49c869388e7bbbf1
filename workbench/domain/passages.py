"""Passages: which characters of a source support a claim.

First what the claim quotes, letter for letter (case, white space, typography and line-break hyphens aside), also where the
quote begins before the source or goes on after it: a clause may run over several of them. Then the sentence, or the two
adjoining ones, that share most of the claim's words and its figures. A sentence with another figure is no support. Under a
floor nothing is located: no highlight is better than a wrong one.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from workbench.domain.figures import Figure, figures
from workbench.domain.sentences import sentences
from workbench.domain.words import CJK, STOP_WORDS, is_among

Span = tuple[int, int]

FLOOR = 0.45
"""The least share of a claim, by weight, that a sentence must carry."""

_LONG_SENTENCE = 400
"""Longer sentences are looked at by their parts between semicolons."""


def locate(claim: str, chunk_text: str) -> tuple[Span, ...]:
    """Return the spans of ``chunk_text`` that support ``claim``, in order, or none where no passage does."""
    quoted = _quoted(claim, chunk_text)
    if quoted:
        return quoted
    span = _best_sentences(claim, chunk_text)
    return () if span is None else (span,)


# --- quotes ----------------------------------------------------------------------------------------------------------

_QUOTED = re.compile(
    r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」|(?<!\w)\"([^\"]+)\"(?!\w)|(?<!\w)‘([^‘’]+)’(?!\w)"
)
_OUTER = re.compile(r"[“„«「\"](.+)[”“»」\"]", re.DOTALL)
_ELLIPSIS = re.compile(r"\s*(?:\[?(?:\.\.\.|…)\]?)\s*")
_AFTER_QUOTE = re.compile(r"[.,;:!?%)\]”’\"'»]*")


class _Folded(NamedTuple):
    """A text reduced to what must agree in a quote, and for each character left its place in the original."""

    text: str
    places: list[int]


def _fold(text: str) -> _Folded:
    """Keep letters, digits, and what parts two digits; typography, case, accents and white space go."""
    kept: list[str] = []
    places: list[int] = []
    gap = ""
    for place, char in enumerate(text):
        for part in unicodedata.normalize("NFKD", char).casefold():
            if part.isalnum() or part in "%$€£":
                if gap and kept and kept[-1].isdigit() and part.isdigit():
                    kept.append(gap)
                    places.append(place - 1)
                kept.append(part)
                places.append(place)
                gap = ""
            elif not unicodedata.combining(part) and unicodedata.category(part) != "Cf":
                gap = part if part in ".,:/-" else gap or " "
    return _Folded("".join(kept), places)


def _quoted(claim: str, chunk_text: str) -> tuple[Span, ...]:
    """Return where the chunk holds the claim's quotes, or the claim as a whole, word for word."""
    quotes = [
        piece for match in _QUOTED.finditer(claim) for piece in _ELLIPSIS.split(next(filter(None, match.groups())))
    ]
    chunk = _fold(chunk_text)
    spans = _held(quotes, chunk, chunk_text)
    # A quote may hold quoted words itself: then it goes from the first mark to the last one.
    outer = _OUTER.search(claim)
    whole = _held([outer[1]], chunk, chunk_text) if outer else []
    spans = max(spans, whole, key=_length)
    if not spans and _is_telling(claim, 6):
        spans = [span] if (span := _find(claim, chunk, chunk_text)) else []
    return _merged(spans)


def _held(quotes: Iterable[str], chunk: _Folded, chunk_text: str) -> list[Span]:
    return [
        span
        for quote in quotes
        if _is_telling(quote, 3) and (span := _find(quote, chunk, chunk_text) or _part_of(quote, chunk, chunk_text))
    ]


def _length(spans: Iterable[Span]) -> int:
    return sum(end - start for start, end in spans)


_LEAST_PART = 30
"""So many letters of a quote at the edge of a source are no chance."""


def _part_of(quote: str, chunk: _Folded, chunk_text: str) -> Span | None:
    """Return what the chunk holds of a quote that goes beyond it: all of it, its end, or its beginning."""
    needle, held = _fold(quote).text, chunk.text
    if len(held) >= _LEAST_PART and held in needle:
        return chunk.places[0], len(chunk_text.rstrip())
    for length in range(min(len(needle), len(held)) - 1, _LEAST_PART - 1, -1):
        if needle.startswith(held[-length:]) and not _inside_word(chunk_text, chunk.places[-length]):
            return chunk.places[-length], len(chunk_text.rstrip())
        if needle.endswith(held[:length]):
            end = chunk.places[length - 1] + 1
            if not _inside_word(chunk_text, end):
                trailing = _AFTER_QUOTE.match(chunk_text, end)
                return chunk.places[0], trailing.end() if trailing else end
    return None


def _is_telling(quote: str, words: int) -> bool:
    """Tell whether a quote is long enough to be found only where it belongs; a figure counts as two words."""
    found = re.findall(r"\w+", quote)
    return len(found) + any(word[0].isdigit() for word in found) >= words


def _find(quote: str, chunk: _Folded, chunk_text: str) -> Span | None:
    needle = _fold(quote).text
    at = chunk.text.find(needle) if needle else -1
    while at >= 0:
        start, end = chunk.places[at], chunk.places[at + len(needle) - 1] + 1
        if not _inside_word(chunk_text, start) and not _inside_word(chunk_text, end):
            trailing = _AFTER_QUOTE.match(chunk_text, end)
            return start, trailing.end() if trailing else end
        at = chunk.text.find(needle, at + 1)
    return None


def _inside_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


# --- sentences -------------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])(?:-[ \t]*\n[ \t]*|\u00ad\s*)(?=[^\W\d_])")


class _Unit(NamedTuple):
    """A sentence of the chunk (or a part of a long one) as it is compared."""

    start: int
    end: int
    words: frozenset[str]
    figures: frozenset[Figure]


class _Claim(NamedTuple):
    words: frozenset[str]
    figures: frozenset[Figure]


def _content_words(text: str) -> frozenset[str]:
    """Return the words that carry meaning; scripts without spaces give pairs of characters."""
    folded = unicodedata.normalize("NFKC", _LINE_HYPHEN.sub("", text)).casefold()
    words = {
        word for word in _WORD.findall(folded) if word not in STOP_WORDS and len(word) > 1 and not CJK.search(word)
    }
    for run in re.findall(rf"{CJK.pattern}+", folded):
        words.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    return frozenset(words)


def _units(text: str) -> list[_Unit]:
    spans: list[Span] = []
    for start, end in sentences(text):
        cuts = (
            [m.end() for m in re.finditer(r";\s+(?:and\s+|or\s+)?", text[start:end])]
            if end - start > _LONG_SENTENCE
            else []
        )
        edges = [start, *(start + cut for cut in cuts), end]
        spans.extend((low, high) for low, high in pairwise(edges) if low < high)
    return [_unit(text, start, start + len(text[start:end].rstrip())) for start, end in spans]


def _unit(text: str, start: int, end: int) -> _Unit:
    return _Unit(start, end, _content_words(text[start:end]), figures(text[start:end]))


def _best_sentences(claim_text: str, chunk_text: str) -> Span | None:
    claim = _Claim(_content_words(claim_text), figures(claim_text))
    if not claim.words and not claim.figures:
        return None
    units = _units(chunk_text)
    weights = _weights(claim, units)
    scored = [(score, unit) for unit in units if (score := _score(claim, unit, weights)) >= FLOOR]
    pairs = [
        pair
        for pair in (_joined(first, second) for first, second in pairwise(units))
        if _is_one_paragraph(chunk_text, pair)
    ]
    scored_pairs = [(score, pair) for pair in pairs if (score := _score(claim, pair, weights)) >= FLOOR]
    best = max(scored, key=lambda found: found[0], default=None)
    best_pair = max(scored_pairs, key=lambda found: found[0], default=None)
    if best is None and best_pair is None:
        return None
    # Two sentences must say clearly more than one: the smaller highlight is the better one.
    if best_pair is not None and (best is None or best_pair[0] >= best[0] + 0.25):
        best = best_pair
    return None if best is None else (best[1].start, best[1].end)


def _joined(first: _Unit, second: _Unit) -> _Unit:
    return _Unit(first.start, second.end, first.words | second.words, first.figures | second.figures)


def _is_one_paragraph(text: str, pair: _Unit) -> bool:
    return re.search(r"\n\s*\n", text[pair.start : pair.end]) is None


def _weights(claim: _Claim, units: Sequence[_Unit]) -> dict[str, float]:
    """Weigh each word of the claim: words of many sentences tell little, and so do words the passage lacks.

    The latter are names of documents and parties, or the model's own wording.
    """
    counts = Counter(word for unit in units for word in claim.words if is_among(word, unit.words))
    total = len(units)
    return {
        word: math.log(1 + total / counts[word]) / math.log(1 + total) if counts[word] else 0.5 for word in claim.words
    }


_FIGURE_WEIGHT = 2.0


def _score(claim: _Claim, unit: _Unit, weights: dict[str, float]) -> float:
    """Return the share of the claim that ``unit`` carries, from 0 to 1; 0 where it cannot be the support."""
    matched = {word for word in claim.words if is_among(word, unit.words)}
    agreeing = {figure for figure in claim.figures if _any_agrees(unit.figures, figure)}
    evidence = len(matched) + sum(2 if figure.telling else 1 for figure in agreeing)
    if evidence < 2 or not _admissible(claim, unit, agreeing):
        return 0.0
    carried = sum(weights[word] for word in matched) + sum(map(_figure_weight, agreeing))
    wanted = sum(weights.values()) + sum(map(_figure_weight, claim.figures))
    return carried / wanted


def _admissible(claim: _Claim, unit: _Unit, agreeing: set[Figure]) -> bool:
    """Tell whether the figures allow support: one of the claim's must stand there, and none of its may be contradicted.

    Contradicted is a figure that the unit lacks while it has another one of the same kind that the claim knows nothing of.
    """
    required = _strongest(claim.figures)
    if required and not required & agreeing:
        return False
    strangers = {figure.unit for figure in unit.figures if figure.unit and not _any_agrees(claim.figures, figure)}
    return not any(figure.unit in strangers for figure in claim.figures - agreeing)


def _strongest(claimed: frozenset[Figure]) -> set[Figure] | frozenset[Figure]:
    """Return the figures that the claim is about: amounts and periods if there are any, then bare numbers, then dates."""
    stated = {figure for figure in claimed if not figure.in_passing}
    return {figure for figure in stated if figure.telling} or stated or claimed


def _any_agrees(held: Iterable[Figure], figure: Figure) -> bool:
    return any(figure.agrees(other) for other in held)


def _figure_weight(figure: Figure) -> float:
    return _FIGURE_WEIGHT / 2 if figure.in_passing else _FIGURE_WEIGHT
