"""The notions a question asks about, and how far a sentence deals with them."""

import re

from workbench.adapters.extractive.lexicon import BY_NAME, DATE, LEXICON, MONEY, SPAN, Concept
from workbench.services.retrieval.notions import WEAKEST, notions_of

_WEAK_LIMIT = 0.5
"""The most evidence that the weakest notion gives: by itself it tells little."""

_FRONT = frozenset(["parties", "date of the agreement", "effective date"])

SETTLES = 0.9
"""The evidence of a sentence that settles a notion, from here on."""

_CUES = (
    (r"\bwhen\b|\bdated?\b|deadline|\bday\b", rf"{DATE}|{SPAN}"),
    (
        r"how (?:much|many)|amount|\bcosts?\b|\bprices?\b|\bfees?\b|\bcap\b|capped|percent|\brates?\b|interest",
        rf"{MONEY}|\b\d[\d,.]*\b",
    ),
    (r"how (?:long|soon)|duration|period|within how many|notice|\bterm\b|expire", rf"{SPAN}|{DATE}"),
    (r"(?:which|what|whose)\b.{0,30}\blaw|governing law", r"\blaws?\b"),
)
CUES = tuple((re.compile(asks, re.IGNORECASE), re.compile(gives, re.IGNORECASE)) for asks, gives in _CUES)
"""Kinds of answer: what in a question asks for one, and what in a sentence gives one."""


def asked(question: str) -> tuple[Concept, ...]:
    """Return the notions ``question`` asks about; a wider notion gives way to a narrower one."""
    return tuple(BY_NAME[notion.name] for notion in notions_of(question))


def evidence(concepts: tuple[Concept, ...], sentence: str, heading: str) -> float:
    """Return how far a sentence under its heading deals with any of the notions: 0 not at all, 1 it settles one."""
    best = 0.0
    for concept in concepts:
        limit = _WEAK_LIMIT if concept.name == WEAKEST else 1.0
        named = bool(heading and concept.says.search(heading))
        if concept.clinches.search(sentence):
            best = max(best, min(limit, 1.0 if named else SETTLES))
        elif concept.says.search(sentence):
            best = max(best, min(limit, 0.6 if named else 0.4))
        elif named:
            best = max(best, 0.45)
    return best


def decisive(concepts: tuple[Concept, ...]) -> bool:
    """Tell whether there is a notion whose wording settles what answers the question."""
    return any(concept.name != WEAKEST for concept in concepts)


def on_front(concepts: tuple[Concept, ...]) -> bool:
    """Tell whether contracts settle one of these notions on their first pages, in words that searches seldom rank high."""
    return any(concept.name in _FRONT for concept in concepts)


def cued(question: str, sentence: str) -> float:
    """Return 1 where the sentence gives the kind of thing the question asks for, 0 where not, 0.5 where it asks for none."""
    wanted = [gives for asks, gives in CUES if asks.search(question)]
    if not wanted:
        return 0.5
    return 1.0 if any(gives.search(sentence) for gives in wanted) else 0.0


def known_words() -> frozenset[str]:
    """Return the words that the notions use in plain writing; spelling never changes them."""
    return frozenset(word for concept in LEXICON for word in f"{concept.name} {concept.terms}".casefold().split())
