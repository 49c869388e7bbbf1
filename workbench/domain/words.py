"""Words as a reader compares them: without case, accents and endings, and without those that carry no meaning."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Prefix

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A character of a script that puts no space between words."""

STOP_WORDS = frozenset(
    "a an the this that these those of in on at to for from by with without under within into upon as is are was were be "
    "been being has have had do does did will would shall should may might can could must it its he she they them their "
    "there and or but not no nor if then than so such any all each every either both other which who whom whose what when "
    "where how also only per between after before during about over more most less least up out off own same very s "
    "der die das den dem des ein eine einer eines einem einen und oder aber nicht kein keine ist sind war waren wird werden "
    "wurde zu zum zur mit von vom bei für auf aus an im in als wie nach vor über unter durch bis auch nur sich es er sie "
    "и в во на с со по к у о об от до за из не но а или что как это его её их для при также "
    "le la les un une des du de et ou ne pas est sont dans sur pour par avec sans au aux ce cette ces que qui "
    "el los las una y o no es son en por para con sin su sus del al".split()
)
"""Words of English, German, Russian, French and Spanish that tell nothing of what a text is about."""

_TOKEN = re.compile(r"[^\W_]+(?:[.,]\d+|['’][^\W\d_]+)*")
_PREFIX = 3


class Token(NamedTuple):
    """A word at characters ``start`` to ``end`` of a text, as it is compared."""

    word: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Return the words of ``text`` in order; runs of a script without spaces give overlapping pairs of characters."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        if CJK.search(match[0]):
            found.extend(_pairs(match))
        else:
            found.append(Token(folded(match[0]), match.start(), match.end()))
    return [token for token in found if token.word]


def _pairs(match: re.Match[str]) -> Iterable[Token]:
    run, start = match[0], match.start()
    for index in range(max(1, len(run) - 1)):
        end = min(index + 2, len(run))
        yield Token(folded(run[index:end]), start + index, start + end)


def folded(word: str) -> str:
    """Return a word without case and accents."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(each for each in plain if not unicodedata.combining(each))


_FOLDED_STOP_WORDS = frozenset(map(folded, STOP_WORDS))


def telling(text: str) -> tuple[str, ...]:
    """Return the distinct words of ``text`` that say what it is about, in order; all of them where none does."""
    words = tuple(dict.fromkeys(token.word for token in tokens(text)))
    return tuple(word for word in words if word not in _FOLDED_STOP_WORDS) or words


def same_word(one: str, other: str) -> bool:
    """Tell whether two folded words are the same in any inflection: most of the longer one must agree from its start.

    What holds a digit must be the same to the letter.
    """
    if one == other:
        return True
    if len(one) < 4 or one[:_PREFIX] != other[:_PREFIX] or _has_digit(one) or _has_digit(other):
        return False
    shared = Prefix.similarity(one, other)
    return shared >= 4 and shared >= 0.65 * max(len(one), len(other))


def is_among(word: str, words: Sequence[str] | frozenset[str]) -> bool:
    """Tell whether ``word`` is one of ``words`` in any inflection."""
    return word in words or any(same_word(word, other) for other in words)


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)
