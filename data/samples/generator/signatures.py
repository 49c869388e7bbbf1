"""Signature blocks with drawn signatures."""

from __future__ import annotations

import random

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from .typography import Look

INK = HexColor("#1b2a6b")


def scribble(canvas: Canvas, x: float, y: float, name: str) -> None:
    """A signature-like line, always the same for the same name."""
    rng = random.Random(name)
    tall, pace, slant = rng.uniform(9, 30), rng.uniform(6, 15), rng.uniform(-0.3, 0.5)
    path = canvas.beginPath()
    path.moveTo(x, y)
    path.curveTo(x - 8, y + tall, x + 14, y + tall + 8, x + 10, y - 6)
    x += 10
    for _ in range(rng.randint(4, 9)):
        step, rise = rng.uniform(0.5, 1.4) * pace, rng.uniform(0.15, 1) * tall
        path.curveTo(x + slant * step, y + rise, x + step * 1.3, y + rise, x + step * 0.8, y + rng.uniform(-5, 3))
        x += step * 0.8
    path.curveTo(x + 16, y - 8, x - rng.uniform(20, 70), y - rng.uniform(2, 11), x + rng.uniform(15, 40), y + 3)
    canvas.saveState()
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(1.1)
    canvas.drawPath(path, stroke=1, fill=0)
    canvas.restoreState()


class SignatureBlock(Flowable):
    """Two or more signatories side by side; rows are (party, name, position, date)."""

    room = 132

    def __init__(self, rows: list[list[str]], look: Look, width: float) -> None:
        """Room for every signatory in ``rows``."""
        super().__init__()
        self.rows, self.look, self.full = rows, look, width

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """The room the block takes: one line of signatories for every two of them."""
        return self.full, self.room * ((len(self.rows) + 1) // 2)

    def draw(self) -> None:
        """Draw every signatory."""
        lines = (len(self.rows) + 1) // 2
        for index, row in enumerate(self.rows):
            x = (index % 2) * (self.full / 2 + 8)
            y = (lines - index // 2) * self.room - 14
            self._signatory(x, y, row)

    def _signatory(self, x: float, y: float, row: list[str]) -> None:
        party, name, position, date = row
        canvas, look, width = self.canv, self.look, self.full / 2 - 16
        canvas.setFont(look.bold, 9)
        canvas.drawString(x, y, look.plain("Signed for and on behalf of"))
        canvas.drawString(x, y - 12, look.plain(party))
        scribble(canvas, x + 24, y - 50, name)
        canvas.setLineWidth(0.5)
        canvas.line(x, y - 58, x + width, y - 58)
        canvas.setFont(look.body, 9)
        for step, (label, value) in enumerate((("Name", name), ("Position", position), ("Date", date))):
            canvas.drawString(x, y - 72 - 13 * step, look.plain(f"{label}: {value}"))
