"""Blocks of a page: paragraphs, headings and tables, and the sentences or rows they are made of.

Everything is a range of the page's text; nothing is rewritten.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from workbench.domain.pages import Page, PageTable

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n[ \n]*")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*(?=\s+[\"'“‘(\[]*[A-Z0-9À-ÞА-Я])|[。！？]|\n(?=\S)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“\"])(?:No|Nos|Art|Arts|Sec|Secs|Cl|Inc|Ltd|Co|Corp|LLC|Mr|Mrs|Ms|Dr|Prof|St|vs|v|cf|e\.g|i\.e|al|approx|"
    r"para|paras|p|pp|Fig|U\.S|U\.K|[A-Z]|\(?[ivx]{1,4}|\d{1,3}(?:\.\d{1,3})*)\.$"
)
_OPEN_END = re.compile(r"[^.:;!?\"”’)\]]$|[^.:;!?][\"”’)\]]$")
_CLAUSE_START = re.compile(
    r"(?:(?:ARTICLE|Article|SECTION|Section|SCHEDULE|Schedule|ANNEX|Annex|EXHIBIT|Exhibit)\s+[\dIVXLCA-Z]+\b"
    r"|\d{1,3}(?:\.\d{1,3})*[.)]\s|\d{1,3}(?:\.\d{1,3})+\s|\([a-z0-9]{1,4}\)\s|[•●▪■◦‣·]\s)"
)


class Span(NamedTuple):
    start: int
    end: int


class Block(NamedTuple):
    """A paragraph or a table of one page. ``parts`` are its sentences or its rows, without gaps in what is not space.

    ``table`` is what the reader found out about it; empty cells at the beginning of a row are tabs.
    """

    page: int
    start: int
    end: int
    text: str
    is_table: bool
    parts: tuple[Span, ...]
    table: PageTable | None = None

    @property
    def first_row(self) -> str:
        return self.text.split("\n", 1)[0]

    @property
    def cells(self) -> int:
        """The number of cells of a table's first row."""
        return self.table.columns if self.table else self.first_row.count("\t") + 1


def blocks(page: Page) -> Iterator[Block]:
    """Yield the page's blocks in order; together they hold every character that is not white space."""
    for span in _between(page.text, 0, len(page.text), _PARAGRAPH_END):
        text = page.text[span.start : span.end]
        is_table = "\t" in text
        parts = _table_rows(page.text, span) if is_table else sentences(page.text, span)
        table = next((each for each in page.tables if span.start <= each.start < span.end), None)
        yield Block(page.number, span.start, span.end, text, is_table, tuple(parts), table)


def sentences(text: str, within: Span) -> list[Span]:
    """Return the sentences in a range, trimmed of white space; an abbreviation or a clause number ends none."""
    found: list[Span] = []
    start = within.start
    for match in _SENTENCE_END.finditer(text, within.start, within.end):
        if match.group() != "\n" and _ABBREVIATION.search(text[max(start, match.end() - 12) : match.end()]):
            continue
        found.append(Span(start, match.end()))
        start = match.end()
    found.append(Span(start, within.end))
    return [trimmed for span in found if (trimmed := _trimmed(text, span)).start < trimmed.end]


def runs_on(before: Block, after: Block) -> bool:
    """Tell whether a sentence begins in ``before``, the last block of a page, and goes on in ``after``, the next one's first.

    An ending without punctuation is not enough: the next page must not begin with a clause, an item or a table.
    """
    if before.is_table or after.is_table or _CLAUSE_START.match(after.text):
        return False
    begins = after.text.lstrip("\"'“‘([")[:1]
    if begins.islower():
        return not before.text.endswith((".", "!", "?"))
    return bool(_OPEN_END.search(before.text)) and len(before.text) > 60


def _table_rows(text: str, within: Span) -> list[Span]:
    """Return the rows of a table; a line of one cell is the rest of the row above it."""
    rows: list[Span] = []
    for line in _between(text, within.start, within.end, re.compile(r"\n")):
        if rows and "\t" not in text[line.start : line.end]:
            rows[-1] = Span(rows[-1].start, line.end)
        else:
            rows.append(line)
    return rows


def _between(text: str, start: int, end: int, separator: re.Pattern[str]) -> list[Span]:
    """Return the trimmed, non-empty stretches between the separators."""
    found: list[Span] = []
    for match in separator.finditer(text, start, end):
        found.append(Span(start, match.start()))
        start = match.end()
    found.append(Span(start, end))
    return [trimmed for span in found if (trimmed := _trimmed(text, span)).start < trimmed.end]


def _trimmed(text: str, span: Span) -> Span:
    """Take white space off the ends, but not the tabs that stand for empty cells before a row's first one."""
    piece = text[span.start : span.end]
    if not piece.strip():
        return Span(span.start, span.start)
    left = len(piece) - len(piece.lstrip())
    tabs = len(piece[:left]) - len(piece[:left].rstrip("\t"))
    return Span(span.start + left - tabs, span.start + len(piece.rstrip()))
