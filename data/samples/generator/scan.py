"""A page as a scanner would give it: a raster without a text layer, a little skewed, with dust."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from functools import lru_cache

import pymupdf
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from .signatures import scribble
from .typography import Look

DPI = 150
SKEW = 0.7  # degrees: visible to the eye, harmless to an OCR engine


def _dust(canvas: Canvas, width: float, height: float) -> None:
    rng = random.Random("dust")
    canvas.setFillGray(0.55)
    for _ in range(140):
        canvas.circle(rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0.15, 0.55), stroke=0, fill=1)
    canvas.setFillGray(0.72)
    canvas.rect(0, 0, 5, height, stroke=0, fill=1)


def _write(canvas: Canvas, lines: Sequence[str], width: float, height: float) -> None:
    y = height - 84
    for line in lines:
        mark, _, rest = line.partition(" ")
        if mark == "=":
            canvas.setFont("Helvetica-Bold", 15)
            canvas.drawCentredString(width / 2, y, rest)
            y -= 24
        elif mark == "*":
            canvas.setFont("Helvetica-Bold", 10.5)
            canvas.drawString(70, y, rest)
            y -= 17
        elif mark == "~":
            scribble(canvas, 90, y - 20, rest)
            y -= 40
        elif line == ".":
            y -= 12
        elif "\t" in line:
            label, _, value = line.partition("\t")
            canvas.setFont("Helvetica", 10.5)
            canvas.drawString(70, y, label)
            canvas.drawString(250, y, value)
            canvas.setLineWidth(0.3)
            canvas.line(70, y - 5, width - 70, y - 5)
            y -= 19
        else:
            canvas.setFont("Helvetica", 10.5)
            canvas.drawString(70, y, line)
            y -= 15.5


@lru_cache(maxsize=4)
def raster(lines: tuple[str, ...], page: tuple[float, float]) -> bytes:
    """The lines as a greyscale JPEG of the page."""
    width, height = page
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=page, invariant=1)
    canvas.setFillGray(0.97)
    canvas.rect(0, 0, width, height, stroke=0, fill=1)
    _dust(canvas, width, height)
    canvas.setFillGray(0.08)
    canvas.translate(width / 2, height / 2)
    canvas.rotate(SKEW)
    canvas.translate(-width / 2, -height / 2)
    canvas.rect(48, 60, width - 96, height - 118, stroke=1, fill=0)
    _write(canvas, lines, width, height)
    canvas.save()
    with pymupdf.open(stream=buffer.getvalue(), filetype="pdf") as document:
        pixels = document[0].get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY)
        return bytes(pixels.tobytes("jpeg", jpg_quality=62))


class ScannedPage(Flowable):
    """The raster, filling the frame of its page."""

    def __init__(self, lines: tuple[str, ...], look: Look) -> None:
        """Scan ``lines`` on paper of this look's size."""
        super().__init__()
        self.lines, self.page = lines, look.page

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """All of the page."""
        return self.page

    def draw(self) -> None:
        """Place the raster."""
        image = ImageReader(io.BytesIO(raster(self.lines, self.page)))
        self.canv.drawImage(image, 0, 0, *self.page)
