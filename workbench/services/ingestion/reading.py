"""Reading a file of any kind: its type is told by its content, and the reader of that type reads it."""

from collections.abc import Mapping, Sequence

from workbench.domain.errors import BadFile, EmptyFile, TooLarge, UnsupportedFile
from workbench.domain.pages import ReadDocument, page_ranges
from workbench.domain.tables import Workbook
from workbench.services.ingestion.encodings import decode
from workbench.services.ingestion.filetypes import FileKind, ending, file_kind
from workbench.services.ingestion.page_tables import page_tables
from workbench.services.ports import Converter, DocumentReader, PageLayout, PdfConverter, Progress, TableEncoder

_MB = 1024 * 1024
_SAVE_AS = {
    FileKind.PPT: (
        "an old PowerPoint presentation",
        "Open it in PowerPoint or LibreOffice, save it as .pptx, and upload that.",
    ),
    FileKind.ODP: ("an OpenDocument presentation", "Save it as .pptx or PDF and upload that."),
}
_SAME = {
    "docm": FileKind.DOCX,
    "dotx": FileKind.DOCX,
    "xlsm": FileKind.XLSX,
    "xltx": FileKind.XLSX,
    "pptm": FileKind.PPTX,
    "ppsx": FileKind.PPTX,
    "tsv": FileKind.CSV,
    "htm": FileKind.HTML,
} | dict.fromkeys(("png", "jpg", "jpeg", "tif", "tiff", "webp"), FileKind.PICTURE)
_OTHER_PROGRAM = frozenset({FileKind.PPT, FileKind.ODP})
"""Read only where another program converts them."""
_FAITHFUL = frozenset({FileKind.DOC, FileKind.ODT, FileKind.RTF})
"""Laid out by another program where there is one: these lose most in our own conversion, and nothing that it tracks.

The newer formats are always laid out here: another program prints deleted text and leaves hidden slides out without a word.
"""


class FormatReader:
    """The DocumentReader for every kind of file.

    ``pages`` reads PDF and plain text, ``converters`` the other kinds, ``layout`` turns what they give into pages. ``office``
    is another program that converts, None where there is none. ``without_text`` says why a page of pictures has no text.
    With ``encoder`` the tables found on pages are kept cell by cell.
    """

    def __init__(
        self,
        *,
        pages: DocumentReader,
        layout: PageLayout,
        converters: Mapping[FileKind, Converter],
        office: PdfConverter | None = None,
        max_bytes: int = 200 * _MB,
        max_expanded_mb: int = 250,
        without_text: str = "no OCR engine is set up",
        encoder: TableEncoder | None = None,
    ) -> None:
        self._pages = pages
        self._layout = layout
        self._converters = converters
        self._office = office
        self._max_bytes = max_bytes
        self._max_expanded_mb = max_expanded_mb
        self._without_text = without_text
        self._encoder = encoder

    def read(self, data: bytes, name: str, progress: Progress) -> ReadDocument:
        """Read a file; raise a BadFile that names it and says what to do where it cannot be used."""
        if len(data) > self._max_bytes:
            raise TooLarge(
                f"{name} has {len(data) / _MB:.1f} MB; the limit is {self._max_bytes / _MB:g} MB.",
                "Split it into smaller files, or ask the operator to raise the limit.",
            )
        kind = file_kind(data, name, self._max_expanded_mb)
        read = self._with_tables(self._read(kind, data, name, progress))
        notes = [*_misnamed(kind, name), *read.notes, *_without_text(read, self._without_text)]
        return read.model_copy(update={"notes": tuple(notes)})

    def _with_tables(self, read: ReadDocument) -> ReadDocument:
        """Keep the tables found on pages, where the document is no spreadsheet."""
        if self._encoder is None or read.tables or not any(page.tables for page in read.pages):
            return read
        found = page_tables(read.pages, self._encoder)
        return read.model_copy(update={"tables": found.tables, "notes": (*read.notes, *found.notes)})

    def _read(self, kind: FileKind, data: bytes, name: str, progress: Progress) -> ReadDocument:
        if kind is FileKind.PDF:
            return self._pages.read(data, name, progress)
        if kind is FileKind.TEXT:
            return self._text(data, name, progress)
        if kind is FileKind.PICTURE:
            return self._layout.picture(data, name, progress)
        if self._office is not None and kind in _OTHER_PROGRAM | _FAITHFUL:
            return self._converted(self._office, kind, data, name, progress)
        converter = self._converters.get(kind)
        if converter is None:
            what, advice = _SAVE_AS.get(kind, (f"a .{kind.value} file", "Save it as PDF and upload that."))
            raise UnsupportedFile(f"{name} is {what}, which Pincite does not read.", advice)
        found = converter.convert(data, name)
        if isinstance(found, Workbook):
            return self._layout.workbook(found, name, progress)
        if not any(found.sections):
            raise EmptyFile(f"{name} holds no text.", "Check the file where it came from and upload it again.")
        return self._layout.flow(found, name, progress)

    def _text(self, data: bytes, name: str, progress: Progress) -> ReadDocument:
        """Read plain text in whatever encoding, saying which one where the file does not prove it."""
        decoded = decode(data, name)
        if not decoded.guessed:
            return self._pages.read(data, name, progress)
        read = self._pages.read(decoded.text.encode("utf-8"), name, progress)
        note = f"Read as {decoded.encoding.upper()} text, which the file does not say itself."
        return read.model_copy(update={"notes": (note, *read.notes)})

    def _converted(
        self, office: PdfConverter, kind: FileKind, data: bytes, name: str, progress: Progress
    ) -> ReadDocument:
        """Read a file by way of another program, and where that fails by our own conversion, saying so."""
        own = self._converters.get(kind)
        # Our own reader goes first, because it knows an enciphered or damaged file and says so.
        checked = own.convert(data, name) if own is not None else None
        try:
            read = self._layout.converted(office.pdf(data, kind.value, name), name, progress)
        except BadFile as error:
            if checked is None or isinstance(checked, Workbook):
                raise
            read = self._layout.flow(checked, name, progress)
            note = f"{error.message} It was converted without it, more simply."
            return read.model_copy(update={"notes": (note, *read.notes)})
        return read


def _misnamed(kind: FileKind, name: str) -> Sequence[str]:
    """Say where a file is something else than its name promises."""
    end = ending(name)
    known = _SAME.get(end) or next((each for each in FileKind if each.value == end), None)
    if known is None or known is kind or kind in (FileKind.TEXT, FileKind.MARKDOWN):
        return ()
    return (f"The name ends in .{end}, but the content is of another type (.{kind.value}) and was read as that.",)


def _without_text(read: ReadDocument, why: str) -> Sequence[str]:
    """Say which pages are pictures: nothing on them can be found."""
    numbers = [page.number for page in read.pages if page.status == "no text"]
    if not numbers:
        return ()
    which = f"Page {numbers[0]} holds" if len(numbers) == 1 else f"Pages {page_ranges(numbers)} hold"
    return (f"{which} no text, only pictures: what they show is not searched, because {why}.",)
