"""Plain text: every character kept, in pages that can be shown."""

from collections.abc import Callable

import pymupdf
import pytest

from workbench.adapters.pymupdf.encoding import decode
from workbench.domain.pages import ReadDocument

Read = Callable[[bytes], ReadDocument]
pytestmark = pytest.mark.req("LIB-4")


def joined(document: ReadDocument) -> str:
    return " ".join(page.text for page in document.pages)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str) -> None:
    text = "Ordinary lines.\n" * 500 + "café – €5 “quoted”"
    assert decode(text.encode(encoding), "a.txt") == text


def test_line_ends() -> None:
    assert decode(b"a\r\nb\rc", "a.txt") == "a\nb\nc"


def test_paragraphs_words_and_pages(read: Read) -> None:
    text = "\n\n".join(f"{n}. The Supplier shall deliver item {n}." for n in range(1, 60))
    document = read(text.encode())
    assert document.media_type == "text/plain"
    assert len(document.pages) > 1
    assert joined(document).split() == text.split()
    for page in document.pages:
        assert [page.text[word.start : word.end] for word in page.words] == page.text.split()


def test_the_canonical_pdf_shows_the_words_where_the_boxes_are(read: Read) -> None:
    document = read("Payment is due within 45 days.\n\nThe fee is 970,000 € – net.".encode())
    assert document.canonical is not None
    with pymupdf.open(stream=document.canonical, filetype="pdf") as shown:
        assert shown.page_count == len(document.pages)
        page = document.pages[0]
        for word in page.words:
            text = page.text[word.start : word.end]
            inside = shown[0].get_textbox(pymupdf.Rect(word.x0 - 1, word.y0 - 2, word.x1 + 1, word.y1 + 2))
            assert text in inside.replace("\xa0", " ")


@pytest.mark.parametrize(
    "text", ["Договор № 5", "Ωμέγα", "契約書の期間", "عقد الخدمة 48", "חוזה שירות", "สัญญา", "अनुबंध", "emoji 😀 ok"]
)
def test_scripts_are_kept_as_written(read: Read, text: str) -> None:
    assert read(text.encode()).pages[0].text == text


def test_one_endless_line_is_wrapped_not_refused(read: Read) -> None:
    document = read(b"x" * 60_000)
    assert sum(page.text.count("x") for page in document.pages) == 60_000
    assert all(word.x1 < 595 for page in document.pages for word in page.words)


def test_columns_of_spaces_are_cells(read: Read) -> None:
    assert read(b"Item      Price\nPump      1,845.00").pages[0].text == "Item\tPrice\nPump\t1,845.00"
