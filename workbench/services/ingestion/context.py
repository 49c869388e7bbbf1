"""The context line: what a passage does not say about itself, and a search needs to know."""

from collections.abc import Sequence

from workbench.domain.documents import Document
from workbench.services.ingestion.headings import Heading, Level
from workbench.services.ingestion.units import CountTokens

MAX_CONTEXT_TOKENS = 48
SEPARATOR = " | "


class Outline:
    """The headings above the current place of a document."""

    def __init__(self) -> None:
        self.part = ""
        self.section = ""
        self.clause = ""
        self._bare = False
        self._numbered = False

    def enter(self, heading: Heading) -> bool:
        """Take in a heading; tell whether a new section begins."""
        if self._bare and not heading.numbered:
            # "ARTICLE VII" on one line, "INDEMNIFICATION" on the next.
            self._name(heading.text)
            return False
        if heading.level is Level.CLAUSE:
            self.clause, self._bare = heading.text, False
            return False
        if heading.level is Level.PART:
            self.part, self.section = heading.text, ""
        elif heading.numbered or not self._numbered:
            self.section = heading.text
            self._numbered = heading.numbered
        else:
            # Between numbered sections an unnumbered line is a sub-heading.
            self.clause = heading.text
            return False
        self.clause, self._bare = "", heading.bare
        return True

    def _name(self, title: str) -> None:
        self._bare = False
        if self.section:
            self.section = f"{self.section} {title}"
        else:
            self.part = f"{self.part} {title}"

    @property
    def lines(self) -> tuple[str, ...]:
        """The headings from the widest to the nearest."""
        return tuple(line for line in (self.part, self.section, self.clause) if line)


def context_line(
    document: Document,
    count_tokens: CountTokens,
    headings: Sequence[str],
    columns: str = "",
    limit: int = MAX_CONTEXT_TOKENS,
) -> str:
    """Return title (or file name), supplier, headings and, inside a cut table, its column names, within ``limit`` tokens.

    What is dropped for room goes in this order: the widest headings, the supplier, words off the end of the columns or of
    the title.
    """
    title = " ".join((document.title or document.display_name).split())
    supplier = document.tag("supplier")
    named = f"Supplier: {supplier}" if supplier and supplier.casefold() not in title.casefold() else ""
    above = list(headings)
    table = f"Columns: {columns.replace(chr(9), ', ')}" if columns else ""
    while True:
        line = SEPARATOR.join(part for part in (title, named, *above, table) if part)
        if count_tokens([line])[0] <= limit:
            return line
        if len(above) > 1:
            above.pop(0)
        elif named:
            named = ""
        elif table:
            table = _shorter(table)
        elif len(title) > 60:
            title = _shorter(title)
        elif above:
            above.pop(0)
        else:
            title = _shorter(title)
            if not title:
                return ""


def _shorter(text: str) -> str:
    """Take the last word off, or the last half of a single word; the result may be empty."""
    head, space, _ = text.rpartition(" ")
    return head if space else text[: len(text) // 2]
