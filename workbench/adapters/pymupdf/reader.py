"""Reading files: PDF and plain text into pages."""

from collections.abc import Iterator
from typing import Any

from workbench.adapters.pymupdf import plaintext
from workbench.adapters.pymupdf.encoding import decode
from workbench.adapters.pymupdf.engine import LOCK, engine, mupdf_errors
from workbench.adapters.pymupdf.filetype import PDF, TEXT, FileType, file_type
from workbench.adapters.pymupdf.fragments import RawPage, raw_page
from workbench.adapters.pymupdf.labels import page_labels
from workbench.adapters.pymupdf.outline import bookmarks
from workbench.adapters.pymupdf.pictured import PicturedPages
from workbench.adapters.pymupdf.running import without_running_text
from workbench.adapters.pymupdf.text import pages_of
from workbench.adapters.pymupdf.title import document_title
from workbench.domain.errors import DamagedFile, EmptyFile, EncryptedFile, TooLarge
from workbench.domain.pages import ReadDocument
from workbench.services.ports import Progress, TextRecognizer

_UPLOAD_AGAIN = "Open it in a PDF viewer to check it, and upload a complete copy."


class PyMuPdfReader:
    """The DocumentReader for PDF and plain text.

    ``max_bytes`` and ``max_pages`` bound what one file may take of memory and time. ``recognizer`` reads pages that are
    pictures, each in at most ``recognition_seconds``; without one such pages have no text.
    """

    def __init__(
        self,
        max_bytes: int = 200 * 1024 * 1024,
        max_pages: int = 3000,
        recognizer: TextRecognizer | None = None,
        recognition_seconds: float = 60.0,
    ) -> None:
        self._max_bytes = max_bytes
        self._max_pages = max_pages
        self._recognizer = recognizer
        self._recognition_seconds = recognition_seconds

    def read(self, data: bytes, name: str, progress: Progress) -> ReadDocument:
        """Read a file into pages, calling ``progress`` with the pages done; raise a BadFile where it cannot be used."""
        if len(data) > self._max_bytes:
            limit = self._max_bytes / 1024 / 1024
            raise TooLarge(
                f"{name} has {len(data) / 1024 / 1024:.1f} MB; the limit is {limit:g} MB.",
                "Split it into smaller files, or ask the operator to raise the limit.",
            )
        if file_type(data, name) is FileType.TEXT:
            return self._read_text(data, name, progress)
        return self.read_pdf(data, name, progress)

    def _read_text(self, data: bytes, name: str, progress: Progress) -> ReadDocument:
        grid = plaintext.page_grid(decode(data, name))
        if not grid:
            raise EmptyFile(f"{name} holds no text.", "Check the file where it came from and upload it again.")
        self._check_pages(len(grid), name)
        laid_out = plaintext.lay_out(grid)
        progress(len(grid), len(grid))
        return ReadDocument(media_type=TEXT, title="", pages=laid_out.pages, canonical=laid_out.pdf)

    def read_pdf(self, data: bytes, name: str, progress: Progress, laid_out: bool = False) -> ReadDocument:
        """Read a PDF. Of one that was ``laid_out`` here every grid is a table, and what many pages have in common is kept."""
        document = _open(data, name)
        try:
            with LOCK:
                self._check_pages(document.page_count, name)
                title = document_title(document.metadata.get("title"), document[0])
                notes = tuple(_remarks(document))
            marks = bookmarks(document)
            pictured = PicturedPages(document, self._recognizer, self._recognition_seconds)
            raw_pages = _raw_pages(document, name, progress, pictured, laid_out)
        except mupdf_errors() as error:
            raise DamagedFile(f"{name} is damaged and cannot be read.", _UPLOAD_AGAIN) from error
        finally:
            with LOCK:
                document.close()
                # MuPDF keeps fonts and pictures of closed files; without this, memory grows with every document.
                engine().TOOLS.store_shrink(100)
        kept = raw_pages if laid_out else without_running_text(raw_pages)
        return ReadDocument(
            media_type=PDF,
            title=title,
            pages=tuple(pages_of(kept, marks)),
            notes=(*notes, *pictured.notes()),
        )

    def _check_pages(self, count: int, name: str) -> None:
        if count > self._max_pages:
            raise TooLarge(
                f"{name} has {count} pages; the limit is {self._max_pages}.",
                "Split it into smaller files, or ask the operator to raise the limit.",
            )


def _open(data: bytes, name: str) -> Any:
    """Open a PDF that is whole and needs no password."""
    with LOCK:
        try:
            document = engine().open(stream=data, filetype="pdf")
            locked, pages = document.needs_pass, 0 if document.needs_pass else document.page_count
        except mupdf_errors() as error:
            raise DamagedFile(f"{name} is damaged: it begins as a PDF but cannot be opened.", _UPLOAD_AGAIN) from error
        if not locked and document.is_pdf and pages > 0 and not _cut_off(document, data):
            return document
        is_pdf, cut_off = document.is_pdf, not locked and document.is_pdf and pages > 0
        document.close()
    if locked:
        raise EncryptedFile(f"{name} needs a password to open.", "Save a copy without a password and upload that.")
    if cut_off:
        raise DamagedFile(f"{name} is cut off: its end is missing, and pages may be lost.", _UPLOAD_AGAIN)
    if not is_pdf or (b"/Pages" not in data and b"/ObjStm" not in data):
        raise DamagedFile(f"{name} is damaged: it begins as a PDF but holds none.", _UPLOAD_AGAIN)
    raise EmptyFile(f"{name} is a PDF without pages.", _UPLOAD_AGAIN)


def _remarks(document: Any) -> Iterator[str]:
    """Yield what a PDF holds besides its pages and is not read."""
    names = document.embfile_names()
    if names:
        yield f"Files attached to the PDF are not read: {', '.join(names[:10])}. Upload them by themselves."


def _cut_off(document: Any, data: bytes) -> bool:
    """Tell whether a file ends in the middle.

    MuPDF repairs what it can. A file that merely lost its last line still ends in its cross-reference table or trailer;
    one whose upload broke off ends in the middle of its objects, and pages may be gone without a trace.
    """
    tail = data[-4096:]
    return bool(document.is_repaired) and not any(mark in tail for mark in (b"%%EOF", b"startxref", b"trailer"))


def _raw_pages(document: Any, name: str, progress: Progress, pictured: PicturedPages, laid_out: bool) -> list[RawPage]:
    labels = page_labels(document)
    total = len(labels)
    pages: list[RawPage] = []
    for number, label in enumerate(labels, start=1):
        try:
            with LOCK:
                raw = raw_page(document[number - 1], number, label, laid_out)
            pages.append(pictured.read(raw))
        except mupdf_errors() as error:
            raise DamagedFile(f"Page {number} of {name} is damaged and cannot be read.", _UPLOAD_AGAIN) from error
        progress(number, total)
    return pages
