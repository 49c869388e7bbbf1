"""Limits of reading: what one file may take, whatever it holds."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one file may take, and which other programs may help.

    ``libreoffice`` is "auto" or "never"; ``ocr`` is "auto", "never" or the name of an engine, with ``ocr_languages`` as codes
    of Tesseract. Every page that is recognised gives the file ``ocr_seconds`` more. Of a sheet the first ``searchable_rows``
    become pages and passages; all of it is kept as a table.
    """

    max_file_mb: int = 200
    max_pages: int = 5000
    max_cells: int = 50_000_000
    searchable_rows: int = 5000
    max_expanded_mb: int = 250
    max_seconds: float = 300.0
    max_memory_mb: int = 2048
    libreoffice: str = "auto"
    ocr: str = "auto"
    ocr_languages: str = ""
    ocr_seconds: float = 60.0
