"""The reader that PDFs made on the spot are read with."""

from collections.abc import Callable

import pytest

from workbench.adapters.pymupdf import PyMuPdfReader
from workbench.domain.pages import Page, ReadDocument


@pytest.fixture(scope="session")
def read() -> Callable[[bytes], ReadDocument]:
    return lambda data: PyMuPdfReader().read(data, "file.pdf", lambda done, total: None)


@pytest.fixture(scope="session")
def read_page(read: Callable[[bytes], ReadDocument]) -> Callable[[bytes], Page]:
    """Read a file and return its first page."""
    return lambda data: read(data).pages[0]
