"""Stems: the form under which a word is indexed, so that ``terminated`` finds ``termination``."""

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Protocol, cast

import snowballstemmer

from workbench.domain.errors import ConfigurationError

_BY_SCRIPT = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
"""The language taken for a word of another script than the index's own."""

_OWN_SCRIPT = {
    "russian": "\u0400",
    "serbian": "\u0400",
    "yiddish": "\u0590",
    "persian": "\u0600",
    "nepali": "\u0900",
} | {language: first for first, _, language in _BY_SCRIPT}

# Accents, and the marks that Hebrew and Arabic texts may leave out; not the vowels of Indian scripts, which are letters.
_ACCENT = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u0640\u064b-\u0652\u0670]")
_SHORT_I = "и\u0306"  # й is a letter of its own, not an accented и
_LETTERS = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t"}
)
_NOT_A_WORD = re.compile(r"[\d\-/._@&',:]")
_LONGEST = 60
"""Longer ones are no words of a language but data, and Snowball takes long over them."""


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - snowball's own name


class Stemmer:
    """Stems the words of one language; words of other scripts by the usual language of that script.

    Raises ConfigurationError where Snowball does not know the language.
    """

    def __init__(self, language: str = "english") -> None:
        if language not in snowballstemmer.algorithms():
            known = ", ".join(sorted(snowballstemmer.algorithms()))
            raise ConfigurationError(f"There is no stemmer for {language!r}.", f"Choose one of: {known}.")
        self.language = language
        self._local = threading.local()  # a Snowball stemmer keeps its word in itself while it works
        self.stem = lru_cache(maxsize=100_000)(self._stem)

    def _stem(self, word: str) -> str:
        folded = fold(word)
        if len(folded) > _LONGEST or _NOT_A_WORD.search(folded):
            return folded
        return self._stemmer(self._language_of(folded[0])).stemWord(folded)

    def _language_of(self, letter: str) -> str:
        for first, last, language in _BY_SCRIPT:
            if first <= letter <= last:
                return self.language if _OWN_SCRIPT.get(self.language) == first else language
        return self.language

    def _stemmer(self, language: str) -> _Stemmer:
        stemmers: dict[str, _Stemmer] = self._local.__dict__
        if language not in stemmers:
            stemmers[language] = cast("_Stemmer", snowballstemmer.stemmer(language))
        return stemmers[language]


def fold(word: str) -> str:
    """Return the word without case and accents: ``Müller`` and ``Muller``, ``Straße`` and ``strasse`` are one."""
    decomposed = unicodedata.normalize("NFD", word.casefold()).replace(_SHORT_I, "\ue000")
    bare = _ACCENT.sub("", decomposed).replace("\ue000", _SHORT_I)
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)


_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}
_SHORTEST_NAME = 5


def transcribed(word: str) -> tuple[str, ...]:
    """Return the other spelling of a lower-case word with umlauts: ``müller`` for ``mueller``, and the other way round.

    Both are looked for; where a word only looks transcribed ("value"), the other spelling is found nowhere.
    """
    composed = unicodedata.normalize("NFC", word)
    written, printed = composed, composed
    for umlaut, letters in _UMLAUTS.items():
        written = written.replace(umlaut, letters)
        printed = printed.replace(letters, umlaut)
    if written != composed:
        return (written,)
    return (printed,) if printed != composed and len(word) >= _SHORTEST_NAME else ()
