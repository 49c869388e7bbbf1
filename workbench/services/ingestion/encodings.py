"""Encodings of text files: a mark or a declaration decides, then UTF-8, then what the whole text makes likely."""

import codecs
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.errors import UnsupportedFile

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CANDIDATES = ("cp1252", "cp1251", "cp866", "koi8-r", "cp932", "gb18030", "cp1250", "cp1253", "cp1255", "cp1256")
_ADVICE = "Open it in an editor, save it with the encoding UTF-8, and upload that."
_FREQUENT = frozenset("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё")


class Decoded(NamedTuple):
    text: str
    encoding: str
    guessed: bool
    """Whether neither a mark nor a declaration nor UTF-8 itself proves the encoding."""


def decode(data: bytes, name: str, declared: str = "") -> Decoded:
    """Return the whole of a file as text; raise UnsupportedFile where no encoding makes sense of all of it."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(_strictly(data, encoding, name), encoding.removesuffix("-sig"), False)
    wide = _without_mark(data)
    if wide:
        return Decoded(_strictly(data, wide, name), wide, True)
    for encoding in ("utf-8", declared):
        try:
            return Decoded(data.decode(encoding or "utf-8"), encoding or "utf-8", False)
        except (UnicodeDecodeError, LookupError):
            continue
    return _likeliest(data, name)


class Encoding(NamedTuple):
    """How the bytes of a file are read as text.

    ``guessed`` is as in :class:`Decoded`. ``broken`` tells that some bytes are not of this encoding: what they meant is lost.
    """

    name: str
    guessed: bool = False
    broken: bool = False


def encoding_of(data: bytes, name: str) -> Encoding:
    """Return the encoding of a text of any size; raise UnsupportedFile where none makes sense of all of it.

    All bytes are looked at, a piece at a time: a file may be plain ASCII for its first hundred megabytes. Which encoding it
    is, is told from lines that are not ASCII.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Encoding(encoding)
    wide = _without_mark(data)
    if wide:
        return Encoding(wide, guessed=True)
    if _is_all(data, "utf-8"):
        return Encoding("utf-8")
    foreign = _foreign_lines(data)
    if len(foreign) >= _TELLING and sum(_is_all(line, "utf-8") for line in foreign) >= 0.9 * len(foreign):
        return Encoding("utf-8", broken=True)
    fitting = [encoding for encoding in _CANDIDATES if len(data) <= _SAMPLE or _is_all(data, encoding)]
    return Encoding(_likeliest(data if len(data) <= _SAMPLE else b"\n".join(foreign), name, fitting).encoding, True)


_PIECE = 1 << 20
_SAMPLE = 1 << 20
_TELLING = 5
"""So many lines beyond ASCII that are good UTF-8 leave no doubt that others are damaged."""
_FOREIGN = re.compile(rb"[^\r\n]*[\x80-\xff][^\r\n]*")


def _is_all(data: bytes, encoding: str) -> bool:
    """Tell whether bytes are a text of an encoding, without holding the text."""
    decoder = codecs.getincrementaldecoder(encoding)()
    view = memoryview(data)
    try:
        for start in range(0, len(data), _PIECE):
            decoder.decode(view[start : start + _PIECE], start + _PIECE >= len(data))
    except UnicodeDecodeError:
        return False
    return True


def _foreign_lines(data: bytes) -> list[bytes]:
    """Return the first lines that are not ASCII, together no more than the sample."""
    lines: list[bytes] = []
    size = 0
    for match in _FOREIGN.finditer(data):
        size += match.end() - match.start()
        if lines and size > _SAMPLE:
            break
        lines.append(match.group()[:_SAMPLE])
    return lines


def _strictly(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnsupportedFile(f"{name} begins as {encoding.upper()} text but breaks off.", _ADVICE) from error


def _without_mark(data: bytes) -> str:
    """Tell UTF-16 without a mark by the zero bytes of its Latin letters, at even or odd places only."""
    sample = data[:4000]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) < 0.3 * max(len(sample) // 2, 1):
        return ""
    return "utf-16-le" if odd > 10 * even else "utf-16-be" if even > 10 * odd else ""


def _likeliest(data: bytes, name: str, candidates: Sequence[str] = _CANDIDATES) -> Decoded:
    """Choose the encoding under which the whole file looks most like writing."""
    best: tuple[float, Decoded] | None = None
    for encoding in candidates:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        score = _plausibility(text)
        if best is None or score > best[0] + 1e-9:
            best = score, Decoded(text, encoding, True)
    if best is None or best[0] < 0:
        raise UnsupportedFile(f"The text encoding of {name} is not clear.", _ADVICE)
    return best[1]


def _plausibility(text: str) -> float:
    """Score how much the characters beyond ASCII look like words of one script: 1 at best, below 0 for noise."""
    foreign = [character for character in text if character > "\x7f"]
    if not foreign:
        return 1.0
    score = 0.0
    for character in foreign:
        category = unicodedata.category(character)
        score += 1.0 if category in {"Ll", "Lo"} else 0.4 if category == "Lu" else 0.3 if category[0] in "PSZ" else -3.0
    words = re.findall(r"[^\W\d_]+", text)
    odd = sum(_mixed(word) for word in words if not word.isascii())
    cyrillic = [character for character in foreign if "Ѐ" <= character <= "ӿ"]
    if len(cyrillic) > 0.5 * len(foreign):
        # Wrong Cyrillic tables give rare letters and capitals within words.
        score += 0.5 * sum(character in _FREQUENT for character in cyrillic)
    elif len(foreign) > 0.4 * sum(map(len, words)):
        # Western text is mostly plain letters; more accents than that is another code page, read wrongly.
        score -= sum(character < "ʰ" for character in foreign)
    return (score - 4.0 * odd) / len(foreign)


_JAPANESE = frozenset({"CJK", "HIRAGANA", "KATAKANA"})
"""Written together in one word."""


def _script(character: str) -> str:
    script = unicodedata.name(character, "?").partition(" ")[0]
    return "CJK" if script in _JAPANESE else script


def _mixed(word: str) -> bool:
    """Tell whether a word is no word: small letters before capitals, or letters of two scripts."""
    scripts = {_script(character) for character in word}
    return len(scripts) > 1 or bool(re.search(r"[^\W\d_A-ZÀ-ÞА-ЯЁ][А-ЯЁÀ-Þ]", word) and not word.isupper())
