"""File types, told by content. The name only decides between kinds of text, which no content can tell apart."""

import io
import zipfile
from enum import StrEnum

from workbench.domain.errors import DamagedFile, EmptyFile, EncryptedFile, TooLarge, UnsupportedFile

_MB = 1024 * 1024


class FileKind(StrEnum):
    """The kinds of files that are told apart. The values are the usual endings of their names."""

    PDF = "pdf"
    TEXT = "txt"
    MARKDOWN = "md"
    HTML = "html"
    CSV = "csv"
    EMAIL = "eml"
    DOCX = "docx"
    XLSX = "xlsx"
    XLSB = "xlsb"
    PPTX = "pptx"
    ODT = "odt"
    ODS = "ods"
    ODP = "odp"
    RTF = "rtf"
    DOC = "doc"
    XLS = "xls"
    PPT = "ppt"
    MSG = "msg"
    PICTURE = "picture"


_SIGNATURES: tuple[tuple[bytes, FileKind], ...] = (
    (b"\x89PNG\r\n\x1a\n", FileKind.PICTURE),
    (b"\xff\xd8\xff", FileKind.PICTURE),
    (b"II*\x00", FileKind.PICTURE),
    (b"MM\x00*", FileKind.PICTURE),
    (b"{\\rtf", FileKind.RTF),
    (b"\xdb\xa5-\x00", FileKind.DOC),  # Word 2.0
)
_REFUSED = (
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"GIF8", "a GIF picture"),
    (b"\xffWPC", "a WordPerfect document"),
)
_BY_ENDING = {
    "csv": FileKind.CSV,
    "tsv": FileKind.CSV,
    "tab": FileKind.CSV,
    "md": FileKind.MARKDOWN,
    "markdown": FileKind.MARKDOWN,
    "html": FileKind.HTML,
    "htm": FileKind.HTML,
    "xhtml": FileKind.HTML,
    "eml": FileKind.EMAIL,
}
_BINARY_ENDINGS = frozenset(
    "pdf docx docm doc odt rtf xlsx xlsm xlsb xls ods pptx pptm ppt odp msg png jpg jpeg tif tiff webp zip".split()
)
_OFFICE_PARTS = (
    ("word/document.xml", FileKind.DOCX),
    ("xl/workbook.bin", FileKind.XLSB),
    ("xl/workbook.xml", FileKind.XLSX),
    ("ppt/presentation.xml", FileKind.PPTX),
)
_OPEN_DOCUMENTS = {
    b"application/vnd.oasis.opendocument.text": FileKind.ODT,
    b"application/vnd.oasis.opendocument.spreadsheet": FileKind.ODS,
    b"application/vnd.oasis.opendocument.presentation": FileKind.ODP,
}
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UPLOAD_AGAIN = "Check the file where it came from and upload a complete copy."
_NOT_READ = "Save it as PDF, .docx, .xlsx, .pptx or plain text and upload that."


def file_kind(data: bytes, name: str, max_expanded_mb: int = 250) -> FileKind:
    """Return the kind of a file's bytes.

    Raises EmptyFile, EncryptedFile, DamagedFile or UnsupportedFile where they are nothing that can be read, and TooLarge
    for an archive that would expand to more than ``max_expanded_mb``; nothing is expanded to find out.
    """
    if not data.strip(b"\x00 \t\r\n\x0c"):
        what = "has no content" if not data else "holds nothing but empty bytes"
        raise EmptyFile(f"{name} {what}.", "Check the file where it came from and upload it again.")
    if b"%PDF-" in data[:1024]:
        return FileKind.PDF
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _archive_kind(data, name, max_expanded_mb)
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _compound_kind(data, name)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return FileKind.PICTURE
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    for signature, what in _REFUSED:
        if data.startswith(signature) and (b"\x00" in data or signature in {b"\x1f\x8b", b"7z\xbc\xaf"}):
            raise UnsupportedFile(f"{name} cannot be read: its content is {what}.", _NOT_READ)
    return _text_kind(data, name)


def ending(name: str) -> str:
    """Return the ending of a file's name in lower case, without its point."""
    _, point, last = name.rpartition(".")
    return last.lower().strip() if point else ""


def _text_kind(data: bytes, name: str) -> FileKind:
    """Tell kinds of text apart. Text under the name of a binary format is not what its name promises: it is refused."""
    end = ending(name)
    binary = b"\x00" in data and not data.startswith(_UTF16_MARKS) and end not in _BY_ENDING
    looks = data[:4096].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    is_html = looks.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) or (
        looks.startswith((b"<?xml", b"<!--", b"<!doctype")) and b"<html" in looks
    )
    if end in _BINARY_ENDINGS:
        what = "a web page" if is_html else "binary data of an unknown type" if binary else "plain text"
        raise UnsupportedFile(
            f"{name} is not what its name says: its content is {what}.",
            "Often a download that failed left an error page. Fetch the file again, or give it its right ending.",
        )
    if binary:
        raise UnsupportedFile(f"{name} holds binary data of a type that Pincite does not know.", _NOT_READ)
    if is_html:
        return FileKind.HTML
    if looks.startswith(b"<?xml") and end not in _BY_ENDING:
        raise UnsupportedFile(f"{name} is an XML file, not a document.", _NOT_READ)
    return _BY_ENDING.get(end, FileKind.TEXT)


# --- archives ---------------------------------------------------------------------------------------------------------


def _archive_kind(data: bytes, name: str, max_expanded_mb: int) -> FileKind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            expanded = sum(info.file_size for info in infos)
            if expanded > max_expanded_mb * _MB:
                raise TooLarge(
                    f"{name} would expand from {len(data) / _MB:.1f} MB to {expanded / _MB:.0f} MB; "
                    f"the limit is {max_expanded_mb} MB.",
                    "Split it into smaller files, or ask the operator to raise the limit.",
                )
            return _office_kind(archive, {info.filename for info in infos}, name)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, KeyError, EOFError) as error:
        raise DamagedFile(f"{name} is damaged: its content cannot be unpacked.", _UPLOAD_AGAIN) from error
    except RuntimeError as error:
        raise EncryptedFile(f"{name} needs a password to open.", "Save a copy without a password.") from error


def _office_kind(archive: zipfile.ZipFile, parts: set[str], name: str) -> FileKind:
    lower = {part.lower().lstrip("/"): part for part in parts}
    if "[content_types].xml" in lower:
        for part, kind in _OFFICE_PARTS:
            if part in lower:
                return kind
        # Programs may name the main part as they like: the folder tells.
        for folder, kind in (("word/", FileKind.DOCX), ("xl/", FileKind.XLSX), ("ppt/", FileKind.PPTX)):
            if any(part.startswith(folder) for part in lower):
                return kind
    if "mimetype" in parts:
        stated = archive.read("mimetype").strip()
        for media_type, kind in _OPEN_DOCUMENTS.items():
            if stated.startswith(media_type):
                if b"encryption-data" in (archive.read(part) if (part := "META-INF/manifest.xml") in parts else b""):
                    raise EncryptedFile(f"{name} needs a password to open.", "Save a copy without a password.")
                return kind
    raise UnsupportedFile(f"{name} is a ZIP archive, not a document.", "Unpack it and upload the files in it.")


# --- compound files: the old Office formats ---------------------------------------------------------------------------

_STREAMS = (
    ("WordDocument", FileKind.DOC),
    ("Workbook", FileKind.XLS),
    ("Book", FileKind.XLS),
    ("PowerPoint Document", FileKind.PPT),
    ("__properties_version1.0", FileKind.MSG),
)


def _compound_kind(data: bytes, name: str) -> FileKind:
    """Tell the old Office formats apart by the names in the directory of the compound file.

    The directory is searched for, not followed: a damaged file has a name all the same, and its reader says what is wrong.
    """

    def names(stream: str) -> bool:
        return stream.encode("utf-16-le") + b"\x00\x00" in data

    if names("EncryptedPackage"):
        raise EncryptedFile(f"{name} needs a password to open.", "Save a copy without a password and upload that.")
    for stream, kind in _STREAMS:
        if names(stream):
            return kind
    raise UnsupportedFile(f"{name} is an old Office or Windows file of an unknown type.", _NOT_READ)
