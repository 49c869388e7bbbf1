"""The citation writer: a model's text with markers, as it streams in, becomes text, citations and places people can check."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from workbench.domain.chunks import Segment
from workbench.domain.citations import CitedAnswer, Mention, Source
from workbench.domain.events import AnswerDelta
from workbench.domain.ids import DocumentId, Ref
from workbench.domain.markers import Marker, MarkerParser, Part
from workbench.domain.passages import Span, locate
from workbench.domain.tables import cells_shown, in_sheet
from workbench.services.citations.claims import Claims
from workbench.services.citations.plumbing import Plumbing
from workbench.services.citations.register import CitationRegister

_BLANKS = " \t\u00a0\u202f\u3000"
_BETWEEN_MARKERS = re.compile(rf"[{_BLANKS}]*[,;]?[{_BLANKS}]*")
_OPENERS = frozenset("([{<“‘«„¿¡*_~`|/\\—–-#>\n")
_CLOSERS = ".,;:!?%)]}”’»。，、；：！？）】」』\n"
_ROUND = str.maketrans("[]", "()")
"""Square brackets of a document's name become round in its label, so that the label's own brackets stay a pair."""


class _Passage(NamedTuple):
    """A located passage: where it stands on its page or pages, and its text."""

    segments: tuple[Segment, ...]
    text: str


class _Cited(NamedTuple):
    """What one ref at one place cites: a page, and the passages there that support the claim.

    ``cells`` names sheet and cells where the source is part of a sheet, and is empty otherwise.
    """

    source: Source
    page: int
    passages: tuple[_Passage, ...]
    cells: str


class CitationWriter:
    """Writes the answer of one turn.

    ``sources`` returns the source that a ref names in this turn, or None; refs of other turns are not known to it. Feed
    the model's text in any pieces: the joined deltas, the mentions and the citations are the same for every split.

    Each marker becomes a label in square brackets, such as "[msa_2024.pdf, p. 5]", after exactly one space (none at the start
    of a line or after an opening bracket, a quote or emphasis). Neighbouring markers form one group with one label a page.
    Refs that name no source are taken out of the text with the space before them, and so is the plumbing of sandboxes.
    """

    def __init__(self, sources: Callable[[Ref], Source | None]) -> None:
        self._sources = sources
        self._plumbing = Plumbing()
        self._parser = MarkerParser()
        self._claims = Claims()
        self._register = CitationRegister()
        self._text = ""
        self._mentions: list[Mention] = []
        self._unknown: dict[str, None] = {}
        self._blanks = ""  # white space that waits for what follows it
        self._group: list[_Cited] = []  # neighbouring markers, not written yet
        self._between = ""  # what stands after the group so far: it goes if a marker follows
        self._removed = False  # a marker was taken out right before here ...
        self._swallow = False  # ... and the white space before it is the one that stays
        self._labelled = False  # a label ends right before here

    def feed(self, delta: str) -> AnswerDelta | None:
        """Take the model's next piece of text; return what can be shown of it, or None where nothing can yet."""
        return self._write(self._parser.feed(self._plumbing.feed(delta)))

    def finish(self, *, cut: bool = False) -> AnswerDelta | None:
        """Return what was still held back. With ``cut`` the model was cut off: a marker begun at the end is left out."""
        rest = self._plumbing.finish(cut=cut)
        return self._write([*self._parser.feed(rest), *self._parser.finish(cut=cut)], final=True)

    @property
    def answer(self) -> CitedAnswer:
        """The answer as far as it has been put out."""
        return CitedAnswer(
            text=self._text,
            citations=self._register.citations,
            mentions=tuple(self._mentions),
            unknown_refs=tuple(self._unknown),
        )

    def _write(self, parts: Iterable[Part], *, final: bool = False) -> AnswerDelta | None:
        text, mentions, citations = len(self._text), len(self._mentions), len(self._register.citations)
        for part in parts:
            if isinstance(part, Marker):
                self._take_marker(part)
            else:
                self._take_text(part.text)
        if final:
            self._write_group()
            self._put(self._taken_between())
            self._text += "" if self._removed else self._blanks
            self._blanks = ""
        if len(self._text) == text:
            return None
        return AnswerDelta(
            text=self._text[text:],
            mentions=tuple(self._mentions[mentions:]),
            citations=self._register.citations[citations:],
        )

    def _take_marker(self, marker: Marker) -> None:
        claim = self._claims.marker()
        named = [(name, self._sources(Ref(name))) for name in marker.refs]
        self._unknown.update((name, None) for name, source in named if source is None)
        self._group += [_cite(source, claim) for _, source in named if source is not None]
        if self._group:
            self._between = ""
        elif not self._removed:
            self._removed = True
            self._swallow = bool(self._blanks) or self._at_line_start()

    def _take_text(self, text: str) -> None:
        self._claims.text(text)
        if self._group:
            self._between += text
            if _BETWEEN_MARKERS.fullmatch(self._between):
                return
            self._write_group()
            text = self._taken_between()
        self._put(text)

    def _taken_between(self) -> str:
        between, self._between = self._between, ""
        return between

    def _put(self, text: str) -> None:
        """Write ordinary text, all but the white space at its end, which may yet stand before a marker."""
        body = text.lstrip(_BLANKS)
        if not (self._removed and self._swallow):
            self._blanks += text[: len(text) - len(body)]
        if not body:
            return
        if self._removed and body[0] in _CLOSERS:
            self._blanks = ""
        if self._labelled and not self._blanks and (body[0] in "([" or body[0].isalnum()):
            self._blanks = " "  # a label right before a parenthesis would read as a link
        visible = body.rstrip(_BLANKS)
        self._text += self._blanks + visible
        self._blanks = body[len(visible) :]
        self._removed = self._swallow = self._labelled = False

    def _write_group(self) -> None:
        """Write the labels of the group, one for each cited page or run of cells, and note where they stand."""
        cited_pages: dict[tuple[DocumentId, int, str], list[_Cited]] = {}
        for cited in self._group:
            cited_pages.setdefault((cited.source.chunk.document_id, cited.page, cited.cells), []).append(cited)
        for number, same_page in enumerate(cited_pages.values()):
            self._text += " " if number else self._space_before()
            self._write_label(same_page)
        if self._group:
            self._blanks, self._removed, self._swallow, self._labelled = "", False, False, True
        self._group = []

    def _write_label(self, same_page: list[_Cited]) -> None:
        passages = _distinct(passage for cited in same_page for passage in cited.passages)
        for cited in same_page:
            quote = cited.passages[0].text if cited.passages else ""
            citation = self._register.cite(cited.source, cited.page, quote, cited.cells)
        start = len(self._text)
        self._text += f"[{citation.label.translate(_ROUND)}]"
        self._mentions.append(
            Mention(
                start=start,
                end=len(self._text),
                citation=citation.number,
                refs=tuple(dict.fromkeys(cited.source.ref for cited in same_page)),
                quote=" … ".join(passage.text for passage in passages),
                spans=tuple(segment for passage in passages for segment in passage.segments),
            )
        )

    def _space_before(self) -> str:
        if self._at_line_start():
            return self._blanks
        return " " if self._blanks or self._text[-1] not in _OPENERS else ""

    def _at_line_start(self) -> bool:
        return not self._text or self._text.endswith("\n")


def _cite(source: Source, claim: str) -> _Cited:
    chunk = source.chunk
    spans = locate(claim, chunk.text)
    passages = tuple(_Passage(chunk.on_pages(start, end), chunk.text[start:end]) for start, end in spans)
    # Cells that no page shows have a passage and no place on a page.
    page = next((segment.page for passage in passages for segment in passage.segments), chunk.first_page)
    return _Cited(source, page, passages, _cells(source, spans))


def _cells(source: Source, spans: Iterable[Span]) -> str:
    """Name the cells that the spans show, or all of the source's where none can be named; "" where it is no sheet."""
    chunk = source.chunk
    if chunk.area is None:
        return ""
    shown = [str(cells) for start, end in spans for cells in cells_shown(chunk.text, start, end)]
    return in_sheet(chunk.area.sheet, ", ".join(dict.fromkeys(shown))) if shown else chunk.area.label


def _distinct(passages: Iterable[_Passage]) -> list[_Passage]:
    """Leave out passages that overlap an earlier one: neighbouring chunks share text."""
    kept: list[_Passage] = []
    for passage in passages:
        taken = (segment for other in kept for segment in other.segments)
        if not any(_overlap(one, other) for other in taken for one in passage.segments):
            kept.append(passage)
    return kept


def _overlap(one: Segment, other: Segment) -> bool:
    return one.page == other.page and one.start < other.end and other.start < one.end
