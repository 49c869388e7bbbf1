"""MuPDF itself: loaded on first use, kept quiet, and used by one thread at a time."""

import threading
from functools import cache
from types import ModuleType
from typing import Any

LOCK = threading.RLock()
"""Held around every call into MuPDF: it is not safe to use from two threads. Hold it for a page, not for a document."""


@cache
def engine() -> ModuleType:
    """Return the module ``pymupdf``. Importing it takes about a second, so nothing imports it at start."""
    with LOCK:
        import pymupdf  # noqa: PLC0415

        # Damaged files are reported by our own errors; MuPDF would print its repairs to the terminal.
        tools: Any = pymupdf.TOOLS
        tools.mupdf_display_errors(False)
        tools.mupdf_display_warnings(False)
    return pymupdf


@cache
def mupdf_errors() -> tuple[type[Exception], ...]:
    """Return what MuPDF raises on content it cannot make sense of.

    PyMuPDF reports the same damage as one of its own errors or as a plain RuntimeError, ValueError or TypeError,
    depending on where it notices.
    """
    return (engine().mupdf.FzErrorBase, RuntimeError, ValueError, TypeError, IndexError, KeyError)
