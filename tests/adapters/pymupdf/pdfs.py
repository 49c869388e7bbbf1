"""PDFs made on the spot."""

import io
from collections.abc import Callable, Sequence

import pymupdf
from reportlab.pdfgen.canvas import Canvas

A4 = (595.0, 842.0)
Line = tuple[float, float, str]
"""Left edge and baseline from the top, in points, and a text."""


def pdf(*pages: Sequence[Line], size: float = 10, font: str = "Helvetica") -> bytes:
    """Return a PDF whose pages hold lines of text."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    for lines in pages:
        canvas.setFont(font, size)
        for x, y, text in lines:
            canvas.drawString(x, A4[1] - y, text)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def paragraph(texts: Sequence[str], x: float = 72, y: float = 100, leading: float = 12) -> list[Line]:
    """Place lines one under the other."""
    return [(x, y + leading * index, text) for index, text in enumerate(texts)]


def edited(data: bytes, change: Callable[[pymupdf.Document], None], **options: object) -> bytes:
    """Return a PDF after ``change`` was applied to it."""
    with pymupdf.open(stream=data, filetype="pdf") as document:
        change(document)
        return document.tobytes(**options)
