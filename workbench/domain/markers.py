"""Citation markers: what a model writes to name its sources, found in a text that may still be arriving.

What counts as a marker (refs beside it; the tests read this table):

    ===============================  ==========  ========================================================
    written                          refs        note
    ===============================  ==========  ========================================================
    [S1]                             S1
    [s1]                             S1          case does not matter
    [ S 1 ]                          S1          nor does spacing
    [S01]                            S1          leading zeros are dropped; ids count from S1
    [S0]                             S0          a marker, though no source has this id
    [S1, S2]                         S1 S2
    [S1,S2]                          S1 S2
    [S1; S2]                         S1 S2
    [S1 S2]                          S1 S2
    [S1/S2]                          S1 S2
    [S1 and S2]                      S1 S2       also: und, et, y, и, &
    [S1, S2, and S4]                 S1 S2 S4
    [S1-S3]                          S1 S2 S3    any dash, or "to"
    [S1–S3]                          S1 S2 S3
    [S1-3]                           S1 S2 S3
    [S3-S1]                          S1 S2 S3
    [S1-S900]                        S1 S900     wider than 50: the two ends only
    [S1, S4–S5]                      S1 S4 S5
    【S1】                             S1
    ［Ｓ１，Ｓ２］                          S1 S2       full-width letters, digits and commas
    【S1†p2】                          S1          the page is known better here than by the model
    [S1 p.3]                         S1
    [S1, page 3]                     S1
    [Source S1]                      S1          also: sources, ref, refs
    [REF: S1]                        S1
    [Source S1, Source S2]           S1 S2
    [^S1]                            S1
    [[S1]]                           S1
    \\[S1\\]                           S1          escaped for Markdown
    [S1](https://example.invalid/x)  S1          the model's address is part of the marker and goes with it
    【4:0†source】                     4:0         a provider's own citation: never a source of ours
    ===============================  ==========  ========================================================

What stays ordinary text: ``(S1)``, ``S1``, ``[1]``, ``[Source 1]``, ``[S12345]``, ``[S1, 12]``, ``[Customer]``,
``[sic]``, ``[S1``, ``[Schedule A]``, and everything in code: fenced, or between backticks on one line (a span that is not
closed within 200 characters is no code). ``[S1](a)`` is the marker and then the text ``(a)``: only what looks like an address
is taken for one.

Control text of providers (U+E200 ``cite`` U+E202 ``turn0search1`` U+E201) is a marker as well, so that it is removed and
reported. Other private-use characters are text.
"""

import re
import string
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from workbench.domain.patterns import char, either, maybe, then, times, words

MAX_MARKER = 200
"""A longer bracket is text; so many characters at most are held back to see whether a bracket is a marker."""

MAX_CONTROL = 2000
MAX_ADDRESS = 1000
MAX_CODE_SPAN = 200
MAX_RANGE = 50


class Text(NamedTuple):
    """Ordinary text, verbatim."""

    text: str


class Marker(NamedTuple):
    """A marker with the refs it names, each once, in order. ``raw`` is what the model wrote, verbatim.

    ``refs`` is empty where a response was cut inside a marker.
    """

    refs: tuple[str, ...]
    raw: str


Part = Text | Marker


# --- the grammar -----------------------------------------------------------------------------------------------------


_OPENING = r"\[［【〖〔"
_CLOSING = r"\]］】〗〕"
_DASHES = r"\-‐‑‒–—−~～"

_BLANK = char(r" \t\u00a0\u2009\u202f\u3000")
_SPACE = times(_BLANK, 0, 3)
_GAP = times(_BLANK, 1, 3)
_NUMBER = times(char("0-9０-９"), 1, 4)
_S = char("SsＳｓ")
_DASH = then(_SPACE, either(char(_DASHES), words("to", "bis")), _SPACE)
_PREFIX = then(words("sources", "source", "refs", "ref"), either(then(_SPACE, char(":："), _SPACE), _GAP))
_ITEM = then(_S, _SPACE, _NUMBER)
_PAGE = then(
    _SPACE,
    maybe(char(",:，：")),
    _SPACE,
    words("pages", "page", "pp", "pg", "p"),
    maybe(char(".")),
    _SPACE,
    _NUMBER,
    maybe(then(_DASH, _NUMBER)),
)
_DAGGER = then(char("†"), times(char(rf"^{_OPENING}{_CLOSING}\n\\"), 0, 60))
_LOCATOR = either(_DAGGER, _PAGE)
_ELEMENT = then(maybe(_PREFIX), _ITEM, maybe(then(_DASH, maybe(_S), _SPACE, _NUMBER)), maybe(_LOCATOR))
_AND = words("and", "und", "et", "y", "и", "&")
_SEPARATOR = either(
    then(_SPACE, char(",;/|+，；、"), _SPACE, maybe(then(_AND, _GAP))),
    then(_GAP, _AND, _GAP),
    _GAP,
)
_BODY = then(_SPACE, _ELEMENT, times(then(_SEPARATOR, _ELEMENT), 0, 40), _SPACE)
_FOREIGN = then(
    times(char("0-9"), 1, 4),
    maybe(then(char(":"), times(char("0-9"), 1, 4))),
    _DAGGER,
)
_OPEN, _CLOSE, _ESCAPE = char(_OPENING), char(_CLOSING), char(r"\\")
_BRACKETS = either(
    then(maybe(_ESCAPE), _OPEN, maybe(char(r"\^")), _BODY, maybe(_ESCAPE), _CLOSE),
    then(_OPEN, _OPEN, _BODY, _CLOSE, _CLOSE),
    then(char("【"), _FOREIGN, char("】")),
)
_CONTROL = then(
    char("\ue200"),
    times(char("a-z_"), 0, 20),
    times(then(char("\ue202"), times(char("^\ue200-\ue202\n"), 0, 120)), 1, 12),
    char("\ue201"),
)
_MARKER = re.compile(either(_BRACKETS, _CONTROL).full, re.IGNORECASE)
_MARKER_BEGUN = re.compile(either(_BRACKETS, _CONTROL).begun, re.IGNORECASE)
_CONTROL_BEGUN = re.compile(r"\ue200[a-z_]{0,20}\ue202", re.IGNORECASE)

_IN_ADDRESS = char(r"^\s()")
_ADDRESS = then(
    char("("),
    maybe(char("<")),
    either(
        then(char("a-z"), times(char(r"a-z0-9+.\-"), 1, 20), char(":")),
        char("/#"),
        words("www.", "./", "../"),
    ),
    times(either(_IN_ADDRESS, then(char("("), times(_IN_ADDRESS, 0, 200), char(")"))), 0, MAX_ADDRESS),
    maybe(then(_GAP, char("\"'"), times(char("^\"'\n"), 0, 200), char("\"'"))),
    char(")"),
)
_LINK = re.compile(_ADDRESS.full, re.IGNORECASE)
_LINK_BEGUN = re.compile(_ADDRESS.begun, re.IGNORECASE)

_REFS = re.compile(
    rf"{_ITEM.full.replace(_NUMBER.full, f'(?P<first>{_NUMBER.full})')}"
    rf"(?:{_DASH.full}{_S.full}?{_SPACE.full}(?P<last>{_NUMBER.full}))?(?:{_LOCATOR.full})?",
    re.IGNORECASE,
)


def _refs(raw: str) -> tuple[str, ...]:
    """Return the refs that a complete marker names."""
    if raw.startswith("\ue200"):
        return tuple(dict.fromkeys(re.findall(r"\ue202([^\ue200-\ue202]+)", raw))) or ("cite",)
    if foreign := re.match(r"【([0-9:]+)†", raw):
        return (foreign[1],)
    found: list[str] = []
    for match in _REFS.finditer(raw):
        first = int(match["first"])
        found.extend(f"S{number}" for number in _range(first, int(match["last"] or first)))
    return tuple(dict.fromkeys(found))


def _range(first: int, last: int) -> Iterable[int]:
    low, high = sorted((first, last))
    return range(low, high + 1) if high - low < MAX_RANGE else (first, last)


# --- the parser ------------------------------------------------------------------------------------------------------

_EDGES = "[［【〖〔]］】〗〕\\^\ue200\ue201"
_SPECIAL = re.compile(rf"[{_OPENING}\\`~\n\ue200]")
_TICKS = re.compile("`+")
_TILDES = re.compile("~+")
_TICKS_OR_LINE_END = re.compile("`+|\n")
_LINE = re.compile(r"[^`\n]*")


class _Fence(NamedTuple):
    char: str
    length: int

    def closed_by(self, line: str) -> bool:
        line = line.strip(" \t\r>")
        return len(line) >= self.length and set(line) == {self.char}


class MarkerParser:
    """Finds markers in one text that arrives in pieces.

    Whatever the pieces, the parts put out are the same as for the whole text, except that ordinary text may come in more
    pieces. Joined, the parts give the input back: ``text`` of each :class:`Text`, ``raw`` of each :class:`Marker`.
    Text is held back only while it can still become a marker, or while it is not known whether a marker stands in code.
    """

    def __init__(self) -> None:
        self._held = ""
        self._offset = 0  # of the first held character in the whole text
        self._line_blank = True  # nothing but indentation on the current line so far
        self._span = 0  # backticks that opened a code span; 0 outside
        self._span_end = 0  # offset in the whole text behind which the span can no longer close
        self._fence: _Fence | None = None
        self._fence_line = ""  # the current line inside a fence, as far as it can matter

    def feed(self, text: str) -> list[Part]:
        """Take the next piece and return what is certain by now."""
        self._held += text
        return self._scan(final=False, cut=False)

    def finish(self, *, cut: bool = False) -> list[Part]:
        """Return what is still held, as the text it turned out to be.

        With ``cut`` the text broke off, and a marker begun at its end comes as a marker without refs. Control text of a
        provider is never text, complete or not.
        """
        return self._scan(final=True, cut=cut)

    def _scan(self, *, final: bool, cut: bool) -> list[Part]:
        parts: list[Part] = []
        while self._held:
            part = self._in_fence(self._fence) if self._fence else self._next(final, cut)
            if part is None:
                break
            consumed = part.raw if isinstance(part, Marker) else part.text
            _, newline, line = consumed.rpartition("\n")
            self._line_blank = (bool(newline) or self._line_blank) and not line.strip(" \t>")
            self._held = self._held[len(consumed) :]
            self._offset += len(consumed)
            parts.append(part)
        return list(joined(parts))

    def _next(self, final: bool, cut: bool) -> Part | None:
        """Return the next part of the held text, or None where more must be known first."""
        special = _SPECIAL.search(self._held)
        if special is None or special.start() > 0:
            return Text(self._held[: special.start()] if special else self._held)
        if special[0] == "\n" or self._offset > self._span_end:
            self._span = 0
        match special[0]:
            case "\n":
                return Text("\n")
            case "`":
                return self._at_ticks(final)
            case "~":
                return self._at_tildes(final)
            case "\\":
                return self._at_backslash(final, cut)
        return self._at_bracket(final, cut)

    def _in_fence(self, fence: _Fence) -> Text:
        line, newline, _ = self._held.partition("\n")
        self._fence_line = (self._fence_line + line)[:MAX_CODE_SPAN]
        if newline:
            if fence.closed_by(self._fence_line):
                self._fence = None
            self._fence_line = ""
        return Text(line + newline)

    def _at_ticks(self, final: bool) -> Text | None:
        ticks = _run(_TICKS, self._held)
        if ticks == self._held and not final:
            return None
        if self._span:
            if len(ticks) == self._span:
                self._span = 0
            return Text(ticks)
        if len(ticks) >= 3 and self._line_blank:
            first_line = ticks + _run(_LINE, self._held[len(ticks) :])
            after = self._held[len(first_line) : len(first_line) + 1]
            if len(first_line) <= MAX_CODE_SPAN and after != "`":
                if not after and not final:
                    return None
                self._fence = _Fence("`", len(ticks))
                return Text(first_line + after)
        self._span, self._span_end = len(ticks), self._offset + MAX_CODE_SPAN
        return Text(ticks)

    def _at_tildes(self, final: bool) -> Text | None:
        tildes = _run(_TILDES, self._held)
        if not self._line_blank:
            return Text(tildes)
        if tildes == self._held and not final:
            return None
        if len(tildes) >= 3:
            self._fence, self._fence_line = _Fence("~", len(tildes)), "opened on this line"
        return Text(tildes)

    def _at_backslash(self, final: bool, cut: bool) -> Part | None:
        escaped = self._held[1:2]
        if self._span:
            return Text("\\")
        if not escaped and not final:
            return None
        if escaped and escaped in _OPENING:
            return self._at_bracket(final, cut)
        return Text("\\" + escaped if escaped in string.punctuation else "\\")

    def _at_bracket(self, final: bool, cut: bool) -> Part | None:
        held = self._held
        limit = MAX_CONTROL if held.startswith("\ue200") else MAX_MARKER
        match = _MARKER.match(held[:limit])
        if match is not None:
            return self._in_span(final) if self._span else _with_address(match[0], held[match.end() :], final)
        if len(held) < limit and _MARKER_BEGUN.fullmatch(held):
            if not final:
                return None
            if cut:
                return Marker((), held)
            if _CONTROL_BEGUN.match(held):
                return Marker(_refs(held), held)
        return Text(held[:2] if held.startswith("\\") else held[:1])

    def _in_span(self, final: bool) -> Text | None:
        """Decide whether the marker at the start of the held text is code, as soon as the code span closes or cannot."""
        for found in _TICKS_OR_LINE_END.finditer(self._held):
            if found[0] == "\n" or self._offset + found.start() > self._span_end:
                break
            if found.end() == len(self._held) and not final:
                return None
            if len(found[0]) == self._span:
                self._span = 0
                return Text(self._held[: found.end()])
        else:
            if not final and self._offset + len(self._held) <= self._span_end:
                return None
        self._span = 0
        return Text("")


def parse(text: str) -> list[Part]:
    """Return the parts of a whole text."""
    parser = MarkerParser()
    return list(joined([*parser.feed(text), *parser.finish()]))


def joined(parts: Iterable[Part]) -> Iterator[Part]:
    """Join neighbouring pieces of ordinary text, so that the parts of two splits of one text compare equal."""
    text = ""
    for part in parts:
        if isinstance(part, Text):
            text += part.text
            continue
        if text:
            yield Text(text)
            text = ""
        yield part
    if text:
        yield Text(text)


def neutral(text: str) -> str:
    """Return ``text`` of a document with nothing in it that reads as a marker, for showing it to a model.

    Brackets of would-be markers become parentheses, so that a model that quotes the passage does not cite by accident.
    """
    text = _MARKER.sub(lambda match: f"({match[0].strip(_EDGES)})", text)
    return _CONTROL_BEGUN.sub(lambda match: match[0][1:], text)


def _run(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text)
    return match[0] if match else ""


def _with_address(marker: str, rest: str, final: bool) -> Marker | None:
    """Return the marker together with an address in parentheses that follows it, as in a Markdown link."""
    if not rest and not final:
        return None
    if match := _LINK.match(rest[:MAX_ADDRESS]):
        return Marker(_refs(marker), marker + match[0])
    if not final and rest.startswith("(") and len(rest) < MAX_ADDRESS and _LINK_BEGUN.fullmatch(rest):
        return None
    return Marker(_refs(marker), marker)
