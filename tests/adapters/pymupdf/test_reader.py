"""Reading files: what is read, what is refused, and in which words."""

import io
import zipfile
from collections.abc import Callable

import pymupdf
import pytest

from tests.adapters.pymupdf.pdfs import edited, paragraph, pdf
from workbench.adapters.pymupdf import PyMuPdfReader
from workbench.domain.errors import BadFile, DamagedFile, EmptyFile, EncryptedFile, TooLarge, UnsupportedFile
from workbench.domain.pages import ReadDocument

Read = Callable[[bytes], ReadDocument]


def picture() -> bytes:
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 80))
    pixmap.clear_with(200)
    return pixmap.tobytes("png")


def scanned() -> bytes:
    """Return a PDF of one page of text, one of a picture, and one of nothing."""
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 100), "Readable.")
        page = document.new_page()
        page.insert_image(page.rect, stream=picture())
        document.new_page()
        return document.tobytes()


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("word/document.xml", "<w:document/>")
    return out.getvalue()


WHOLE = pdf(*[paragraph([f"Line {n} of page {p}, which is long enough." for n in range(30)]) for p in range(1, 9)])


NO_PAGES = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF"
)


@pytest.mark.req("LIB-9")
@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        (b"", EmptyFile, "no content"),
        (b"\x00" * 5000, EmptyFile, "empty bytes"),
        (b"<!DOCTYPE html><html><body>404</body></html>", UnsupportedFile, "web page"),
        (picture(), UnsupportedFile, "PNG"),
        (archive(), UnsupportedFile, "Office document or ZIP"),
        (WHOLE[: len(WHOLE) // 2], DamagedFile, "cut off"),
        (b"%PDF-1.7\n" + b"nothing of a PDF follows. " * 50, DamagedFile, "damaged"),
        (NO_PAGES, EmptyFile, "without pages"),
        (edited(WHOLE, lambda document: None, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret", owner_pw="o"),
         EncryptedFile, "password"),
        (b"MZ\x90\x00\x03\x00\x00\x00", UnsupportedFile, "program"),
        ("Привет, мир. Это договор.".encode("cp866"), UnsupportedFile, "encoding"),
        (b"text then \x00\x01\x02\x03 binary", UnsupportedFile, "binary"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_in_words_that_name_it(read: Read, data: bytes, error: type[BadFile], says: str) -> None:
    with pytest.raises(error, match=says) as raised:
        read(data)
    assert raised.value.message.startswith(("file.pdf", "The text encoding of file.pdf"))
    assert raised.value.advice


@pytest.mark.req("LIB-9")
def test_limits_of_size_and_pages() -> None:
    with pytest.raises(TooLarge, match="limit is 3"):
        PyMuPdfReader(max_pages=3).read(WHOLE, "a.pdf", lambda done, total: None)
    with pytest.raises(TooLarge, match="MB"):
        PyMuPdfReader(max_bytes=1000).read(WHOLE, "a.pdf", lambda done, total: None)


@pytest.mark.req("LIB-9")
def test_a_file_with_an_owner_password_only_opens(read: Read) -> None:
    data = edited(pdf([(72, 100, "Copying is not allowed.")]), lambda document: None,
                  encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner", user_pw="", permissions=0)  # fmt: skip
    assert read(data).pages[0].text == "Copying is not allowed."


@pytest.mark.req("LIB-9")
def test_a_file_that_lost_only_its_last_line_is_read(read: Read) -> None:
    data = pdf([(72, 100, "Still whole.")])
    assert read(data[: data.rindex(b"%%EOF")]).pages[0].text == "Still whole."


@pytest.mark.req("LIB-9")
def test_the_type_is_decided_by_content() -> None:
    document = PyMuPdfReader().read(pdf([(72, 100, "A contract.")]), "contract.docx", lambda done, total: None)
    assert document.media_type == "application/pdf"
    assert document.canonical is None


@pytest.mark.req("LIB-6")
def test_pages_without_text_are_told_apart(read: Read) -> None:
    assert [page.status for page in read(scanned()).pages] == ["text", "no text", "empty"]


@pytest.mark.req("LIB-6")
def test_progress_counts_pages() -> None:
    seen: list[tuple[int, int]] = []
    PyMuPdfReader().read(WHOLE, "a.pdf", lambda done, total: seen.append((done, total)))
    assert seen == [(n, 8) for n in range(1, 9)]


@pytest.mark.req("LIB-4")
@pytest.mark.parametrize(
    ("metadata", "lines", "title"),
    [
        ("Master Services Agreement", [(72, 100, "Other")], "Master Services Agreement"),
        (
            "Microsoft Word - draft_v3.doc",
            [(72, 100, "SUPPLY AGREEMENT"), (72, 130, "between A and B.")],
            "SUPPLY AGREEMENT",
        ),
        (
            "untitled",
            [(72, 60, "Exhibit 10.2"), (72, 100, "Hosting Agreement"), (72, 130, "This is.")],
            "Hosting Agreement",
        ),
        ("", [(72, 100, "1. Term of the agreement"), (72, 130, "and so on.")], ""),
    ],
)
def test_title(read: Read, metadata: str, lines: list[tuple[float, float, str]], title: str) -> None:
    assert read(edited(pdf(lines), lambda document: document.set_metadata({"title": metadata}))).title == title


@pytest.mark.req("LIB-4")
def test_the_largest_text_is_the_title(read: Read) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 80), "Halden Cloud", fontsize=11)
        page.insert_text((72, 140), "Framework Contract", fontsize=26)
        for line in range(20):
            page.insert_text((72, 200 + 14 * line), "Ordinary text of the first page.", fontsize=11)
        data = document.tobytes()
    assert read(data).title == "Framework Contract"
