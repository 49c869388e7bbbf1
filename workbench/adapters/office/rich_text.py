"""Rich Text files: their text, without layout."""

import re

from workbench.adapters.office.markup import paragraphs
from workbench.domain.errors import DamagedFile, EmptyFile
from workbench.services.ports import Flow

MEDIA_TYPE = "application/rtf"
_ADVICE = "Open it in a word processor, save it as .docx, and upload that."
_NOTE = "Read from Rich Text: text only, without tables, notes and tracked changes. Save it as .docx for a faithful reading."


class RtfConverter:
    """Converter for .rtf."""

    def convert(self, data: bytes, name: str) -> Flow:
        from striprtf.striprtf import rtf_to_text  # noqa: PLC0415

        named = re.search(rb"\\ansicpg(\d+)", data[:2000])
        encoding = f"cp{named.group(1).decode()}" if named and named.group(1) != b"0" else "cp1252"
        try:
            text: str = rtf_to_text(data.decode("latin-1"), encoding=encoding, errors="replace")  # type: ignore[no-untyped-call]
        except (ValueError, LookupError, TypeError, IndexError, AttributeError) as error:
            raise DamagedFile(f"{name} is damaged and cannot be read as Rich Text.", _ADVICE) from error
        blocks = [block for line in text.split("\n") for block in paragraphs(line)]
        if not blocks:
            raise EmptyFile(f"{name} holds no text.", _ADVICE)
        return Flow(media_type=MEDIA_TYPE, title="", sections=(tuple(blocks),), notes=(_NOTE,))
