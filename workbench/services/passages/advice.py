"""What helps where little was found: words of the collection for those it does not have, and filters to take off."""

from collections.abc import Mapping

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from workbench.domain.scope import Filters
from workbench.domain.words import folded, tokens
from workbench.services.passages.found import Suggestion, active
from workbench.services.passages.query import PassageQuery

_SHORTEST = 4
"""Shorter words have too many neighbours to guess from."""
_NAMES = {"tags": "the tags", "document_ids": "the choice of documents", "language": "the language"}


def respelt(query: PassageQuery, vocabulary: Mapping[str, int]) -> Suggestion | None:
    """Suggest the nearest words of the collection for those it does not have; None where there is nothing to suggest."""
    known: dict[str, tuple[int, str]] = {}
    for word, count in vocabulary.items():
        known[folded(word)] = max((count, word), known.get(folded(word), (0, "")))
    text = query.text
    for token in reversed(tokens(query.text)):
        better = _nearest(token.word, known)
        if better:
            text = f"{text[: token.start]}{better}{text[token.end :]}"
    if text == query.text:
        return None
    return Suggestion(text=f"Did you mean ‘{text}’?", query=_first_page(query, text=text))


def _nearest(word: str, known: Mapping[str, tuple[int, str]]) -> str:
    if len(word) < _SHORTEST or not word.isalpha() or word in known:
        return ""
    allowed = 1 if len(word) < 8 else 2
    near = process.extract(word, known.keys(), scorer=DamerauLevenshtein.distance, score_cutoff=allowed, limit=8)
    best = min(near, key=lambda found: (found[1], -known[found[0]][0], found[0]), default=None)
    return "" if best is None else known[best[0]][1]


def wider(query: PassageQuery, counts: Mapping[str, int], searched: int) -> list[Suggestion]:
    """Suggest to take off each filter that keeps documents out; ``counts`` says how many there are without it.

    The names are fields of Filters, both dates as "dates".
    """
    return [
        Suggestion(
            text=f"Without {_NAMES.get(name, 'the dates')}: {count - searched} more to search",
            query=_first_page(query, filters=without(query, name)),
        )
        for name, count in counts.items()
        if count > searched
    ]


def removable(query: PassageQuery) -> list[str]:
    """Return the filters of a query that can be taken off, both dates as "dates"."""
    names = ["dates" if name.startswith("date_") else name for name in active(query.filters)]
    return list(dict.fromkeys(names))


def without(query: PassageQuery, name: str) -> Filters:
    """Return the filters of a query without one."""
    cleared: dict[str, object] = {"date_from": None, "date_to": None} if name == "dates" else {name: None}
    if name == "tags":
        cleared = {"tags": {}}
    return query.filters.model_copy(update=cleared)


def _first_page(query: PassageQuery, **changes: object) -> PassageQuery:
    return query.model_copy(update={"page": 1, **changes})
