"""File types, told by content. A name is only ever repeated to people."""

from enum import StrEnum

from workbench.domain.errors import EmptyFile, UnsupportedFile

PDF = "application/pdf"
TEXT = "text/plain"


class FileType(StrEnum):
    """What the reader reads. The values are media types."""

    PDF = PDF
    TEXT = TEXT


_SIGNATURES = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"PK\x03\x04", "an Office document or ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"{\\rtf", "a Rich Text document"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
)
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
_ADVICE = "Pincite reads PDF and plain text files; save it as PDF and upload that."


def file_type(data: bytes, name: str) -> FileType:
    """Return the type of a file's bytes; raise EmptyFile or UnsupportedFile where they are nothing we read."""
    if not data.strip(b"\x00 \t\r\n\x0c"):
        what = "has no content" if not data else "holds nothing but empty bytes"
        raise EmptyFile(f"{name} {what}.", "Check the file where it came from and upload it again.")
    if b"%PDF-" in data[:1024]:
        return FileType.PDF
    for signature, what in _SIGNATURES:
        if data.startswith(signature) and not _prose(data, signature):
            raise UnsupportedFile(f"{name} is not a PDF: its content is {what}.", _ADVICE)
    head = data[:2048].lstrip(b"\xef\xbb\xbf \t\r\n").replace(b"\x00", b"").lstrip(b"\xff\xfe").lower()
    if head.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml")):
        raise UnsupportedFile(f"{name} is a web page or XML file, not a document.", _ADVICE)
    if b"\x00" in data and not data.startswith(_BYTE_ORDER_MARKS):
        raise UnsupportedFile(f"{name} holds binary data of a type that Pincite does not know.", _ADVICE)
    return FileType.TEXT


def _prose(data: bytes, signature: bytes) -> bool:
    """Tell whether a signature made of letters just happens to begin a text ("MZ 12 is the order number")."""
    return signature in {b"MZ", b"Rar!", b"GIF8", b"MM\x00*"} and b"\x00" not in data
