"""Drawing pages for the viewer."""

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from workbench.adapters.pymupdf.engine import LOCK, engine, mupdf_errors
from workbench.domain.errors import DamagedFile, NotFound
from workbench.services.ports import PageImage

MIN_WIDTH, MAX_WIDTH = 100, 2400
_MAX_PIXELS = 16_000_000
"""A page may be a mile high; its picture may not."""
_JPEG_QUALITY = 85


class PyMuPdfRenderer:
    """The PageRenderer for canonical PDFs. The last ``cache_size`` pictures are kept in memory."""

    def __init__(self, cache_size: int = 24) -> None:
        self._cache_size = cache_size
        self._cache: OrderedDict[tuple[Path, int, int], PageImage] = OrderedDict()
        self._lock = threading.Lock()

    def image(self, pdf: Path, page: int, width: int) -> PageImage:
        """Draw a physical page (from 1) ``width`` pixels wide, within 100 to 2400.

        Pages of text come as PNG, scans as JPEG. Raises NotFound where there is no such page or file.
        """
        width = max(MIN_WIDTH, min(width, MAX_WIDTH))
        key = (pdf, page, width)
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                return self._cache[key]
        image = _draw(pdf, page, width)
        with self._lock:
            self._cache[key] = image
            while len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
        return image


def _draw(pdf: Path, page: int, width: int) -> PageImage:
    with LOCK:
        if not pdf.is_file():
            raise NotFound("The file of this document is gone.", "Upload the document again.")
        try:
            document = engine().open(pdf, filetype="pdf")
            try:
                if not 1 <= page <= document.page_count:
                    raise NotFound(f"There is no page {page}; the document has {document.page_count} pages.")
                return _picture(document[page - 1], width)
            finally:
                document.close()
        except mupdf_errors() as error:
            raise DamagedFile(f"Page {page} cannot be drawn.", "Download the original file instead.") from error


def _picture(page: Any, width: int) -> PageImage:
    zoom = width / max(page.rect.width, 1.0)
    zoom = min(zoom, (_MAX_PIXELS / max(page.rect.width * page.rect.height, 1.0)) ** 0.5)
    pixmap = page.get_pixmap(matrix=engine().Matrix(zoom, zoom), alpha=False)
    if _is_scan(page):
        return PageImage(pixmap.tobytes("jpeg", jpg_quality=_JPEG_QUALITY), "image/jpeg")
    return PageImage(pixmap.tobytes("png"), "image/png")


def _is_scan(page: Any) -> bool:
    """Tell whether one picture covers most of the page."""
    whole = abs(page.rect)
    return any(abs(engine().Rect(found["bbox"]) & page.rect) > 0.7 * whole for found in page.get_image_info())
