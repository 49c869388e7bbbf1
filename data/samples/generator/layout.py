"""Setting a parsed contract as a PDF: page templates, running headers and footers, and the two passes."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from . import covers
from .blocks import Contents, Heading, Mark, story
from .markup import Text
from .typography import Look

PRODUCER = "Pincite sample contracts"


@dataclass
class Plan:
    """What the first pass learned: where the front matter and the annex lie, and the page of every heading."""

    total: int = 0
    marks: dict[str, int] = field(default_factory=dict)
    headings: list[tuple[str, int]] = field(default_factory=list)

    def labelled(self) -> bool:
        """Whether the printed labels differ from the physical page numbers."""
        return "body" in self.marks or "rotated" in self.marks

    def ranges(self) -> list[tuple[int, str, str]]:
        """The label ranges as (first physical page, style, prefix)."""
        body = self.marks.get("body", 1)
        ranges = [(1, "ROMAN_LOWER", "")] if body > 1 else []
        ranges.append((body, "ARABIC", ""))
        if "rotated" in self.marks:
            ranges.append((self.marks["rotated"], "ARABIC", "A-"))
        return ranges

    def label(self, page: int) -> str:
        """The label printed on a physical page."""
        first, style, prefix = [entry for entry in self.ranges() if entry[0] <= page][-1]
        number = page - first + 1
        return prefix + (roman(number) if style == "ROMAN_LOWER" else str(number))


def roman(number: int) -> str:
    """A small number in lower-case roman figures."""
    text = ""
    for value, figure in ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
        while number >= value:
            text, number = text + figure, number - value
    return text


class ContractTemplate(BaseDocTemplate):
    """The page templates of one contract."""

    def __init__(self, target: io.BytesIO, text: Text, look: Look, plan: Plan) -> None:
        """Prepare to write to ``target`` what ``plan`` knows from the pass before."""
        self.look, self.text, self.plan, self.found = look, text, plan, Plan()
        facts = text.facts
        super().__init__(
            target,
            pagesize=look.page,
            invariant=1,
            title=f"{facts['title']} ({facts['supplier']})",
            author=facts["supplier"],
            subject=facts["subtitle"],
            creator=PRODUCER,
            producer=PRODUCER,
        )
        self.addPageTemplates(self._templates())

    def _templates(self) -> list[PageTemplate]:
        width, height = self.look.page
        side, top, gutter = 68.0, 74.0, 20.0
        inner, tall = width - 2 * side, height - 2 * top
        column = (inner + 36 - gutter) / 2
        return [
            self._template("cover", [Frame(side, top, inner, tall, 0, 0, 0, 0)], self._cover),
            self._template("body", [Frame(side, top, inner, tall, 0, 0, 0, 0)], self._upright),
            self._template(
                "columns",
                [Frame(side - 18 + i * (column + gutter), top, column, tall, 0, 0, 0, 0) for i in (0, 1)],
                self._upright,
            ),
            self._template("rotated", [Frame(side, top, height - 2 * side, width - 2 * top, 0, 0, 0, 0)], self._turned),
            self._template("scan", [Frame(0, 0, width, height, 0, 0, 0, 0)], self._bare),
        ]

    def _template(self, name: str, frames: list[Frame], draw: Callable[[Canvas], None]) -> PageTemplate:
        def on_page(canvas: Canvas, _: BaseDocTemplate) -> None:
            draw(canvas)

        # Reportlab takes the size as displayed and swaps it in the file when the page is turned.
        turned = name == "rotated"
        size = self.look.page[::-1] if turned else self.look.page
        template = PageTemplate(id=name, frames=frames, onPage=on_page, pagesize=size)
        template.rotation = 90 if turned else 0
        return template

    def _cover(self, canvas: Canvas) -> None:
        covers.draw(canvas, self.text, self.look)

    def _bare(self, canvas: Canvas) -> None:
        """A scanned page carries nothing but its image."""

    def _upright(self, canvas: Canvas) -> None:
        self._running_lines(canvas, *self.look.page)

    def _turned(self, canvas: Canvas) -> None:
        # The page stays portrait and is shown turned clockwise, so everything is drawn turned the other way.
        width, height = self.look.page
        canvas.transform(0, 1, -1, 0, width, 0)
        self._running_lines(canvas, height, width)

    def _running_lines(self, canvas: Canvas, width: float, height: float) -> None:
        look, side = self.look, 50
        left, right = look.header
        label = self.plan.label(canvas.getPageNumber()) if self.plan.total else "0"
        canvas.saveState()
        canvas.setFont(look.body, 8)
        canvas.setFillGray(0.3)
        canvas.drawString(side, height - 42, look.plain(left))
        canvas.drawRightString(width - side, height - 42, look.plain(right))
        canvas.setStrokeColor(look.accent)
        canvas.setLineWidth(0.5)
        if look.cover != "american":
            canvas.line(side, height - 48, width - side, height - 48)
        footer = look.footer.format(label=label, total=self.plan.total)
        canvas.setFont(look.body, 8.5)
        if look.footer_side == "right":
            canvas.drawString(side, 36, self.text.facts["reference"])
            canvas.drawRightString(width - side, 36, footer)
        else:
            canvas.drawCentredString(width / 2, 36, footer)
        canvas.restoreState()

    def beforeDocument(self) -> None:  # noqa: N802 (reportlab's hook)
        """Give the file the page labels the first pass found."""
        if self.plan.total and self.plan.labelled():
            for page, style, prefix in self.plan.ranges():
                self.canv.addPageLabel(page - 1, style=style, start=1, prefix=prefix or None)

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (reportlab's hook)
        """Note marks and headings, and put the headings in the outline."""
        if isinstance(flowable, Mark):
            self.found.marks.setdefault(flowable.name, self.page)
        elif isinstance(flowable, Heading):
            key = f"h{len(self.found.headings)}"
            self.found.headings.append((flowable.plain, self.page))
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(flowable.plain, key, 0)


def build_pdf(text: Text, look: Look) -> bytes:
    """The bytes of one contract. The first pass finds the labels and the total that the second one prints."""
    plan, data = Plan(), b""
    for _ in range(2):
        target = io.BytesIO()
        template = ContractTemplate(target, text, look, plan)
        contents = [(heading, plan.label(page)) for heading, page in plan.headings]
        template.build(story(text, look, Contents(contents)))
        plan, data = template.found, target.getvalue()
        plan.total = template.page
    return data
