"""Title pages."""

from __future__ import annotations

from reportlab.lib.colors import white
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from .markup import Text
from .typography import Look


def draw(canvas: Canvas, text: Text, look: Look) -> None:
    """The title page in the style of the look."""
    styles = {"classic": _classic, "band": _band, "american": _american}
    canvas.saveState()
    styles[look.cover](canvas, text, look)
    canvas.restoreState()


def _centred(canvas: Canvas, look: Look, raw: str, y: float, size: float, bold: bool = False) -> float:
    """A centred, wrapped text; gives the height where the next may start."""
    width = look.page[0] - 160
    paragraph = Paragraph(look.text(raw), look.centred(size, bold=bold))
    _, height = paragraph.wrap(width, 400)
    paragraph.drawOn(canvas, 80, y - height)
    return float(y - height - size * 0.6)


def _classic(canvas: Canvas, text: Text, look: Look) -> None:
    width, height = look.page
    canvas.setStrokeColor(look.accent)
    canvas.setFillColor(look.accent)
    y = _centred(canvas, look, f"Dated {text.facts['dated']}", height - 130, 12)
    canvas.setLineWidth(1.4)
    canvas.line(130, y - 30, width - 130, y - 30)
    y = _centred(canvas, look, text.facts["title"].upper(), y - 52, 21, bold=True)
    y = _centred(canvas, look, text.facts["subtitle"], y, 12)
    canvas.line(130, y - 14, width - 130, y - 14)
    y -= 62
    for index, (name, role) in enumerate(text.parties):
        if index:
            y = _centred(canvas, look, "and", y - 6, 11)
        y = _centred(canvas, look, name, y - 8, 14, bold=True)
        y = _centred(canvas, look, f"({role})", y, 11)
    canvas.setFont(look.body, 9)
    canvas.drawCentredString(width / 2, 92, look.plain(f"Reference {text.facts['reference']}"))
    canvas.drawCentredString(width / 2, 78, look.plain(text.facts["notice"]))


def _band(canvas: Canvas, text: Text, look: Look) -> None:
    width, height = look.page
    canvas.setFillColor(look.accent)
    canvas.rect(0, height - 128, width, 128, stroke=0, fill=1)
    canvas.setFillColor(white)
    _emblem(canvas, look.emblem, 66, height - 82)
    canvas.setFont(look.bold, 17)
    canvas.drawString(146, height - 72, look.plain(text.facts["supplier"]))
    canvas.setFillColor(look.accent)
    styled = look.heading(fontSize=24, leading=30)
    paragraph = Paragraph(look.text(text.facts["title"]), styled)
    _, used = paragraph.wrap(width - 140, 300)
    paragraph.drawOn(canvas, 68, height - 240 - used)
    y = height - 262 - used
    plain = look.style("subtitle", fontSize=12, leading=16, alignment=0)
    subtitle = Paragraph(look.text(text.facts["subtitle"]), plain)
    _, used = subtitle.wrap(width - 140, 200)
    subtitle.drawOn(canvas, 68, y - used)
    y -= used + 60
    canvas.setFillGray(0)
    for label, value in [(role, name) for name, role in text.parties] + [
        ("Agreement no.", text.facts["reference"]),
        ("Date", text.facts["dated"]),
    ]:
        canvas.setFont(look.bold, 10)
        canvas.drawString(68, y, look.plain(label))
        canvas.setFont(look.body, 10)
        canvas.drawString(190, y, look.plain(value))
        canvas.setStrokeGray(0.75)
        canvas.line(68, y - 7, width - 68, y - 7)
        y -= 24
    canvas.setFont(look.body, 8.5)
    canvas.setFillGray(0.35)
    canvas.drawString(68, 70, look.plain(text.facts["notice"]))


def _emblem(canvas: Canvas, shape: str, x: float, y: float) -> None:
    """A supplier's mark, about 60 points wide, in three strengths of the fill colour."""
    for step in range(3):
        canvas.setFillAlpha(0.25 + 0.3 * step)
        if shape == "circles":
            canvas.circle(x + 14 + 17 * step, y + 16, 15, stroke=0, fill=1)
        elif shape == "bars":
            canvas.rect(x + 19 * step, y, 15, 12 + 11 * step, stroke=0, fill=1)
        else:
            path = canvas.beginPath()
            path.moveTo(x + 14 * step, y)
            path.lineTo(x + 14 * step + 16, y + 34)
            path.lineTo(x + 14 * step + 32, y)
            path.close()
            canvas.drawPath(path, stroke=0, fill=1)
    canvas.setFillAlpha(1)


def _american(canvas: Canvas, text: Text, look: Look) -> None:
    width, height = look.page
    y = _centred(canvas, look, text.facts["title"].upper(), height - 190, 20, bold=True)
    y = _centred(canvas, look, text.facts["subtitle"], y, 12)
    y = _centred(canvas, look, "by and between", y - 40, 12)
    for index, (name, role) in enumerate(text.parties):
        if index:
            y = _centred(canvas, look, "and", y, 12)
        y = _centred(canvas, look, name.upper(), y - 4, 14, bold=True)
        y = _centred(canvas, look, f"(\u201c{role}\u201d)", y, 11)
    y = _centred(canvas, look, f"{text.facts['dated_label']} {text.facts['dated']}", y - 40, 12)
    canvas.setLineWidth(0.8)
    canvas.rect(54, 54, width - 108, height - 108, stroke=1, fill=0)
    canvas.setFont(look.body, 9)
    canvas.drawCentredString(width / 2, 76, look.plain(f"{text.facts['reference']}. {text.facts['notice']}"))
