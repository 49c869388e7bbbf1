"""Running headers and footers stay out of the text; a page's only text never does."""

from collections.abc import Callable

import pytest

from tests.adapters.pymupdf.pdfs import Line, paragraph, pdf
from workbench.domain.pages import ReadDocument

Read = Callable[[bytes], ReadDocument]
pytestmark = pytest.mark.req("LIB-6")


def framed(number: int, body: list[str]) -> list[Line]:
    return [(72, 40, "ACME Master Agreement"), *paragraph(body), (280, 810, f"Page {number} of 4")]


def test_headers_and_footers_are_left_out_but_for_the_first(read: Read) -> None:
    document = read(pdf(*[framed(n, [f"Body of page {n} is here."]) for n in range(1, 5)]))
    assert [page.text for page in document.pages] == [
        "ACME Master Agreement\n\nBody of page 1 is here.",
        *[f"Body of page {n} is here." for n in range(2, 5)],
    ]


def numbered(number: int, of: str) -> list[Line]:
    return [(72, 40, f"Contract {of}, page {number}"), *paragraph([f"Body of page {number} is here."])]


def test_a_number_that_stands_only_in_a_header_is_kept_once(read: Read) -> None:
    document = read(pdf(*[numbered(n, "GB-4711") for n in range(1, 7)]))
    assert document.pages[0].text.startswith("Contract GB-4711, page 1\n\n")
    assert all("4711" not in page.text for page in document.pages[1:])


def test_each_number_of_a_header_that_changes_is_kept(read: Read) -> None:
    document = read(pdf(*[numbered(n, "4711" if n < 5 else "4722") for n in range(1, 9)]))
    holding = {page.number: page.text.split("\n")[0] for page in document.pages if "Contract" in page.text}
    assert holding == {1: "Contract 4711, page 1", 5: "Contract 4722, page 5"}


def test_a_header_does_not_part_a_sentence_over_the_page_break(read: Read) -> None:
    document = read(pdf(*[framed(n, [f"and so it goes on to page {n + 1} and"]) for n in range(1, 5)]))
    assert document.pages[0].text.endswith("page 2 and")
    assert document.pages[1].text.startswith("and so")


def test_two_pages_are_too_few_to_tell(read: Read) -> None:
    document = read(pdf(*[framed(n, ["Body."]) for n in (1, 2)]))
    assert all("ACME Master Agreement" in page.text for page in document.pages)


def test_a_page_with_nothing_else_keeps_its_text(read: Read) -> None:
    document = read(pdf(framed(1, ["Body."]), framed(2, ["Body."]), framed(3, []), framed(4, ["Body."])))
    assert document.pages[2].text == "ACME Master Agreement\n\nPage 3 of 4"


def test_the_same_line_elsewhere_on_the_page_is_text(read: Read) -> None:
    pages = [framed(n, ["Initials of the parties:"]) for n in range(1, 5)]
    texts = [page.text for page in read(pdf(*pages)).pages]
    assert texts == ["ACME Master Agreement\n\nInitials of the parties:", *["Initials of the parties:"] * 3]
