"""Page labels: the numbers a document says are printed on its pages."""

from typing import Any

from workbench.adapters.pymupdf.engine import LOCK, mupdf_errors


def page_labels(document: Any) -> list[str | None]:
    """Return each page's label, or None for all where the document has none or its rules for them are broken."""
    with LOCK:
        count = document.page_count
        try:
            if not document.get_page_labels():
                return [None] * count
            return [document[number].get_label() or None for number in range(count)]
        except mupdf_errors():
            return [None] * count
