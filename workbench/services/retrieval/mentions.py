"""Mentions: which documents of the scope a query names, by their files, titles' suppliers, or parties that only they know."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from workbench.domain.documents import Document
from workbench.domain.ids import DocumentId
from workbench.services.retrieval.naming import GENERIC, distinctive_words

MOST_GROUPS = 4
"""A query that seems to name more is about what they have in common."""
MOST_DOCUMENTS = 12
"""Documents that one name may stand for: the contracts of a supplier, with their amendments."""
RARE = 2
"""A word that passages of more documents hold is no name of one of them."""
GLUED = 5
"""Letters from which on the beginning of a longer word counts: "airspan" names ``airspannetworksinc_2000.pdf``."""

_TOKEN = re.compile(r"[^\W_]+(?:[&'’.-][^\W_]+)*")
_COMMON = frozenset(
    """a about all an and any are as at be been before between by can could did do does during each either every find for
    from give had has have how i if in into is it its let list many may me more most much must my no not of on or other our
    out over per shall should show tell than that the their them then there these they this those to under upon us was we
    were what when where which while who whom whose why will with within without would you your
    compare difference differences
    der die das den dem des ein eine einer im ist sind und oder von vom für mit wie was wer welche welcher welches wann wo
    и в на с по для или что как когда кто""".split()
)

Holders = Callable[[str], Sequence[DocumentId]]
"""Gives documents of the scope whose passages hold words in a row: all of them while there are at most :data:`RARE`."""


class Mentions(NamedTuple):
    """``groups`` are the documents named, a group for each name; ``rest`` is the query without the names."""

    groups: tuple[frozenset[DocumentId], ...]
    rest: str


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    capital: bool

    @property
    def word(self) -> str:
        return re.sub(r"['’]s$", "", self.text.casefold())

    @property
    def telling(self) -> bool:
        return self.word not in _COMMON and self.word not in GENERIC and len(self.word) > 1


def find_mentions(query: str, documents: Sequence[Document], holders: Holders) -> Mentions:
    """Find the documents that ``query`` names.

    A run of capitalised words names the documents whose passages alone hold it (a party, a product); a word of a file's name
    or of a supplier names those documents, where it is written like a name or stands in hardly any passage.
    """
    tokens = _tokens(query)
    found: list[tuple[range, frozenset[DocumentId]]] = []
    if len(documents) > 1 and tokens:
        names = _names(documents)
        found = [*_by_file(tokens, names, holders)]
        taken = {index for span, _ in found for index in span}
        found += _by_party(tokens, taken, holders)
    groups = _groups(documents_of for _, documents_of in sorted(found, key=lambda each: each[0].start))
    if not groups or len(groups) > MOST_GROUPS:
        return Mentions((), query)
    rest = _without(query, [tokens[index] for span, _ in found for index in span])
    return Mentions(groups, rest if distinctive_words([rest]) else query)


def _tokens(query: str) -> list[_Token]:
    matches = list(_TOKEN.finditer(query))
    written = [m.group()[:1].isupper() or any(c.isdigit() for c in m.group()) for m in matches]
    # The first word of a sentence is always capitalised: it counts where the next one is too, or more than its first letter.
    for index, match in enumerate(matches):
        opens = not index or query[matches[index - 1].end() : match.start()].strip() in (".", "?", "!", ":")
        if opens and match.group()[1:].islower():
            following = matches[index + 1].group() if index + 1 < len(matches) else ""
            written[index] = following[:1].isupper()
    return [_Token(m.group(), m.start(), m.end(), capital) for m, capital in zip(matches, written, strict=True)]


def _names(documents: Iterable[Document]) -> dict[str, set[DocumentId]]:
    named: defaultdict[str, set[DocumentId]] = defaultdict(set)
    for document in documents:
        for word in _name_words(document.display_name, document.tag("supplier")):
            named[word].add(document.id)
    return named


@lru_cache(maxsize=50_000)
def _name_words(name: str, supplier: str) -> frozenset[str]:
    return distinctive_words([name.rpartition(".")[0] or name, supplier])


def _by_file(
    tokens: Sequence[_Token], names: dict[str, set[DocumentId]], holders: Holders
) -> list[tuple[range, frozenset[DocumentId]]]:
    found: list[tuple[range, frozenset[DocumentId]]] = []
    index = 0
    while index < len(tokens):
        span, documents = _named_at(tokens, index, names, holders)
        if documents:
            found.append((span, documents))
        index = span.stop if documents else index + 1
    return found


def _named_at(
    tokens: Sequence[_Token], index: int, names: dict[str, set[DocumentId]], holders: Holders
) -> tuple[range, frozenset[DocumentId]]:
    """Return what the word at ``index`` names, by itself or with the next one: written together, or side by side."""
    token, following = tokens[index], tokens[index + 1] if index + 1 < len(tokens) else None
    if not token.telling:
        return range(index, index), frozenset()
    if following and (together := _holding(names, token.word + following.word)):
        return range(index, index + 2), frozenset(together)
    single = _holding(names, token.word)
    if single and (token.capital or len(holders(token.text)) <= RARE):
        return range(index, index + 1), frozenset(single)
    both = names.get(token.word, set()) & names.get(following.word, set()) if following else set()
    if both and following and len(holders(f"{token.text} {following.text}")) <= RARE:
        return range(index, index + 2), frozenset(both)
    return range(index, index), frozenset()


def _holding(names: dict[str, set[DocumentId]], word: str) -> set[DocumentId]:
    """Return the few documents with ``word`` in their names, whole or as the beginning of a longer one."""
    found = set(names.get(word, ()))
    if not found and len(word) >= GLUED:
        for name, documents in names.items():
            if name.startswith(word):
                found |= documents
    return found if len(found) <= MOST_DOCUMENTS else set()


def _by_party(tokens: Sequence[_Token], taken: set[int], holders: Holders) -> list[tuple[range, frozenset[DocumentId]]]:
    """Look up runs of capitalised words, the longest parts of each first."""
    found: list[tuple[range, frozenset[DocumentId]]] = []
    for run in _runs(tokens, taken):
        used: set[int] = set()
        for length in range(len(run), 0, -1):
            for start in range(run.start, run.stop - length + 1):
                span = range(start, start + length)
                if used.intersection(span) or not any(tokens[index].telling for index in span):
                    continue
                documents = holders(" ".join(tokens[index].text for index in span))
                if 0 < len(documents) <= RARE:
                    found.append((span, frozenset(documents)))
                    used.update(span)
    return found


def _runs(tokens: Sequence[_Token], taken: set[int]) -> list[range]:
    runs: list[range] = []
    start = 0
    for index in range(len(tokens) + 1):
        goes_on = index < len(tokens) and tokens[index].capital and index not in taken
        apart = 0 < index < len(tokens) and tokens[index].start - tokens[index - 1].end > len(", ")
        if not goes_on or apart:
            runs += [range(start, index)] if index > start else []
            start = index if goes_on else index + 1
    return [run for run in runs if any(tokens[index].telling for index in run)]


def _groups(found: Iterable[frozenset[DocumentId]]) -> tuple[frozenset[DocumentId], ...]:
    """Names that have documents in common mean those; others stand for groups of their own."""
    groups: list[frozenset[DocumentId]] = []
    for documents in found:
        for index, group in enumerate(groups):
            if group & documents:
                groups[index] = group & documents
                break
        else:
            groups.append(documents)
    return tuple(groups)


def _without(query: str, tokens: Sequence[_Token]) -> str:
    for token in sorted(tokens, key=lambda each: -each.start):
        query = query[: token.start] + query[token.end :]
    return " ".join(query.split())
