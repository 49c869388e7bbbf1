"""Names in a query: once the scope names a document, its name only blurs the query, so it is taken out."""

import re
from collections.abc import Iterable

from workbench.domain.documents import Container, Document

_WORD = re.compile(r"\w+", re.UNICODE)
GENERIC = frozenset(
    """a agreement agreements amendment an and annex by co company contract contracts corp doc docx exhibit for gmbh in inc
    limited llc ltd master md no of on order pdf plc report schedule service services statement supplier supply terms the to
    txt with xlsx""".split()
)


def distinctive_words(names: Iterable[str]) -> frozenset[str]:
    """Return the words of ``names`` that tell one document from another: not generic, not a number, three letters on."""
    words = {word for name in names for word in _WORD.findall(name.replace("_", " ").casefold())}
    return frozenset(word for word in words if len(word) > 2 and not word.isdigit() and word not in GENERIC)


def strip_containers(query: str, containers: Iterable[Container]) -> str:
    """Return ``query`` without the names of the containers that it names: all their words in a row, written as a name.

    A name of one plain word, such as "Insurance", is only taken for the container's where it is capitalised within the
    sentence. Unchanged where nothing else would be left.
    """
    stripped = query
    for container in containers:
        if name := _written_name(container.name):
            stripped = " ".join(name.sub(" ", stripped).split())
    return stripped if distinctive_words([stripped]) else query


def _written_name(name: str) -> re.Pattern[str] | None:
    words = _WORD.findall(name)
    if len(words) > 1:
        spaced = r"\W+".join(map(re.escape, words))
        return re.compile(rf"(?<!\w){spaced}(?!\w)(?:['’]s)?", re.IGNORECASE)
    if words and not words[0].islower():
        return re.compile(rf"(?<=\s){re.escape(words[0])}(?!\w)(?:['’]s)?")
    return None


def strip_names(query: str, documents: Iterable[Document], containers: Iterable[Container]) -> str:
    """Return ``query`` without the distinctive words of the given names; unchanged where nothing else would be left."""
    names = [text for document in documents for text in (document.name, document.tag("supplier"))]
    names += [container.name for container in containers]
    unwanted = distinctive_words(names)
    kept = [piece for piece in query.split() if not _all_unwanted(piece, unwanted)]
    stripped = " ".join(kept)
    return stripped if distinctive_words([stripped]) else query


def _all_unwanted(piece: str, unwanted: frozenset[str]) -> bool:
    words = [word for word in _WORD.findall(piece.replace("_", " ").casefold()) if word != "s"]
    return bool(words) and all(word in unwanted for word in words)
