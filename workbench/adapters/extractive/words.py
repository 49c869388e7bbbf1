"""Words: tokens, stems, and which words of a question carry its content."""

import re
import threading
from functools import lru_cache
from typing import NamedTuple

import snowballstemmer

_WORD = re.compile(r"[^\W_]+(?:[&'’.-][^\W_]+)*")

_STOP = frozenset(
    """a an the and or but nor of to in on at by for from with without within into under over between among as per via
    is are was were be been being am do does did done have has had having can could may might must shall should will would
    i we you he she it they me us him her them my our your his its their this that these those there here
    who whom whose what which when where why how if then than so not no any all each every some such other another both
    either neither also too very just only about up out off please s t 's versus vs etc""".split()
)

GENERIC = frozenset(
    """agreement agreements contract contracts document documents file files text page pages clause clauses section sections
    term terms provision provisions condition conditions detail details information info thing things stuff anything
    something everything question questions answer topic subject point points part parts party parties supplier suppliers
    vendor vendors company companies collection container tell give show find get know explain describe summarise summarize
    summary overview help hi hello thanks say says said state states look see want need like more much many well ok okay
    compare compared comparing comparison contrast difference differences differ different same similar across last latest
    recent newest first one two three four five six seven eight nine ten current currently now today exist exists
    there's what's mention mentions mentioned apply applies happen happens
    let's concerning regarding relate related""".split()
)
"""Words that say nothing of what is asked about a contract."""


class Token(NamedTuple):
    """A word as written, and where it stands in its text."""

    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The word in lower case without a possessive ending."""
        return re.sub(r"['’]s$", "", self.text.casefold())

    @property
    def capitalised(self) -> bool:
        return self.text[:1].isupper()


def tokens(text: str) -> list[Token]:
    """Return the words of ``text`` in order."""
    return [Token(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


class _Stemmers(threading.local):
    """A stemmer keeps the word it works on, so two turns at once must not share one."""

    def __init__(self) -> None:
        self.english = snowballstemmer.stemmer("english")


_STEMMERS = _Stemmers()


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the English stem of a lower-case word."""
    return str(_STEMMERS.english.stemWord(word.replace("licence", "license").replace("favour", "favor")))


def stems(text: str) -> frozenset[str]:
    """Return the stems of all words of ``text`` but the stop words; the parts of a hyphenated word count as well."""
    found: set[str] = set()
    for token in tokens(text):
        for piece in {token.lower, *re.split(r"[-’'&.]", token.lower)}:
            if piece and piece not in _STOP:
                found.add(stem(piece))
    return frozenset(found)


def is_stop(word: str) -> bool:
    """Tell whether a lower-case word carries no content in any question."""
    return word in _STOP or len(word) == 1


def is_generic(word: str) -> bool:
    """Tell whether a lower-case word, like "contract" or "terms", says nothing of what is asked about it."""
    return is_stop(word) or word in GENERIC


def content(text: str) -> list[str]:
    """Return the lower-case words that say what ``text`` is about."""
    return [token.lower for token in tokens(text) if not is_generic(token.lower)]


def one_line(text: str) -> str:
    """Return ``text`` with every run of white space as one blank."""
    return " ".join(text.split())
