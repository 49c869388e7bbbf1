"""Drawing pages for the viewer."""

import io
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageChops

from workbench.adapters.pymupdf.engine import LOCK, engine, mupdf_errors
from workbench.adapters.pymupdf.pictures import Pictures
from workbench.domain.errors import DamagedFile, NotFound
from workbench.services.ports import PageImage

MIN_WIDTH, MAX_WIDTH = 100, 2400
_MAX_PIXELS = 16_000_000
"""A page may be a mile high; its picture may not."""
_JPEG_QUALITY = 85
KEPT_BYTES = 512 * 2**20


class PyMuPdfRenderer:
    """The PageRenderer for canonical PDFs. Pictures are kept in ``directory``, at most ``kept_bytes`` of them; without a
    directory every page is drawn anew."""

    def __init__(self, directory: Path | None = None, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept = None if directory is None else Pictures(directory, kept_bytes)

    def image(self, pdf: Path, page: int, width: int) -> PageImage:
        """Draw a physical page (from 1) ``width`` pixels wide, within 100 to 2400.

        Pages of text come as PNG, scans as JPEG. Raises NotFound where there is no such page or file.
        """
        width = max(MIN_WIDTH, min(width, MAX_WIDTH))
        known = self._kept.get(pdf.name, page, width) if self._kept else None
        if known is not None:
            return known
        image = _encoded(_drawn(pdf, page, width))
        if self._kept:
            self._kept.put(pdf.name, page, width, image)
        return image

    def clear(self, content_hash: str) -> None:
        """Forget the pictures of a file."""
        if self._kept:
            self._kept.clear(content_hash)

    def kept(self, content_hash: str) -> int:
        """Return how many pictures of a file are kept."""
        return self._kept.kept(content_hash) if self._kept else 0


class _Drawn(NamedTuple):
    """A page as pixels: three bytes each, row by row."""

    width: int
    height: int
    pixels: bytes
    is_scan: bool


def _drawn(pdf: Path, page: int, width: int) -> _Drawn:
    with LOCK:
        if not pdf.is_file():
            raise NotFound("The file of this document is gone.", "Upload the document again.")
        try:
            document = engine().open(pdf, filetype="pdf")
            try:
                if not 1 <= page <= document.page_count:
                    raise NotFound(f"There is no page {page}; the document has {document.page_count} pages.")
                return _pixels(document[page - 1], width)
            finally:
                document.close()
        except mupdf_errors() as error:
            raise DamagedFile(f"Page {page} cannot be drawn.", "Download the original file instead.") from error


def _pixels(page: Any, width: int) -> _Drawn:
    zoom = width / max(page.rect.width, 1.0)
    zoom = min(zoom, (_MAX_PIXELS / max(page.rect.width * page.rect.height, 1.0)) ** 0.5)
    pixmap = page.get_pixmap(matrix=engine().Matrix(zoom, zoom), colorspace=engine().csRGB, alpha=False)
    return _Drawn(pixmap.width, pixmap.height, pixmap.samples, _is_scan(page))


def _is_scan(page: Any) -> bool:
    """Tell whether one picture covers most of the page."""
    whole = abs(page.rect)
    return any(abs(engine().Rect(found["bbox"]) & page.rect) > 0.7 * whole for found in page.get_image_info())


def _encoded(drawn: _Drawn) -> PageImage:
    """Write the pixels as a file. It takes longer than drawing, so it is done while the next page may be drawn."""
    picture = Image.frombytes("RGB", (drawn.width, drawn.height), drawn.pixels)
    if _is_grey(picture):
        picture = picture.convert("L")
    out = io.BytesIO()
    if drawn.is_scan:
        picture.save(out, "JPEG", quality=_JPEG_QUALITY)
        return PageImage(out.getvalue(), "image/jpeg")
    picture.save(out, "PNG", compress_level=1)
    return PageImage(out.getvalue(), "image/png")


def _is_grey(picture: Image.Image) -> bool:
    red, green, blue = picture.split()
    return ImageChops.difference(red, green).getbbox() is None and ImageChops.difference(green, blue).getbbox() is None
