"""The answer as a Markdown document with numbered sources, for the command line and for files.

Text of a model or a document is shown as text: its HTML, math, images and links are escaped. The only links are
those that ``link`` gives. Emphasis, lists, tables and fenced code stay as they are; code spans lose their styling, because
renderers disagree on where one ends.
"""

import re
from collections.abc import Callable, Iterator

from workbench.domain.citations import Citation, CitedAnswer

_FENCED = re.compile(
    r"^ {0,3}(?P<mark>(?P<sign>[`~])(?P=sign){2,})[^`\n]*\n(?:.*\n)*?(?: {0,3}(?P=mark)(?P=sign)*[ \t]*$|.*\Z)",
    re.MULTILINE,
)
_ACTIVE = re.compile(
    r"(?P<escaped>\\[!-/:-@\[-`{-~])"
    r"|(?P<heading>^ {0,3}#{1,6}(?=[ \t]|$))"
    r"|(?P<underline>^ {0,3}(?=(?:=+|-+)[ \t]*$))"  # a line that makes a heading of the one above
    r"|[\[\]<$`~]|&(?=#?\w+;)",
    re.MULTILINE,
)
_BELOW = 3
"""How many levels of headings the document has above those of an answer."""
_NEVER_SHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_INLINE = re.compile(r"([\\`*_\[\]<>~$&|])")
_AT_LINE_START = re.compile(r"^(\d*)([.)#+\-=:])")

Link = Callable[[Citation], str]


def to_markdown(answer: CitedAnswer, *, link: Link | None = None, sources: str = "## Sources") -> str:
    """Return the answer with a number at each mention, and the list of its sources with page and quote below.

    ``link`` returns the address that opens a citation; without it numbers and sources are plain text. ``sources`` is the
    heading of the list. Whatever the answer holds, what stands below it is no part of it: code is closed, and its headings
    are of a lower level than any of the document.
    """
    body = "".join(_body(answer, link)).rstrip()
    if not answer.citations:
        return f"{body}\n"
    listed = "\n".join(_source(citation, link) for citation in answer.citations)
    return f"{body}\n\n{sources}\n\n{listed}\n"


def quoted(text: str) -> str:
    """Return a quotation of lines in which no character means anything to Markdown."""
    return "\n".join(f"> {line(each)}\\" if each.strip() else ">" for each in text.splitlines()).removesuffix("\\")


def _body(answer: CitedAnswer, link: Link | None) -> Iterator[str]:
    text = _NEVER_SHOWN.sub(" ", answer.text)  # each by one character: mentions are offsets in the text
    fences = [match.span() for match in _FENCED.finditer(text)]
    place = 0
    for mention in answer.mentions:
        yield _escaped(text, place, mention.start, fences)
        yield _linked(rf"\[{mention.citation}\]", answer.citation(mention.citation), link)
        place = mention.end
    yield _escaped(text, place, len(text), fences)
    if fences and fences[-1][1] == len(text) and place <= fences[-1][0]:
        yield _closing(text[slice(*fences[-1])])


def _escaped(text: str, start: int, end: int, fences: list[tuple[int, int]]) -> str:
    """Escape what stands from ``start`` to ``end``, all but fenced code."""
    pieces: list[str] = []
    for low, high in fences:
        if low >= start and high <= end:
            pieces += (*_inert(text, start, low), text[low:high])
            start = high
    return "".join((*pieces, *_inert(text, start, end)))


def _inert(text: str, start: int, end: int) -> Iterator[str]:
    """Yield what stands from ``start`` to ``end``, looked at in its place: a line begins where it does."""
    for match in _ACTIVE.finditer(text, start, end):
        yield text[start : match.start()]
        start = match.end()
        if match["heading"]:
            indent, marks = match[0].count(" "), match[0].count("#")
            yield " " * indent + "#" * min(6, marks + _BELOW)
        elif match["underline"] is not None:
            yield f"{match[0]}\\"
        else:
            yield match[0] if match["escaped"] else f"\\{match[0]}"
    yield text[start:end]


def _closing(fence: str) -> str:
    """Return what ends fenced code that runs to the end of the text without being closed; empty where it is."""
    opening, *code = fence.strip(" \n").split("\n")
    mark = opening[: len(opening) - len(opening.lstrip(opening[0]))]
    closed = bool(code) and code[-1].strip(" \t").startswith(mark) and not code[-1].strip(f" \t{mark[0]}")
    return "" if closed else f"\n{mark}"


def _source(citation: Citation, link: Link | None) -> str:
    name = _linked(line(citation.label), citation, link)
    container = f" ({line(citation.container)})" if citation.container else ""
    quote = f"\n   “{line(citation.quote)}”" if citation.quote else ""
    return f"{citation.number}. {name}{container}{quote}"


def _linked(text: str, citation: Citation, link: Link | None) -> str:
    if link is None:
        return text
    address = re.sub(r"[<>\s\\]", "", link(citation))
    return f"[{text}](<{address}>)"


def line(text: str) -> str:
    """Return one line in which no character means anything to Markdown."""
    return _AT_LINE_START.sub(r"\1\\\2", _INLINE.sub(r"\\\1", " ".join(_NEVER_SHOWN.sub(" ", text).split())))
