"""The blocks of a contract as reportlab flowables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.lib.colors import HexColor, black, white
from reportlab.lib.enums import TA_RIGHT
from reportlab.platypus import (
    Flowable,
    NextPageTemplate,
    PageBreak,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from .markup import Block, MarkupError, Text
from .scan import ScannedPage
from .signatures import SignatureBlock
from .typography import Look


@dataclass(frozen=True)
class Contents:
    """The headings and the page labels that the table of contents prints."""

    entries: list[tuple[str, str]]


class Mark(Flowable):
    """A place whose page the template wants to know."""

    def __init__(self, name: str) -> None:
        """Mark a place."""
        super().__init__()
        self.name = name

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Take no room."""
        return 0, 0

    def draw(self) -> None:
        """Draw nothing."""


class Heading(Paragraph):
    """A clause or schedule heading, listed in the contents and the outline."""

    def __init__(self, text: str, style: object, plain: str) -> None:
        """A heading whose ``plain`` text names it elsewhere."""
        super().__init__(text, style)
        self.plain = plain


class Setter:
    """Turns blocks into flowables in one look; remembers whether the columns are narrow."""

    def __init__(self, text: Text, look: Look, contents: Contents) -> None:
        """Set ``text`` in ``look``."""
        self.source, self.look, self.contents = text, look, contents
        self.narrow = False
        self.width = look.page[0] - 136

    def flow(self, block: Block) -> Iterator[Flowable]:
        """The flowables of one block."""
        handler = getattr(self, f"_{block.kind}", None)
        if handler is None:
            raise MarkupError(f"{self.source.name}: unknown block ':{block.kind}'")
        yield from handler(block)

    def _text(self, raw: str) -> str:
        return self.look.text(raw, hyphenate=self.narrow)

    def _size(self) -> dict[str, float]:
        # Reportlab loses hyphens that stand in the text when a paragraph is split over pages with hyphenation on,
        # so it is on only where it is wanted.
        return {"fontSize": 8.1, "leading": 10, "spaceAfter": 3, "embeddedHyphenation": 1} if self.narrow else {}

    def _heading(self, block: Block) -> Iterator[Flowable]:
        shown = block.text.upper() if self.look.caps else block.text
        changes = {"fontSize": 8.6, "leading": 10.5, "spaceBefore": 4, "spaceAfter": 3} if self.narrow else {}
        yield Heading(self.look.text(shown), self.look.heading(**changes), block.text)

    def _paragraph(self, block: Block) -> Iterator[Flowable]:
        yield Paragraph(self._text(block.text), self.look.style("paragraph", **self._size()))

    def _clause(self, block: Block) -> Iterator[Flowable]:
        step = self.look.indent * (0.62 if self.narrow else 1)
        start = step * block.level
        if self.look.inline_numbers:
            style = self.look.style("clause", leftIndent=start, firstLineIndent=0 if block.level else 24)
            number = block.number if block.level else f"**{block.number}**"
            yield Paragraph(self._text(f"{number}  {block.text}"), style)
            return
        style = self.look.style(
            "clause",
            **self._size(),
            leftIndent=start + step,
            bulletIndent=start,
            bulletFontName=self.look.body,
            bulletFontSize=self._size().get("fontSize", self.look.size),
        )
        yield Paragraph(self._text(block.text), style, bulletText=self.look.plain(block.number))

    def _schedule(self, block: Block) -> Iterator[Flowable]:
        number, _, title = block.text.partition(" | ")
        yield PageBreak()
        yield Paragraph(self.look.text(number), self.look.centred(self.look.size + 2, after=2))
        plain = f"{number} \u2013 {title}"
        yield Heading(self.look.text(title), self.look.centred(self.look.size + 2, after=14), plain)

    def _title(self, block: Block) -> Iterator[Flowable]:
        yield Paragraph(self.look.text(block.text), self.look.centred(self.look.size + 3, after=12))

    def _table(self, block: Block) -> Iterator[Flowable]:
        size = float(block.options.get("size", self.look.size - 1.2))
        width = float(block.options.get("width", self.width))
        shares = [float(share) for share in block.text.split(",")]
        widths = [width * share / sum(shares) for share in shares]
        aligns = block.options.get("align", "l" * len(shares))
        rows = block.rows()
        self._check_rows(rows, len(shares))
        cells = [
            [self._cell(cell, size, aligns[column], head=index == 0) for column, cell in enumerate(row)]
            for index, row in enumerate(rows)
        ]
        yield Table(cells, colWidths=widths, style=self._table_style(), repeatRows=0, spaceAfter=10, spaceBefore=4)

    def _check_rows(self, rows: list[list[str]], columns: int) -> None:
        for row in rows:
            if len(row) != columns:
                raise MarkupError(f"{self.source.name}: table row {row} has {len(row)} cells, not {columns}")

    def _cell(self, raw: str, size: float, align: str, head: bool) -> Paragraph:
        colour = white if head and self.look.table == "zebra" else black
        changes: dict[str, object] = {
            "fontSize": size,
            "leading": size * 1.22,
            "spaceAfter": 0,
            "fontName": self.look.bold if head else self.look.body,
            "textColor": colour,
            "alignment": TA_RIGHT if align == "r" else 0,
        }
        return Paragraph(self.look.text(raw), self.look.style("cell", **changes))

    def _table_style(self) -> TableStyle:
        commands: list[tuple[object, ...]] = [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 3),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
        ]
        if self.look.table == "grid":
            commands.append(("GRID", (0, 0), (-1, -1), 0.5, HexColor("#777777")))
            commands.append(("BACKGROUND", (0, 0), (-1, 0), HexColor("#e9e9e9")))
        elif self.look.table == "rules":
            commands.append(("LINEABOVE", (0, 0), (-1, 0), 1, self.look.accent))
            commands.append(("LINEBELOW", (0, 0), (-1, -1), 0.4, HexColor("#bbbbbb")))
            commands.append(("LINEBELOW", (0, 0), (-1, 0), 0.8, self.look.accent))
        else:
            commands.append(("BACKGROUND", (0, 0), (-1, 0), self.look.accent))
            commands.append(("ROWBACKGROUNDS", (0, 1), (-1, -1), [white, HexColor("#f1f3f5")]))
            commands.append(("LINEBELOW", (0, -1), (-1, -1), 0.6, self.look.accent))
        return TableStyle(commands)

    def _toc(self, _: Block) -> Iterator[Flowable]:
        yield Paragraph(self.look.text("Contents"), self.look.heading(fontSize=14, leading=18, spaceAfter=10))
        style = self.look.style("entry", spaceAfter=0)
        right = self.look.style("page", spaceAfter=0, alignment=TA_RIGHT)
        # The first pass knows no headings yet; as many rows as there will be keep its page breaks right.
        expected = sum(block.kind in ("heading", "schedule") for block in self.source.blocks)
        entries = self.contents.entries or [("\u2013", "0")] * expected
        rows = [[Paragraph(self.look.text(name), style), Paragraph(label, right)] for name, label in entries]
        padding = TableStyle([("TOPPADDING", (0, 0), (-1, -1), 2), ("BOTTOMPADDING", (0, 0), (-1, -1), 2)])
        yield Table(rows, colWidths=[self.width - 50, 50], style=padding)

    def _body(self, _: Block) -> Iterator[Flowable]:
        yield from (NextPageTemplate("body"), PageBreak(), Mark("body"))

    def _page(self, _: Block) -> Iterator[Flowable]:
        yield PageBreak()

    def _space(self, block: Block) -> Iterator[Flowable]:
        yield Spacer(1, float(block.text))

    def _columns(self, _: Block) -> Iterator[Flowable]:
        self.narrow = True
        yield from (NextPageTemplate("columns"), PageBreak())

    def _single(self, _: Block) -> Iterator[Flowable]:
        self.narrow = False
        yield from (NextPageTemplate("body"), PageBreak())

    def _rotated(self, _: Block) -> Iterator[Flowable]:
        self.width = self.look.page[1] - 136
        yield from (NextPageTemplate("rotated"), PageBreak(), Mark("rotated"))

    def _annex(self, block: Block) -> Iterator[Flowable]:
        """A schedule heading that does not start a page, for pages that a layout block has just started."""
        yield from list(self._schedule(block))[1:]

    def _scan(self, block: Block) -> Iterator[Flowable]:
        yield from (NextPageTemplate("scan"), PageBreak(), ScannedPage(block.lines, self.look))
        yield from (NextPageTemplate("body"), PageBreak())

    def _sign(self, block: Block) -> Iterator[Flowable]:
        yield SignatureBlock(block.rows(), self.look, self.width)


def story(text: Text, look: Look, contents: Contents) -> list[Flowable]:
    """All flowables of a contract; the cover is drawn by its page template."""
    setter = Setter(text, look, contents)
    flowables: list[Flowable] = [Spacer(1, 1), NextPageTemplate("body"), PageBreak()]
    for block in text.blocks:
        flowables.extend(setter.flow(block))
    return flowables
