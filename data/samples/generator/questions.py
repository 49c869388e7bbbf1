"""The questions an analyst would ask about the samples, with the answer and the passages that prove it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import pymupdf

from .questions_single import SINGLE
from .questions_wider import WIDER

SCAN = "scan"  # in place of a search: the passage is on the page that has no text


class QuoteError(ValueError):
    """A quote that is not on exactly one page of its document."""


@dataclass(frozen=True)
class Pages:
    """The searchable text and the labels of a document's pages."""

    texts: list[str]
    labels: list[str]

    def find(self, quote: str, file: str) -> int:
        """The physical page, from 1, that holds the quote."""
        hits = [number for number, text in enumerate(self.texts, 1) if normal(quote) in text]
        if len(hits) != 1:
            raise QuoteError(f"{file}: '{quote}' is on pages {hits}, not on exactly one")
        return hits[0]

    def scanned(self, file: str) -> int:
        """The physical page, from 1, that has no text."""
        empty = [number for number, text in enumerate(self.texts, 1) if not text]
        if len(empty) != 1:
            raise QuoteError(f"{file}: pages without text are {empty}, not exactly one")
        return empty[0]


def normal(text: str) -> str:
    """Text with words joined that were hyphenated at a line end, ligatures resolved and white space collapsed."""
    joined = re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", unicodedata.normalize("NFKC", text))
    return " ".join(joined.split())


def read_pages(data: bytes) -> Pages:
    """The pages of a PDF."""
    with pymupdf.open(stream=data, filetype="pdf") as document:
        return Pages([normal(page.get_text()) for page in document], [page.get_label() for page in document])


def records(documents: dict[str, bytes]) -> list[dict[str, object]]:
    """The questions as they are stored, with the pages found in ``documents``."""
    pages = {file: read_pages(data) for file, data in documents.items()}
    result: list[dict[str, object]] = []
    for number, (kind, question, answer, sources) in enumerate([*SINGLE, *WIDER], 1):
        result.append(
            {
                "id": f"Q{number:02}",
                "question": question,
                "documents": [_source(pages, *source) for source in sources],
                "answer": answer,
                "kind": kind,
            }
        )
    return result


def _source(pages: dict[str, Pages], stem: str, quote: str, how: str = "") -> dict[str, object]:
    file = f"{stem}.pdf"
    document = pages[file]
    printed = quote if how == SCAN else quote.replace("'", "\u2019")
    page = document.scanned(file) if how == SCAN else document.find(printed, file)
    label = document.labels[page - 1]
    differs = bool(label) and label != str(page)
    return {"file": file, "page": page, "label": label if differs else None, "quote": printed}
