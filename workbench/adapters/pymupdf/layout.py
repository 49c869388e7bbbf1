"""The PageLayout of PyMuPDF: documents that are not PDF become one, and their pages are read."""

import html
import io
import re
import unicodedata
from collections import Counter
from typing import Any

from workbench.adapters.pymupdf.engine import LOCK, engine, mupdf_errors
from workbench.adapters.pymupdf.flow import draw
from workbench.adapters.pymupdf.reader import PyMuPdfReader
from workbench.adapters.pymupdf.sheets import lay_out_sheets
from workbench.domain.errors import DamagedFile, TooLarge
from workbench.domain.pages import Page, ReadDocument
from workbench.domain.tables import Workbook
from workbench.services.ports import Flow, Progress

_TAG = re.compile(r"<[^>]*>")
_PICTURE_ADVICE = "Open it in a picture viewer to check it, and upload a complete copy."
_MAX_PIXELS = 200_000_000


class PyMuPdfLayout:
    """Lays out with MuPDF and reads back with the reader for PDF, so that text and boxes are those of the PDF shown."""

    def __init__(self, reader: PyMuPdfReader, max_pages: int = 3000) -> None:
        self._reader = reader
        self._max_pages = max_pages

    def flow(self, flow: Flow, name: str, progress: Progress) -> ReadDocument:
        try:
            pdf = draw(flow, name, self._max_pages)
        except mupdf_errors() as error:
            raise DamagedFile(f"{name} cannot be laid out as pages.", "Save it as PDF and upload that.") from error
        read = self._reader.read_pdf(pdf, name, progress, laid_out=True)
        lost = _lost(flow, read.pages)
        notes = (*flow.notes, *([lost] if lost else []))
        return read.model_copy(
            update={"media_type": flow.media_type, "title": flow.title or read.title, "canonical": pdf, "notes": notes}
        )

    def workbook(self, workbook: Workbook, name: str, progress: Progress) -> ReadDocument:
        laid_out = lay_out_sheets(workbook, name, self._max_pages, progress)
        return ReadDocument(
            media_type=workbook.media_type,
            title=workbook.title,
            pages=laid_out.pages,
            canonical=laid_out.pdf,
            notes=workbook.notes,
            tables=workbook.tables,
        )

    def converted(self, pdf: bytes, name: str, progress: Progress) -> ReadDocument:
        return self._reader.read_pdf(pdf, name, progress).model_copy(update={"canonical": pdf})

    def picture(self, data: bytes, name: str, progress: Progress) -> ReadDocument:
        """Return a picture as pages without text, one for each of its frames."""
        data, media_type = _known_picture(data, name)
        try:
            with LOCK:
                document: Any = engine().open(stream=data, filetype=media_type.partition("/")[2])
                pdf = document.convert_to_pdf()
                document.close()
        except mupdf_errors() as error:
            raise DamagedFile(f"{name} is a damaged picture.", _PICTURE_ADVICE) from error
        read = self._reader.read_pdf(pdf, name, progress)
        return read.model_copy(update={"media_type": media_type, "canonical": pdf, "title": ""})


def _known_picture(data: bytes, name: str) -> tuple[bytes, str]:
    """Check a picture's size before it is expanded; MuPDF cannot read WebP, which becomes PNG."""
    from PIL import Image  # noqa: PLC0415

    limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
    try:
        with Image.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > _MAX_PIXELS:
                raise TooLarge(
                    f"{name} has {picture.width} x {picture.height} points; the limit is {_MAX_PIXELS // 1_000_000} million.",
                    "Save it smaller and upload that.",
                )
            if picture.format != "WEBP":
                return data, f"image/{(picture.format or 'png').lower()}"
            target = io.BytesIO()
            picture.convert("RGB").save(target, "PNG")
            return target.getvalue(), "image/png"
    except (OSError, ValueError, SyntaxError) as error:
        raise DamagedFile(f"{name} is a damaged picture.", _PICTURE_ADVICE) from error
    finally:
        Image.MAX_IMAGE_PIXELS = limit


def _lost(flow: Flow, pages: tuple[Page, ...]) -> str:
    """Return a note on the characters that the drawn pages lack: no font on this machine shows them."""
    source = Counter(
        _letters("".join(html.unescape(_TAG.sub(" ", block)) for section in flow.sections for block in section))
    )
    read = Counter(_letters("".join(page.text for page in pages)))
    missing = source - read
    count = sum(missing.values())
    if count <= max(2, 0.001 * sum(source.values())):
        return ""
    examples = "".join(character for character, _ in missing.most_common(12))
    return (
        f"{count} characters, such as {examples}, could not be drawn with the fonts of this machine and are missing from the "
        "pages. Save the file as PDF in its own program and upload that."
    )


def _letters(text: str) -> str:
    return "".join(character for character in unicodedata.normalize("NFKC", text).casefold() if character.isalnum())
