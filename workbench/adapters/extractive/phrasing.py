"""Phrasing: how questions are worded — comparing, going on from the last one, counting, asking several things at once."""

import re

from workbench.adapters.extractive.concepts import asked
from workbench.adapters.extractive.naming import tidy
from workbench.adapters.extractive.words import content

_NUMBERS = {word: n for n, word in enumerate("two three four five six seven eight nine ten".split(), 2)}
_COUNT = "|".join([*_NUMBERS, r"\d{1,2}"])
_THINGS = r"(?:contracts|agreements|suppliers|vendors|providers|companies|documents)"
_THING = r"(?:contracts?|agreements?|suppliers?|vendors?|providers?|compan(?:y|ies)|documents?)"
_OURS = (
    r"(?:(?:all|each|every|both)\s+)?(?:of\s+)?(?:(?:the|our|these|those|my)\s+)?"
    rf"(?:(?:last|latest|recent|newest|most recent)\s+)?(?:(?:{_COUNT})\s+)?(?:[a-z]+\s+)?"
)
_SUPERLATIVE = r"\b(?:cheap|high|low|long|short|larg|small|strict|great|b)e?st\b"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_COMPARING = _any(
    r"\bcompar(?:e|es|ing|ison)\b",
    r"\bcontrast\b",
    r"\bdiffer(?:s|ence|ences)?\b",
    r"\bversus\b|\bvs\b",
    rf"\bwhich\s+(?:of\s+)?{_OURS}{_THING}\b",
    rf"\b(?:across|each of|every|each|all)\s+{_OURS}{_THING}\b",
    rf"\b(?:our|these|those)\s+(?:[a-z]+\s+){{0,3}}{_THINGS}\b",
)
_WANTED = _any(rf"\b({_COUNT})\s+(?:[a-z]+\s+){{0,2}}?{_THINGS}\b")
_LATEST = _any(rf"\b(?:last|latest|most recent|newest)\s+(?:(?:{_COUNT})\s+)?(?:[a-z]+\s+)?{_THING}\b")
_GOING_ON = _any(
    r"^\s*(?:and|but|so|also|ok(?:ay)?|then|now)\b",
    r"^\s*(?:what|how)\s+about\b",
    r"\b(?:this|that|the same|these|those)\s+(?:one|ones|contracts?|agreements?|suppliers?|clauses?|documents?)\b",
    r"^\s*(?:tell me more|more|go on|continue)\b",
)
_PRONOUN = _any(r"\b(?:it|its|they|their|them)\b")
_OWN_SUBJECT = _any(rf"\b(?:part(?:y|ies)|customer|buyer|seller|licen[sc]ee|licen[sc]or|{_THING})\b")
_CURRENT = _any(r"\b(?:now|current(?:ly)?|today|in force|as amended|at present|still|changed|amend\w*)\b")
_BEYOND = _any(_SUPERLATIVE, r"\b(?:in total|sum of|add up|altogether|on average|how many (?:contracts|suppliers))\b")
_PAGE = _any(r"\b(?:page|p\.)\s*(\d{1,4})\b")
_SPLIT = _any(
    r"\?\s+(?=\S)",
    r"\s*;\s+",
    r",?\s+as well as\s+",
    r",?\s+and\s+(?:also\s+)?(?=(?:what|when|who|how|which|is|are|does|do|can|where|whether|must|may)\b)",
)
_JOINED = _any(r",\s*(?:and\s+)?", r"\s+and\s+")
_PREPOSITION = _any(r"^(?:on|at|in|for|by|with|to|from|of|under|after|before)\b")
_LEAD = re.compile(
    r"^\s*(?:(?:and|but|so|also|ok(?:ay)?|then|now|please|hi|hello)\b[\s,]*)*"
    r"(?:(?:what|how)\s+about|tell me (?:more )?about|show me|give me|find|list"
    r"|(?:can|could) you (?:tell|show|give) me)?\s*",
    re.IGNORECASE,
)
_COMPARISON_WORDS = _any(
    rf"\bwhich\s+(?:of\s+)?{_OURS}{_THING}(?:\s+(?:have|has|contains?|includes?|allows?|are|is|offers?))?\b",
    rf"\b(?:in|across|for|among|between|of|from|to|with)\s+{_OURS}{_THING}\b",
    rf"\b(?:our|these|those|the)\s+(?:(?:{_COUNT})\s+)?(?:[a-z]+\s+)?{_THINGS}\b",
    r"\b(?:please\s+)?(?:compare|contrast|comparison of|how do(?:es)?)\b",
    r"\b(?:what (?:are|is) )?(?:the )?differences?\b",
    r"\b(?:do\s+)?(?:they\s+)?differ\b",
    r"\b(?:between|versus|vs\.?)\b",
    r"\bwhich (?:of them |one )?(?:has|have|offers?|is|are)\b",
    r"\b(?:does|do|is|are|has|have)\s+(?:and|or)\b",
)
_GLUE = re.compile(r"^(?:\s|[,:;])*(?:(?:and|the|of|on|in|for|to|by|what|are|is|about)\b\s*)*", re.IGNORECASE)


def compares(question: str) -> bool:
    """Tell whether a question is about several contracts side by side."""
    return bool(_COMPARING.search(question) or re.search(_SUPERLATIVE + rf".*{_THING}", question, re.IGNORECASE))


def goes_on(question: str) -> bool:
    """Tell whether a question leaves out what the turn before was about."""
    if _GOING_ON.search(question):
        return True
    return bool(_PRONOUN.search(question)) and not _OWN_SUBJECT.search(question)


def wanted(question: str) -> int | None:
    """Return how many contracts a question speaks of ("our three supplier contracts"), or None."""
    match = _WANTED.search(question)
    if match is None:
        return None
    return _NUMBERS.get(match[1].casefold()) or int(match[1])


def latest(question: str) -> bool:
    """Tell whether it wants the most recent contracts."""
    return bool(_LATEST.search(question))


def current(question: str) -> bool:
    """Tell whether it is about what applies now, so that an amendment comes first."""
    return bool(_CURRENT.search(question))


def beyond(question: str) -> bool:
    """Tell whether it asks for a judgement or a calculation, which this model does not make."""
    return bool(_BEYOND.search(question))


def page(question: str) -> int | None:
    """Return the page a question names, or None."""
    match = _PAGE.search(question)
    return int(match[1]) if match else None


def telling(text: str) -> bool:
    """Tell whether a text says what it is about."""
    return bool(content(text) or asked(text))


def pieces(question: str) -> list[str]:
    """Return the questions in a question. A piece without words of its own stays with the one before it."""
    found: list[str] = []
    for piece in _SPLIT.split(question):
        if found and not telling(piece):
            found[-1] = f"{found[-1]} {piece}"
        elif piece.strip():
            found.append(piece)
    return found


def topics(text: str, *, comparing: bool) -> list[str]:
    """Return what a piece is about: one topic, or several where it lists different notions of contracts."""
    topic = _LEAD.sub("", text)
    if comparing:
        topic = _GLUE.sub("", _COMPARISON_WORDS.sub(" ", topic)).rstrip(" ?.!")
    topic = tidy(topic).strip(" ,:;")
    listed = [item.strip() for item in _JOINED.split(topic) if item.strip()]
    if len(listed) < 2 or any(_PREPOSITION.match(item) for item in listed[1:]):
        return [topic]
    notions = [frozenset(concept.name for concept in asked(item)) for item in listed]
    different = sum(map(len, notions)) == len(frozenset().union(*notions))
    return listed if all(notions) and different else [topic]
