"""Old Word documents (.doc): the text of Word 2 to Word 2003, paragraph by paragraph.

Word 97 and later keep the text in pieces, each in Windows-1252 or UTF-16, and a table of the pieces; older ones keep it in
one stretch. Footnotes, headers and text boxes follow the body in the same stretch.
"""

import io
import re
import struct
from struct import unpack_from

from workbench.adapters.office.markup import GridCell, escaped, table
from workbench.domain.errors import DamagedFile, EmptyFile, EncryptedFile
from workbench.services.ports import Flow

MEDIA_TYPE = "application/msword"
_WORD_97 = 0xC1
_ENCRYPTED, _COMPLEX, _SECOND_TABLE = 0x0100, 0x0004, 0x0200
_FIELD = re.compile(r"\x13(?:[^\x13-\x15]*\x14([^\x13-\x15]*)|[^\x13-\x15]*)\x15")
_PARTS = ("", "Footnotes", "Headers and footers", "", "Comments", "Endnotes", "Text boxes", "")
_ADVICE = "Open it in Word or LibreOffice, save it as .docx, and upload that."
_NOTE = (
    "Read from the old Word format: text that was deleted with changes tracked may still be in it. "
    "Save it as .docx for a faithful reading."
)


class DocConverter:
    """Converter for .doc."""

    def convert(self, data: bytes, name: str) -> Flow:
        import olefile  # noqa: PLC0415

        try:
            if data.startswith(b"\xd0\xcf\x11\xe0"):
                with olefile.OleFileIO(io.BytesIO(data)) as ole:
                    main = ole.openstream("WordDocument").read()
                    tables = {each: ole.openstream(each).read() for each in ("0Table", "1Table") if ole.exists(each)}
            else:
                main, tables = data, {}
            texts = _texts(main, tables, name)
        except (OSError, ValueError, IndexError, TypeError, KeyError, struct.error) as error:
            raise DamagedFile(f"{name} is damaged and cannot be read as a Word document.", _ADVICE) from error
        blocks: list[str] = []
        for title, text in texts:
            found = _blocks(text)
            blocks += [f"<h3>{title}</h3>"] * bool(title and found) + found
        if not blocks:
            raise EmptyFile(f"{name} holds no text.", _ADVICE)
        return Flow(media_type=MEDIA_TYPE, title="", sections=(tuple(blocks),), notes=(_NOTE,))


def _texts(main: bytes, tables: dict[str, bytes], name: str) -> list[tuple[str, str]]:
    """Return the body and what stands beside it, each with its title."""
    version, flags = unpack_from("<H", main, 2)[0], unpack_from("<H", main, 10)[0]
    if flags & _ENCRYPTED:
        raise EncryptedFile(f"{name} needs a password to open.", "Save a copy without a password and upload that.")
    if version < _WORD_97:
        start, end = unpack_from("<II", main, 0x18)
        if flags & _COMPLEX and not tables and version >= 0x65:
            raise DamagedFile(f"{name} was saved in pieces by a very old Word and cannot be read.", _ADVICE)
        return [("", main[start:end].decode("cp1252", "replace"))]
    lengths = unpack_from("<8I", main, 0x4C)
    place, size = unpack_from("<II", main, 0x1A2)
    text = _pieces(main, tables["1Table" if flags & _SECOND_TABLE else "0Table"][place : place + size])
    found, offset = [], 0
    for title, length in zip(_PARTS, lengths, strict=True):
        found.append((title, text[offset : offset + length]))
        offset += length
    return found


def _pieces(main: bytes, clx: bytes) -> str:
    """Return all text, by the table of pieces."""
    place = 0
    while clx[place] == 1:
        place += 3 + unpack_from("<H", clx, place + 1)[0]
    size = unpack_from("<I", clx, place + 1)[0]
    count = (size - 4) // 12
    ends = unpack_from(f"<{count + 1}I", clx, place + 5)
    parts = []
    for index in range(count):
        where = unpack_from("<I", clx, place + 5 + 4 * (count + 1) + 8 * index + 2)[0]
        length = ends[index + 1] - ends[index]
        if length < 0 or length > len(main):
            raise ValueError("a piece of text has no possible length")
        if where & 0x40000000:
            start = (where & 0x3FFFFFFF) // 2
            parts.append(main[start : start + length].decode("cp1252", "replace"))
        else:
            parts.append(main[where : where + 2 * length].decode("utf-16-le", "replace"))
    return "".join(parts)


def _blocks(text: str) -> list[str]:
    """Return paragraphs and rows of tables, without the commands of fields and the signs for pictures."""
    while (reduced := _FIELD.sub(lambda match: match.group(1) or "", text)) != text:
        text = reduced
    text = (
        text.replace("\x1e", "-").replace("\x1f", "").replace("\x0b", "\n").replace("\x0c", "\r").replace("\xa0", " ")
    )
    blocks: list[str] = []
    rows: list[list[GridCell]] = []
    for line in re.split(r"\r|(?<=\x07)\x07", text):
        if "\x07" in line:
            rows.append(
                [GridCell(escaped(cell).strip().replace("\n", "<br>")) for cell in line.rstrip("\x07").split("\x07")]
            )
            continue
        if rows:
            blocks += table(rows)
            rows = []
        content = escaped(line).strip()
        if content:
            blocks.append(f"<p>{content.replace(chr(10), '<br>')}</p>")
    return [*blocks, *table(rows)]
