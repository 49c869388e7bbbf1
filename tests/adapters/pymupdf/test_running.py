"""Running headers and footers stay out of the text; a page's only text never does."""

from collections.abc import Callable

import pytest

from tests.adapters.pymupdf.pdfs import Line, paragraph, pdf
from workbench.domain.pages import ReadDocument

Read = Callable[[bytes], ReadDocument]
pytestmark = pytest.mark.req("LIB-6")


def framed(number: int, body: list[str]) -> list[Line]:
    return [(72, 40, "ACME Master Agreement"), *paragraph(body), (280, 810, f"Page {number} of 4")]


def test_headers_and_footers_are_left_out(read: Read) -> None:
    document = read(pdf(*[framed(n, [f"Body of page {n} is here."]) for n in range(1, 5)]))
    assert [page.text for page in document.pages] == [f"Body of page {n} is here." for n in range(1, 5)]


def test_two_pages_are_too_few_to_tell(read: Read) -> None:
    document = read(pdf(*[framed(n, ["Body."]) for n in (1, 2)]))
    assert all("ACME Master Agreement" in page.text for page in document.pages)


def test_a_page_with_nothing_else_keeps_its_text(read: Read) -> None:
    document = read(pdf(framed(1, ["Body."]), framed(2, ["Body."]), framed(3, []), framed(4, ["Body."])))
    assert document.pages[2].text == "ACME Master Agreement\n\nPage 3 of 4"


def test_the_same_line_elsewhere_on_the_page_is_text(read: Read) -> None:
    pages = [framed(n, ["Initials of the parties:"]) for n in range(1, 5)]
    assert all(page.text == "Initials of the parties:" for page in read(pdf(*pages)).pages)
