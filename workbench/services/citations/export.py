"""The answer as a Markdown document with numbered sources, for the command line and for files.

Text of a model or a document is shown as text: its HTML, math, images and links are escaped. The only links are
those that ``link`` gives. Emphasis, lists, tables and fenced code stay as they are; code spans lose their styling, because
renderers disagree on where one ends.
"""

import re
from collections.abc import Callable, Iterator

from workbench.domain.citations import Citation, CitedAnswer

_FENCED = re.compile(r"^(`{3,}|~{3,})[^`\n]*\n(?:.*\n)*?(?: {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE)
_ACTIVE = re.compile(r"(?P<escaped>\\[!-/:-@\[-`{-~])|[\[\]<$`~]|&(?=#?\w+;)")
_INLINE = re.compile(r"([\\`*_\[\]<>~$&|])")
_AT_LINE_START = re.compile(r"^(\d*)([.)#+\-=:])")

Link = Callable[[Citation], str]


def to_markdown(answer: CitedAnswer, *, link: Link | None = None) -> str:
    """Return the answer with a number at each mention, and the list of its sources with page and quote below.

    ``link`` returns the address that opens a citation; without it numbers and sources are plain text.
    """
    body = "".join(_body(answer, link)).rstrip()
    if not answer.citations:
        return f"{body}\n"
    sources = "\n".join(_source(citation, link) for citation in answer.citations)
    return f"{body}\n\n## Sources\n\n{sources}\n"


def _body(answer: CitedAnswer, link: Link | None) -> Iterator[str]:
    text = answer.text.replace("\r", " ")
    fences = [match.span() for match in _FENCED.finditer(text)]
    place = 0
    for mention in answer.mentions:
        yield _escaped(text, place, mention.start, fences)
        yield _linked(rf"\[{mention.citation}\]", answer.citation(mention.citation), link)
        place = mention.end
    yield _escaped(text, place, len(text), fences)


def _escaped(text: str, start: int, end: int, fences: list[tuple[int, int]]) -> str:
    """Escape what stands from ``start`` to ``end``, all but fenced code."""
    pieces: list[str] = []
    for low, high in fences:
        if low >= start and high <= end:
            pieces += (_inert(text[start:low]), text[low:high])
            start = high
    return "".join((*pieces, _inert(text[start:end])))


def _inert(text: str) -> str:
    return _ACTIVE.sub(lambda match: match[0] if match["escaped"] else f"\\{match[0]}", text)


def _source(citation: Citation, link: Link | None) -> str:
    name = _linked(_plain(citation.label), citation, link)
    container = f" ({_plain(citation.container)})" if citation.container else ""
    quote = f"\n   “{_plain(citation.quote)}”" if citation.quote else ""
    return f"{citation.number}. {name}{container}{quote}"


def _linked(text: str, citation: Citation, link: Link | None) -> str:
    if link is None:
        return text
    address = re.sub(r"[<>\s\\]", "", link(citation))
    return f"[{text}](<{address}>)"


def _plain(text: str) -> str:
    """Return one line in which no character means anything to Markdown."""
    return _AT_LINE_START.sub(r"\1\\\2", _INLINE.sub(r"\\\1", " ".join(text.split())))
