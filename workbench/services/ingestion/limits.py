"""Limits of reading: what one file may take, whatever it holds."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one file may take, and which other programs may help.

    ``libreoffice`` is "auto" or "never"; ``ocr`` is "auto", "never" or the name of an engine, with ``ocr_languages`` as codes
    of Tesseract. Every page that is recognised gives the file ``ocr_seconds`` more.
    """

    max_file_mb: int = 200
    max_pages: int = 5000
    max_cells: int = 1_000_000
    max_expanded_mb: int = 250
    max_seconds: float = 300.0
    max_memory_mb: int = 2048
    libreoffice: str = "auto"
    ocr: str = "auto"
    ocr_languages: str = ""
    ocr_seconds: float = 60.0
