"""Requests for a list of documents, told apart from questions about what the documents say.

A request is one for a list only where nothing of it is left over: besides an opening, a word for documents, a time, a
language, an order and names from the library it holds nothing but small words. Everything else is a question to search for.
"""

import re
from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from workbench.domain.dates import DateRefused, parse_period

_OPENINGS = frozenset(
    """list show find give which what how many number welche welchen zeige zeig liste finde wie viele
    какие покажи найди сколько""".split()
)
_DOCUMENTS = frozenset(
    """contract contracts agreement agreements document documents file files pdf pdfs vertrag verträge verträgen dokument
    dokumente dokumenten dateien договор договоры договоров документ документы документов""".split()
)
_SMALL = frozenset(
    """a all an any and are available by can collection do does dated each every exist for from have has here i in is it
    language library listed me my now of on our please published signed that the there they this to tell uploaded us we were
    with written you your alle aus auf bitte das dem den der die es gibt haben ich in im ist mir mit sind uns unsere von vom
    wir zu все в есть за из мне мои на наши нас от по с со у""".split()
)
_LANGUAGES = {
    word: code
    for code, words in {
        "en": "english englisch englische englischen английском английские",
        "de": "german deutsch deutsche deutschen немецком немецкие",
        "ru": "russian russisch russische russischen русском русские",
        "fr": "french französisch französische französischen французском французские",
        "es": "spanish spanisch spanische spanischen испанском испанские",
        "it": "italian italienisch italienische italienischen итальянском итальянские",
    }.items()
    for word in words.split()
}
_NEWEST = frozenset("latest newest recent most neueste neuesten aktuellsten последние новые".split())
_OLDEST = frozenset("oldest earliest älteste ältesten старые".split())
_ANY_DAY = date(2026, 1, 1)
"""Whether words are a period does not depend on the day; what they mean is worked out where they are used."""
_LONGEST_PERIOD = 8
_TOTAL = re.compile(r"DOCUMENTS: (\d+) in all")


class ListRequest(NamedTuple):
    """What to list; ``period`` is in the words of the question."""

    text: str = ""
    language: str | None = None
    period: str | None = None
    oldest: bool = False

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments of the tool call."""
        return {
            "text": self.text or None,
            "language": self.language,
            "date_from": None,
            "date_to": None,
            "period": self.period,
            "tags": None,
            "sort": "oldest" if self.oldest else "newest",
            "page": None,
            "page_size": None,
        }


def list_request(question: str, names: Collection[str]) -> ListRequest | None:
    """Read a request for a list; None where the question asks for anything else. ``names`` are the words of the library."""
    words = [word.strip("?.!,;:'\"()“”„«»").casefold() for word in question.split()]
    words = [word for word in words if word]
    if not _OPENINGS.intersection(words[:3]) or not _DOCUMENTS.intersection(words):
        return None
    period, words = _period(words)
    language = next((_LANGUAGES[word] for word in words if word in _LANGUAGES), None)
    passed = _OPENINGS | _DOCUMENTS | _SMALL | _NEWEST | _OLDEST | _LANGUAGES.keys()
    left = [word for word in words if word not in passed]
    if not all(word in names for word in left):
        return None
    return ListRequest(" ".join(left), language, period, oldest=bool(_OLDEST.intersection(words)))


def list_answer(output: str) -> str:
    """Return what is said of a list, from the output of the tool. The list itself is shown beside it."""
    total = _TOTAL.match(output)
    notes = [line.removeprefix("NOTE: ") for line in output.splitlines() if line.startswith("NOTE: ")]
    if total is None:
        return f"The list could not be made. {' '.join(output.split())}"
    count = int(total[1])
    said = {0: "No document fits.", 1: "One document fits."}.get(count, f"{count} documents fit.")
    return " ".join(
        [said, *(note.removeprefix("No document matches. Drop a condition, or say so.") for note in notes)]
    ).strip()


def _period(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the longest run of words that means a time, and the words around it."""
    for length in range(min(_LONGEST_PERIOD, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            text = " ".join(words[start : start + length])
            if _is_period(text):
                return text, [*words[:start], *words[start + length :]]
    return None, list(words)


def _is_period(text: str) -> bool:
    try:
        parse_period(text, _ANY_DAY)
    except DateRefused:
        return False
    return True
