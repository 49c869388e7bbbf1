"""Encodings of plain text: a byte-order mark decides, then UTF-8, then Windows-1252 where that gives plausible text."""

import unicodedata

from workbench.domain.errors import UnsupportedFile

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_MAX_FOREIGN = 0.25
"""In a Western text fewer of the letters than this are outside ASCII; more means another code page, read wrongly."""
_MAX_CONTROLS = 0.01
_ADVICE = "Open it in an editor, save it with the encoding UTF-8, and upload that."


def decode(data: bytes, name: str) -> str:
    """Return the text of a file, its line ends as newlines; raise UnsupportedFile where the encoding is not clear.

    The whole file is decoded, never a sample: a text is either right to its end or refused.
    """
    text = _decoded(data, name).replace("\r\n", "\n").replace("\r", "\n")
    controls = sum(unicodedata.category(character) == "Cc" and character not in "\n\t\f" for character in text)
    if controls > _MAX_CONTROLS * len(text):
        raise UnsupportedFile(f"{name} holds binary data of a type that Pincite does not know.", _ADVICE)
    return text


def _decoded(data: bytes, name: str) -> str:
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise UnsupportedFile(f"{name} begins as {encoding.upper()} text but breaks off.", _ADVICE) from error
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise UnsupportedFile(f"The text encoding of {name} is not clear.", _ADVICE) from error
    letters = sum(character.isalpha() for character in text)
    foreign = sum(character > "\x7f" for character in text)
    if foreign > _MAX_FOREIGN * max(letters, 1):
        raise UnsupportedFile(f"The text encoding of {name} is not clear.", _ADVICE)
    return text
