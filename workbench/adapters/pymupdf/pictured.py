"""The pages of a document that are pictures: recognised where there is an engine, and what must be said about them."""

from collections.abc import Iterator
from typing import Any

from workbench.adapters.pymupdf.fragments import RawPage
from workbench.adapters.pymupdf.recognition import is_garbage, look, recognized, unread
from workbench.domain.errors import NotRecognized
from workbench.domain.pages import page_ranges
from workbench.services.ports import TextRecognizer

_DOUBTFUL = 0.75
"""Pages that are less sure than this, in the mean of their words, are named for checking."""


class PicturedPages:
    """Reads the pages of one document that need recognition, one after the other, and keeps account of them."""

    def __init__(self, document: Any, recognizer: TextRecognizer | None, max_seconds: float) -> None:
        self._document = document
        self._recognizer = recognizer
        self._max_seconds = max_seconds
        self._read: list[int] = []
        self._doubtful: list[str] = []
        self._unclear: list[int] = []
        self._unclear_words = 0
        self._given_up: dict[str, list[int]] = {}
        self._garbage: list[int] = []

    def read(self, raw: RawPage) -> RawPage:
        """Return the page with the words on its pictures, or as it is where it has a text of its own."""
        if self._recognizer is None:
            if is_garbage(raw):
                self._garbage.append(raw.number)
            return unread(self._document, raw)
        picture = look(self._document, raw)
        if picture is None:
            return raw
        try:
            page, doubt = recognized(raw, picture, self._recognizer, self._max_seconds)
        except NotRecognized as error:
            self._given_up.setdefault(error.message, []).append(raw.number)
            return unread(self._document, raw)
        if page.ocr:
            self._read.append(raw.number)
            if doubt.confidence < _DOUBTFUL:
                self._doubtful.append(f"{raw.number} ({doubt.confidence:.0%} sure)")
        if doubt.left_out:
            self._unclear.append(raw.number)
            self._unclear_words += doubt.left_out
        return page

    def notes(self) -> Iterator[str]:
        """Yield what a person must know of these pages."""
        if self._garbage:
            yield (
                f"The characters of {_pages(self._garbage)} are not what the pages show, because their fonts do not say; "
                "this text was left out."
            )
        if self._read and self._recognizer is not None:
            yield (
                f"The text of {_pages(self._read)} was recognised in pictures by {self._recognizer.name}: "
                "check figures and names against the page."
            )
        if self._doubtful:
            yield f"Hard to recognise, and likely to hold mistakes: page {', '.join(self._doubtful[:20])}."
        if self._unclear:
            yield f"{self._unclear_words} words on {_pages(self._unclear)} were too unclear to read and are left out."
        for reason, numbers in self._given_up.items():
            yield f"The pictures of {_pages(numbers)} could not be recognised: {reason}"


def _pages(numbers: list[int]) -> str:
    return f"page {numbers[0]}" if len(numbers) == 1 else f"pages {page_ranges(numbers)}"
