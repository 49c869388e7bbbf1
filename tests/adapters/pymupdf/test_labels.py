"""Page labels: physical numbers and printed labels, never off by one."""

from collections.abc import Callable

import pymupdf
import pytest

from tests.adapters.pymupdf.pdfs import edited, pdf
from workbench.domain.pages import ReadDocument, page_label

Read = Callable[[bytes], ReadDocument]
pytestmark = pytest.mark.req("CITE-6")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven")


def labelled(document: pymupdf.Document) -> None:
    document.set_page_labels(
        [
            {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
            {"startpage": 4, "prefix": "", "style": "D", "firstpagenum": 1},
        ]
    )


def test_roman_front_matter(read: Read) -> None:
    document = read(edited(pdf(*[[(72, 100, word)] for word in NUMBERS]), labelled))
    assert [page.label for page in document.pages] == ["i", "ii", "iii", "iv", "1", "2", "3"]
    assert [page.number for page in document.pages] == [1, 2, 3, 4, 5, 6, 7]
    assert [page.text for page in document.pages] == list(NUMBERS)
    assert page_label(document.pages[5].number, document.pages[5].label) == "p. 2 (PDF 6)"


def test_no_labels(read: Read) -> None:
    assert [page.label for page in read(pdf([(72, 100, "one")], [(72, 100, "two")])).pages] == [None, None]
