"""Page text: rows become paragraphs, words cut at a line end are joined, and every word keeps its place on the page.

Paragraphs are parted by a blank line. Inside one, lines of running text are joined by a space, so that a quote reads as
one sentence; rows of a table and short lines (an address, a signature block) keep their line break, and cells of a row are
parted by a tab.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median, quantiles

from workbench.adapters.pymupdf.characters import unspaced
from workbench.adapters.pymupdf.columns import regions
from workbench.adapters.pymupdf.fragments import PlacedWord, RawPage
from workbench.adapters.pymupdf.hyphens import joint, vocabulary
from workbench.adapters.pymupdf.rows import CLAUSE, Row, rows
from workbench.domain.pages import Page, Word

_ENDS = re.compile(r"[.:;!?][\"'”’)\]]*$")
_ENDS_ITEM = re.compile(r"(?:[.:;!?,][\"'”’)\]]*|\b(?:and|or))$")
PARAGRAPH = "\n\n"
_DOUBLE_SPACING = 2.5


def known_words(pages: Sequence[RawPage]) -> Counter[str]:
    """Count the words that stand within lines: the evidence for joining the ones that were cut."""
    return vocabulary(word.text for page in pages for piece in page.fragments for word in piece.words[:-1])


def page_of(raw: RawPage, known: Counter[str]) -> Page:
    """Return the page with its text in reading order."""
    composer = _Composer(known)
    for region in regions([piece for piece in raw.fragments if not piece.aside]):
        composer.region(rows(region))
    for piece in raw.fragments:
        if piece.aside:
            composer.region([Row([piece])])
    composer.finish()
    return Page(
        number=raw.number,
        label=raw.label,
        text="".join(composer.parts),
        width=raw.width,
        height=raw.height,
        words=tuple(composer.words),
        has_images=raw.has_images,
        ocr=raw.ocr,
    )


class _Composer:
    """Builds a page's text line by line, with the ranges of its words."""

    def __init__(self, known: Counter[str]) -> None:
        self.known = known
        self.parts: list[str] = []
        self.words: list[Word] = []
        self.length = 0
        self.last: Row | None = None
        self.in_table = False
        self.pending: PlacedWord | None = None
        """The last word of the line before: how it reads depends on the line that follows."""

    def region(self, lines: Sequence[Row]) -> None:
        """Add a region's rows; its first line may go on with the sentence that the region before left open."""
        pitch = _pitch(lines)
        left, right = min(row.x0 for row in lines), max(row.x1 for row in lines)
        for index, row in enumerate(lines):
            if self.last is None:
                separator = ""
            elif index == 0:
                separator = " " if _goes_on(self.last, row) else PARAGRAPH
            else:
                separator = self._separator(self.last, row, pitch, left, right)
            self._add(row, separator)
            self.last = row
            self.in_table = row.is_table_row or (self.in_table and separator == "\n")

    def _add(self, row: Row, separator: str) -> None:
        cells = [[word for piece in cell for word in piece.words] for cell in row.cells]
        first = cells[0][0]
        if self.pending is not None:
            separator = self._settle(first, separator)
        self._write(separator)
        for number, cell in enumerate(cells):
            for place, word in enumerate(cell):
                if number or place:
                    self._write("\t" if place == 0 else " ")
                if number == len(cells) - 1 and place == len(cell) - 1:
                    self.pending = word
                else:
                    self._word(word, word.text)

    def _settle(self, following: PlacedWord, separator: str) -> str:
        """Write the word held back, joined to the next line's first word where the line break had cut it."""
        pending, self.pending = self.pending, None
        if pending is None:
            return separator
        text = pending.text
        if separator == " ":
            text, separator = joint(pending.text, following.text, self.known)
            if separator and unspaced(text[-1]) and unspaced(following.text[0]):
                separator = ""
        self._word(pending, text)
        return separator

    def finish(self) -> None:
        """Write the last word."""
        if self.pending is not None:
            self._word(self.pending, self.pending.text)
            self.pending = None

    def _separator(self, before: Row, after: Row, pitch: float, left: float, right: float) -> str:
        """Return what stands between two rows of a region that spans ``left`` to ``right``."""
        step = after.centre - before.centre
        if self.in_table and after.is_table_row:
            return "\n" if step <= 2.5 * max(pitch, after.height) else PARAGRAPH
        if self.in_table:
            wrapped = step <= 1.35 * max(pitch, after.height) and after.x1 - after.x0 < 0.6 * (right - left)
            return "\n" if wrapped else PARAGRAPH
        if after.is_table_row or _parted(before, after, pitch, left, right):
            return PARAGRAPH
        short = before.x1 < left + 0.6 * (right - left)
        return "\n" if short and not after.text[:1].islower() else " "

    def _word(self, word: PlacedWord, text: str) -> None:
        self.words.append(Word(self.length, self.length + len(text), *word.box))
        self._write(text)

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)


def _pitch(lines: Sequence[Row]) -> float:
    """Return the usual distance of two lines: a low quartile, so that gaps between paragraphs do not count.

    It is never more than double spacing, or two lines at the ends of a page would make one paragraph.
    """
    steps = [after.centre - before.centre for before, after in pairwise(lines)]
    steps = [step for step in steps if step > 1.0]
    if not steps:
        return 0.0
    usual = quantiles(steps, n=4)[0] if len(steps) > 1 else steps[0]
    return min(usual, _DOUBLE_SPACING * median(row.height for row in lines))


def _goes_on(before: Row, after: Row) -> bool:
    """Tell whether a new column goes on with the sentence of the one before."""
    return not _ENDS.search(before.text) and after.text[:1].islower() and not after.is_table_row


def _parted(before: Row, after: Row, pitch: float, left: float, right: float) -> bool:
    """Tell whether a new paragraph of running text begins."""
    step = after.centre - before.centre
    if step > 1.35 * pitch + 0.5 or abs(after.height - before.height) > 0.15 * before.height:
        return True
    ended = _ENDS.search(before.text)
    short = before.x1 < right - 0.15 * (right - left)
    if CLAUSE.match(before.text) and short and not ended and after.text[0].isupper():
        return True
    if CLAUSE.match(after.text) and (_ENDS_ITEM.search(before.text) or short):
        return True
    indented = after.x0 > left + 0.8 * after.height and before.x0 < left + 0.4 * before.height
    return bool(ended and (short or indented))


def pages_of(raw_pages: Sequence[RawPage]) -> Iterator[Page]:
    """Yield the pages of a document, whose own words decide where hyphens stay."""
    known = known_words(raw_pages)
    for raw in raw_pages:
        yield page_of(raw, known)
