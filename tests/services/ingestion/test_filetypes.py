"""Types by content: the name never decides what the bytes already say."""

import io
import zipfile

import pytest

from workbench.domain.errors import DamagedFile, EmptyFile, EncryptedFile, TooLarge, UnsupportedFile
from workbench.services.ingestion.filetypes import FileKind, file_kind

pytestmark = pytest.mark.req("LIB-9")


def archive(*parts: str, text: bytes = b"<x/>", name: str = "") -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for part in parts:
            packed.writestr(part, text)
    return target.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"%PDF-1.7\n", "a.docx", FileKind.PDF),
        (archive("[Content_Types].xml", "word/document.xml"), "a.pdf", FileKind.DOCX),
        (archive("[Content_Types].xml", "xl/workbook.xml"), "a", FileKind.XLSX),
        (archive("[Content_Types].xml", "xl/workbook.bin"), "a.xlsx", FileKind.XLSB),
        (archive("[Content_Types].xml", "ppt/presentation.xml"), "a.zip", FileKind.PPTX),
        (archive("mimetype", text=b"application/vnd.oasis.opendocument.spreadsheet"), "a.xlsx", FileKind.ODS),
        (b"{\\rtf1 x}", "a.doc", FileKind.RTF),
        (b"\x89PNG\r\n\x1a\n1", "a.pdf", FileKind.PICTURE),
        (b"<!DOCTYPE html><p>x", "a.txt", FileKind.HTML),
        (b"a,b\n1,2\n", "a.csv", FileKind.CSV),
        (b"a,b\n1,2\n", "a.txt", FileKind.TEXT),
        (b"# Terms\n", "a.md", FileKind.MARKDOWN),
        (b"From: a\nTo: b\n\nx", "a.eml", FileKind.EMAIL),
        (b"MZ 12 is the order number", "a.txt", FileKind.TEXT),
        ("Akt".encode("utf-16"), "a.txt", FileKind.TEXT),
    ],
)
def test_a_kind_is_told_by_content(data: bytes, name: str, kind: FileKind) -> None:
    assert file_kind(data, name) is kind


@pytest.mark.parametrize(
    ("data", "name", "error", "words"),
    [
        (b"", "a.csv", EmptyFile, "no content"),
        (b"\x00" * 40, "a.pdf", EmptyFile, "empty bytes"),
        (b"<html>404</html>", "a.pdf", UnsupportedFile, "web page"),
        (b"hello", "a.xlsx", UnsupportedFile, "plain text"),
        (b"\x7fELF\x00\x01", "a.docx", UnsupportedFile, "a program"),
        (archive("notes.txt"), "a.xlsx", UnsupportedFile, "ZIP archive"),
        (b"PK\x03\x04broken", "a.docx", DamagedFile, "cannot be unpacked"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage\x00".encode("utf-16-le"),
            "a.docx",
            EncryptedFile,
            "password",
        ),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 99, "a.doc", UnsupportedFile, "unknown type"),
        (b"\xffWPC\x00\x01", "a.doc", UnsupportedFile, "WordPerfect"),
    ],
)
def test_what_is_not_read_is_refused_by_name_with_advice(data: bytes, name: str, error: type, words: str) -> None:
    with pytest.raises(error, match=words) as refused:
        file_kind(data, name)
    assert name in refused.value.message
    assert refused.value.advice


def test_an_archive_that_expands_too_far_is_refused_before_it_is_expanded() -> None:
    bomb = archive("[Content_Types].xml", "xl/workbook.xml", text=b"0" * 2_000_000)
    assert len(bomb) < 10_000
    with pytest.raises(TooLarge, match="would expand"):
        file_kind(bomb, "a.xlsx", max_expanded_mb=3)
