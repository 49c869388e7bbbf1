"""Scans made on the spot: text drawn as a picture, turned, laid askew or pale."""

import io

import pymupdf
from PIL import Image

from workbench.services.ports import Raster

CLAUSE = (
    "The Supplier shall deliver the equipment within forty days of the order.",
    "The Customer shall pay each invoice within thirty days of receipt.",
    "Late payment bears interest at eight percent a year until it is settled.",
    "Either party may terminate this agreement by written notice of ninety days.",
    "The liability of the Supplier is limited to the fees paid in one year.",
)
WORDS = ("Supplier", "equipment", "forty", "invoice", "interest", "terminate", "liability")


def drawn(lines: tuple[str, ...] = CLAUSE, size: float = 13.0) -> Image.Image:
    """Return a page with lines of text as a grey picture of 150 points an inch."""
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=420)
        for number, line in enumerate(lines):
            page.insert_text((60, 80 + 1.8 * size * number), line, fontsize=size, fontname="tiro")
        pixmap = page.get_pixmap(dpi=150, colorspace=pymupdf.csGRAY)
        return Image.open(io.BytesIO(pixmap.tobytes("png")))


def turned(picture: Image.Image, degrees: float) -> Image.Image:
    """Return the picture turned against the clock, on white."""
    return picture.rotate(degrees, expand=True, fillcolor=255, resample=Image.Resampling.BICUBIC)


def pale(picture: Image.Image) -> Image.Image:
    """Return the picture in two shades of grey that are close to each other."""
    return picture.point(lambda value: 150 + value // 4)


def raster(picture: Image.Image) -> Raster:
    return Raster(picture.width, picture.height, picture.convert("L").tobytes(), 150)


def scan(picture: Image.Image, text: tuple[tuple[float, float, str], ...] = (), width: float = 595.0) -> bytes:
    """Return a PDF of one page that is the picture, with lines of real text over it."""
    target = io.BytesIO()
    picture.save(target, "PNG")
    height = width * picture.height / picture.width
    with pymupdf.open() as document:
        page = document.new_page(width=width, height=height)
        page.insert_image(page.rect, stream=target.getvalue())
        for x, y, line in text:
            page.insert_text((x, y), line, fontsize=8)
        return document.tobytes()
