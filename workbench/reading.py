"""The process that reads files: its parts, and how it is started.

It is wired here and not in bootstrap, because it must start fast and stay small: no search engine and no model is loaded
in it.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from workbench.adapters.libreoffice.converter import LibreOffice, installed
from workbench.adapters.ocr.choice import recognizer
from workbench.adapters.office.calamine import CalamineConverter
from workbench.adapters.office.docx import DocxConverter
from workbench.adapters.office.mail import EmailConverter, OutlookConverter
from workbench.adapters.office.opendocument import OdtConverter
from workbench.adapters.office.pptx import PptxConverter
from workbench.adapters.office.rich_text import RtfConverter
from workbench.adapters.office.separated import SeparatedConverter
from workbench.adapters.office.web import HtmlConverter, MarkdownConverter
from workbench.adapters.office.word_binary import DocConverter
from workbench.adapters.office.xlsx import XlsxConverter
from workbench.adapters.pymupdf.layout import PyMuPdfLayout
from workbench.adapters.pymupdf.reader import PyMuPdfReader
from workbench.adapters.tables.parquet import ParquetEncoder
from workbench.adapters.worker.child import Patience, serve
from workbench.adapters.worker.reader import WorkerReader
from workbench.services.ingestion.filetypes import FileKind
from workbench.services.ingestion.limits import Limits
from workbench.services.ingestion.reading import FormatReader
from workbench.services.ports import Converter, Raster, RecognizedWord, TextRecognizer

_START = "import sys; sys.path.append(sys.argv[1]); from workbench.reading import main; main(sys.argv[2])"
_XLS, _XLSB = "application/vnd.ms-excel", "application/vnd.ms-excel.sheet.binary.macroenabled.12"
_ODS = "application/vnd.oasis.opendocument.spreadsheet"


class _Unhurried:
    """A recognizer that asks for the time of a page before it begins one."""

    def __init__(self, recognizer: TextRecognizer, patience: Patience) -> None:
        self._recognizer = recognizer
        self._patience = patience

    @property
    def name(self) -> str:
        return self._recognizer.name

    def recognize(self, picture: Raster, max_seconds: float) -> list[RecognizedWord]:
        self._patience.more(max_seconds)
        return self._recognizer.recognize(picture, max_seconds)


def reader(limits: Limits, patience: Patience | None = None) -> FormatReader:
    """Return the reader for every kind of file, in this process. ``patience`` is told of work that takes long."""
    max_bytes = limits.max_file_mb * 1024 * 1024
    engine = recognizer(limits.ocr, limits.ocr_languages)
    unhurried = _Unhurried(engine, patience) if engine and patience else engine
    pages = PyMuPdfReader(max_bytes, limits.max_pages, unhurried, limits.ocr_seconds)
    program = installed() if limits.libreoffice == "auto" else None
    cells, sheets = ParquetEncoder(), (limits.max_cells, limits.searchable_rows)
    converters: dict[FileKind, Converter] = {
        FileKind.DOCX: DocxConverter(),
        FileKind.PPTX: PptxConverter(),
        FileKind.XLSX: XlsxConverter(cells, *sheets),
        FileKind.XLSB: CalamineConverter(_XLSB, cells, *sheets),
        FileKind.XLS: CalamineConverter(_XLS, cells, *sheets),
        FileKind.ODS: CalamineConverter(_ODS, cells, *sheets),
        FileKind.CSV: SeparatedConverter(cells, *sheets),
        FileKind.HTML: HtmlConverter(),
        FileKind.MARKDOWN: MarkdownConverter(),
        FileKind.EMAIL: EmailConverter(),
        FileKind.MSG: OutlookConverter(),
        FileKind.ODT: OdtConverter(),
        FileKind.RTF: RtfConverter(),
        FileKind.DOC: DocConverter(),
    }
    return FormatReader(
        pages=pages,
        layout=PyMuPdfLayout(pages, limits.max_pages),
        converters=converters,
        office=LibreOffice(program, limits.max_seconds / 2) if program else None,
        max_bytes=max_bytes,
        max_expanded_mb=limits.max_expanded_mb,
        without_text=_why_no_text(engine is not None, limits.ocr),
        encoder=cells,
    )


def _why_no_text(recognized: bool, wanted: str) -> str:
    """Say why a page of pictures stays without text, and what helps."""
    if recognized:
        return "the OCR engine found no text in them"
    if wanted == "never":
        return "OCR is switched off by the setting PINCITE_OCR"
    return (
        'no OCR engine is set up. Install Tesseract, or "pincite[ocr]" with pip, start Pincite again and read it anew'
    )


def worker_reader(limits: Limits) -> WorkerReader:
    """Return the same reader in processes of its own, which the limits of time and memory bind."""
    root = str(Path(__file__).resolve().parent.parent)
    command = [sys.executable, "-P", "-c", _START, root, json.dumps(asdict(limits))]
    return WorkerReader(
        command, limits.max_seconds, limits.max_memory_mb, max_more_seconds=limits.ocr_seconds * limits.max_pages
    )


def main(given: str) -> None:
    """Run the reading process, with the limits as JSON."""
    limits = Limits(**json.loads(given))
    patience = Patience()
    serve(reader(limits, patience), limits.max_memory_mb, limits.max_seconds, patience)
