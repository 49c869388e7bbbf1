"""Reading and drawing pages with PyMuPDF (AGPL or commercial licence)."""

from workbench.adapters.pymupdf.reader import PyMuPdfReader
from workbench.adapters.pymupdf.renderer import PyMuPdfRenderer

__all__ = ["PyMuPdfReader", "PyMuPdfRenderer"]
