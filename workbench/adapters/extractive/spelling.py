"""Spelling: correct a question's words against the words of the collection, and leave everything doubtful alone."""

import re
from collections.abc import Collection, Mapping

from rapidfuzz.distance import DamerauLevenshtein

from workbench.adapters.extractive.concepts import known_words
from workbench.adapters.extractive.words import GENERIC, Token, is_generic, stem, tokens

_COMMON = frozenset(
    """about above accept access according account accounts add address advance advise affect affected after again agreed
    allow allowed allows along already amend amended amendment annual answer apart applicable apply applying approval
    arrange asked automatically available average because become before begin below best bill billed billing binding both
    bound breach breaches bring business buy buyer calculate calculated cancel cancelled cease change changed changes
    charge charged cheapest check clear client clients close compare conclude contain contains could country cover covered
    covers customer customers data date dates days deadline decide deliver delivered delivery differ discount discounts
    dispute during duties duty earliest early earn either email employees employee end ending ends enforce enter entitled
    escalation euro euros every exact exactly example except exclude excluded exclusive expensive expire expires explain
    extend extra fail fails failure false favour favourable fee fees final find fixed follow following forbid forbidden
    free from general give given goods govern governs grant granted guarantee guaranteed happen happens highest hours
    include included includes increase increases inform invoice invoices involve involved issue issued items jointly keep
    kind large largest last late later latest law laws least leave legal less level levels liable license licence licensed
    limit limited limits list long longest lowest main maintain maintained make many maximum mean means meant measures
    mention minimum money month monthly months most must name names need never next none notice number obligation
    obligations oblige obliged offer only order orders original other otherwise outside over owned owner owns part
    party paid pay payable paying payment payments penalties penalty people per percent percentage performance period
    permitted person place placed possible prevent previous price prices prior product products prohibit prohibited
    property protect provide provided provides purchase quality quantity quarterly question quote raise rate rates reach
    reason receive record records reduce reduction refund regard region regions relation remedies remedy renew renewal
    renewed renewing renews repair replace report required requires respond response restrict restricted result return
    review right rights risk rule rules sale schedule search sell separate service services set several share shared
    shorter shortest should show shows side signed similar since single site sites smallest software solicit soliciting
    someone source staff standard start starts state states stay step stop subject such supply supplies support survive
    take taken takes taxes tell termination terminate terminated terminates than their them these things third thirty
    those through time times together total transfer transferred treated type types under understand unless until update
    usage used user users using valid value volume wait want warranties warranty weeks when whether whole within without
    work working worst would write written wrong year yearly years yes your""".split()
)
_ENDINGS = ("", "s", "es", "d", "ed", "ing", "er", "ers", "r", "ly", "al", "ion", "able", "ment", "y", "ies", "n")
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]|(?<!\w)'[^']*'(?!\w)")


def correct(question: str, vocabulary: Mapping[str, int], names: Collection[str]) -> str:
    """Return ``question`` with misspelt words corrected, or as it is where nothing is surely wrong.

    ``vocabulary`` holds the collection's lower-case words with their counts, ``names`` the words of its documents' and
    suppliers' names, which are never touched. A question mostly of unknown words is in another language: it stays.
    """
    speller = _Speller(vocabulary, names)
    quoted = [match.span() for match in _QUOTED.finditer(question)]
    words = tokens(question)
    unknown = [
        token
        for position, token in enumerate(words)
        if not any(low <= token.start < high for low, high in quoted) and speller.doubts(token, first=position == 0)
    ]
    if len(unknown) * 2 > len(words):
        return question
    for token in reversed(unknown):
        better = speller.nearest(token.lower)
        if better is not None:
            written = better.capitalize() if token.capitalised else better
            rest = token.text[len(token.lower) :]
            question = question[: token.start] + written + rest + question[token.end :]
    return question


def foreign(question: str, vocabulary: Mapping[str, int], names: Collection[str]) -> bool:
    """Tell whether ``question`` seems to be in a language that the collection does not speak: most words are unknown."""
    speller = _Speller(vocabulary, names)
    words = [token for token in tokens(question) if len(token.lower) >= 3 and token.lower.isalpha()]
    unknown = [token for token in words if not speller.knows(token.lower)]
    return len(words) >= 3 and len(unknown) * 2 > len(words)


class _Speller:
    def __init__(self, vocabulary: Mapping[str, int], names: Collection[str]) -> None:
        self._vocabulary = vocabulary
        self._names = frozenset(names)
        self._common = _COMMON | GENERIC | known_words()
        self._stems = frozenset(stem(word) for word in self._common)

    def doubts(self, token: Token, *, first: bool) -> bool:
        word = token.lower
        if len(word) < 4 or not word.isalpha() or (token.capitalised and not first):
            return False
        return not self.knows(word)

    def knows(self, word: str) -> bool:
        if word in self._vocabulary or word in self._common or word in self._names or is_generic(word):
            return True
        return stem(word) in self._stems or stem(word) in self._vocabulary

    def nearest(self, word: str) -> str | None:
        """Return the nearest known word: by distance, then the same first and last letter, then how often it is written."""
        reach = 1 if len(word) < 8 else 2
        best: tuple[int, bool, bool, int, str] | None = None
        for candidate in (*self._vocabulary, *self._common):
            if len(candidate) < 4 or abs(len(candidate) - len(word)) > reach or not candidate.isalpha():
                continue
            distance = DamerauLevenshtein.distance(word, candidate, score_cutoff=reach)
            if distance > reach or (distance == 2 and candidate[0] != word[0]) or _same_word(word, candidate):
                continue
            other_letter = len(candidate) == len(word) and sorted(candidate) != sorted(word)
            if other_letter and (len(word) < 6 or candidate[0] != word[0]):
                continue  # that makes another word: "snow" is no misspelt "show", nor "emissions" "omissions"
            count = self._vocabulary.get(candidate, 0) + (20 if candidate in self._common else 0)
            if count < 2 and distance == 2:
                continue
            key = (distance, candidate[0] != word[0], candidate[-1] != word[-1], -count, candidate)
            best = key if best is None else min(best, key)
        return None if best is None else best[-1]


def _same_word(word: str, candidate: str) -> bool:
    """Tell whether two words differ by an ending only: then the word is no misspelling."""
    shared = next(
        (i for i, (a, b) in enumerate(zip(word, candidate, strict=False)) if a != b), min(len(word), len(candidate))
    )
    return shared >= 4 and word[shared:] in _ENDINGS and candidate[shared:] in _ENDINGS
