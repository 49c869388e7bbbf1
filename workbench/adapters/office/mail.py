"""Mail: who wrote to whom and when, the text, and the names of what is attached. Attachments are not read."""

import email
import email.policy
import io
import re
from email.message import Message
from typing import Any

from workbench.adapters.office.markup import GridCell, counted, escaped, listed, paragraph, paragraphs, table
from workbench.adapters.office.web import read_html
from workbench.domain.errors import DamagedFile, EmptyFile, UnsupportedFile
from workbench.services.ingestion.encodings import decode
from workbench.services.ports import Flow

EML = "message/rfc822"
MSG = "application/vnd.ms-outlook"
_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_BROKEN = (LookupError, UnicodeError, AssertionError, AttributeError, TypeError, ValueError)
"""What the email package raises on headers and parts that break the rules."""


class EmailConverter:
    """Converter for .eml: text parts as they are, HTML as text where there is no plain text, nested messages in place."""

    def convert(self, data: bytes, name: str) -> Flow:
        message = email.message_from_bytes(data.lstrip(b"\r\n \t"), policy=email.policy.default)
        letter = _Letter(name)
        letter.read(message)
        if not message.keys() and not letter.blocks:
            raise EmptyFile(f"{name} holds no message.", "Check the file where it came from and upload it again.")
        return letter.flow(EML, _header(message, "Subject"))


class _Letter:
    """A message on its way to marked-up text."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.blocks: list[str] = []
        self.attachments: list[str] = []
        self.guessed: list[str] = []
        self.enciphered = False

    def flow(self, media_type: str, subject: str) -> Flow:
        notes = []
        if self.enciphered:
            notes.append("The message is encrypted: its text cannot be read.")
        if self.attachments:
            self.blocks.append(paragraph(f"Attachments (not read): {'; '.join(self.attachments)}"))
            notes.append(
                f"{counted(len(self.attachments), 'attachment')} not read: {listed(self.attachments)}. "
                "Upload them by themselves."
            )
        if self.guessed:
            notes.append(f"Read as {listed(sorted(set(self.guessed)))} text, which the message does not say itself.")
        return Flow(media_type=media_type, title=subject, sections=(tuple(self.blocks),), notes=tuple(notes))

    def read(self, message: Message) -> None:
        rows = [(GridCell(f"{key}:"), GridCell(escaped(value))) for key in _HEADERS if (value := _header(message, key))]
        if rows:
            self.blocks.extend(table(rows))
        self._body(message)

    def _body(self, message: Message) -> None:
        kind = message.get_content_type()
        if message.is_multipart():
            parts = [part for part in message.get_payload() if isinstance(part, Message)]
            if kind == "multipart/encrypted":
                self.enciphered = True
            if kind == "multipart/alternative":
                parts = _preferred(parts)
            for part in parts:
                self._part(part)
            return
        self._part(message)

    def _part(self, part: Message) -> None:
        kind = part.get_content_type()
        file_name = _quietly(part.get_filename) or ""
        attached = part.get_content_disposition() == "attachment" or (file_name and not kind.startswith("message/"))
        if kind == "message/rfc822" and part.is_multipart():
            self.blocks.append(paragraph("Message attached:"))
            for nested in part.get_payload():
                if isinstance(nested, Message):
                    self.read(nested)
        elif part.is_multipart():
            self._body(part)
        elif attached or not kind.startswith(("text/", "message/")):
            if part.get_payload(decode=True) or file_name:
                self.attachments.append(file_name or kind)
        else:
            self._text(part, kind)

    def _text(self, part: Message, kind: str) -> None:
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else str(part.get_payload()).encode("utf-8", "surrogateescape")
        if not data.strip():
            return
        declared = _quietly(part.get_content_charset) or ""
        try:
            text = data.decode(declared or "utf-8")
        except (UnicodeDecodeError, LookupError):
            decoded = decode(data, self.name)
            text = decoded.text
            self.guessed.append(decoded.encoding.upper())
        self.blocks += read_html(text)[1] if kind == "text/html" else paragraphs(text)


def _preferred(parts: list[Message]) -> list[Message]:
    """Of the same text in several forms keep one: plain text where it is not empty, else the last that is text."""
    texts = [part for part in parts if part.get_content_type() == "text/plain" and str(part.get_payload()).strip()]
    if texts:
        return [
            texts[0],
            *(
                part
                for part in parts
                if not part.get_content_type().startswith("text/") and part.is_multipart() and _carries_more(part)
            ),
        ]
    return parts[-1:]


def _carries_more(part: Message) -> bool:
    """Tell whether a form of the text brings attachments of its own."""
    return any(each.get_filename() for each in part.walk())


def _header(message: Message, key: str) -> str:
    return " ".join(str(_quietly(lambda: message.get(key)) or "").split())


def _quietly(get: Any) -> Any:
    """Return a header's value, or None where it breaks the rules so that it cannot be understood."""
    try:
        return get()
    except _BROKEN:
        return None


# --- Outlook's own format ---------------------------------------------------------------------------------------------

_SUBJECT, _BODY, _SENDER, _TO, _CC, _HTML, _RTF = "0037", "1000", "0C1A", "0E04", "0E03", "1013", "1009"
_CODE_PAGES = (b"\x03\x00\xfd\x3f", b"\x03\x00\xde\x3f")
"""The properties that name the code page of text that is not Unicode."""


class OutlookConverter:
    """Converter for .msg."""

    def convert(self, data: bytes, name: str) -> Flow:
        import olefile  # noqa: PLC0415

        try:
            with olefile.OleFileIO(io.BytesIO(data)) as ole:
                return self._read(ole, name)
        except (OSError, ValueError, IndexError, TypeError) as error:
            raise DamagedFile(
                f"{name} is damaged and cannot be read as a message.",
                "Open it in Outlook, save it as PDF, and upload that.",
            ) from error

    def _read(self, ole: Any, name: str) -> Flow:
        properties = ole.openstream("__properties_version1.0").read()
        code_page = _code_page(properties)
        letter = _Letter(name)
        fields = {
            "From:": _string(ole, _SENDER, code_page),
            "To:": _string(ole, _TO, code_page),
            "Cc:": _string(ole, _CC, code_page),
            "Subject:": _string(ole, _SUBJECT, code_page),
        }
        rows = [(GridCell(key), GridCell(escaped(value))) for key, value in fields.items() if value]
        if rows:
            letter.blocks.extend(table(rows))
        body = _string(ole, _BODY, code_page)
        page = _stream(ole, f"__substg1.0_{_HTML}0102")
        if body.strip():
            letter.blocks += paragraphs(body)
        elif page:
            letter.blocks += read_html(decode(page, name, code_page).text)[1]
        elif ole.exists(f"__substg1.0_{_RTF}0102"):
            raise UnsupportedFile(
                f"{name} holds its text only as Rich Text.", "Open it in Outlook, save it as PDF, and upload that."
            )
        letter.attachments = _attachments(ole, code_page)
        if not letter.blocks and not letter.attachments:
            letter.blocks.append(paragraph("(This message has no text.)"))
        return letter.flow(MSG, fields["Subject:"])


def _code_page(properties: bytes) -> str:
    for tag in _CODE_PAGES:
        place = properties.find(tag)
        if place >= 0:
            number = int.from_bytes(properties[place + 8 : place + 12], "little")
            return "utf-8" if number == 65001 else f"cp{number}"
    return "cp1252"


def _stream(ole: Any, path: str) -> bytes:
    return bytes(ole.openstream(path).read()) if ole.exists(path) else b""


def _string(ole: Any, tag: str, code_page: str, folder: str = "") -> str:
    """Return a text property, in Unicode or in the message's code page, on one line but for the body."""
    wide = _stream(ole, f"{folder}__substg1.0_{tag}001F")
    if wide:
        text = wide.decode("utf-16-le", "replace")
    else:
        data = _stream(ole, f"{folder}__substg1.0_{tag}001E")
        try:
            text = data.decode(code_page)
        except (UnicodeDecodeError, LookupError):
            text = data.decode("cp1252", "replace")
    text = text.replace("\x00", "")
    return text if tag == _BODY else " ".join(text.split())


def _attachments(ole: Any, code_page: str) -> list[str]:
    folders = {path[0] for path in ole.listdir() if re.match(r"__attach_version1\.0_#", path[0])}
    return [
        _string(ole, "3707", code_page, f"{folder}/")
        or _string(ole, "3704", code_page, f"{folder}/")
        or "without a name"
        for folder in sorted(folders)
    ]
