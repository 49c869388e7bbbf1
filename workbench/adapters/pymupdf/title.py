"""Titles: the name a document gives itself."""

import re
from typing import Any

from workbench.adapters.pymupdf.characters import clean
from workbench.adapters.pymupdf.engine import engine
from workbench.adapters.pymupdf.rows import CLAUSE

_MAX = 160
_FILE_NAME = re.compile(
    r"(?i)\.(?:docx?|pdf|rtf|odt|indd|xlsx?|pptx?|txt|html?|tex|dvi|qxd|wpd)$|^microsoft (?:word|excel)"
)
_PLACEHOLDER = re.compile(r"(?i)^(?:untitled|document|doc|title|print|template|slide|page|unknown|none|new)\W*\d*$")
_NOT_A_TITLE = re.compile(
    r"(?i)^(?:exhibit|confidential|execution (?:version|copy)|page|draft|source:|copyright|\W|\d+$|ex-|by\b|www\.|http)"
)
_NAMES_A_DOCUMENT = re.compile(
    r"(?i)\b(?:agreement|contract|amendment|addendum|terms|order|schedule|statement of work|lease|licen[cs]e|deed|policy|"
    r"report|guide|manual|proposal|invoice)\b"
)


def document_title(metadata_title: str | None, first_page: Any) -> str:
    """Return the title in the metadata if it is one, else the largest text of page 1, else an empty string."""
    title = _one_line(metadata_title or "")
    if 4 <= len(title) <= _MAX and not _FILE_NAME.search(title) and not _PLACEHOLDER.match(title) and " " in title:
        return title
    return _printed_title(_sized_lines(first_page))


def _sized_lines(page: Any) -> list[tuple[float, str]]:
    pymupdf = engine()
    found = page.get_text("dict", flags=pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES, sort=False)
    lines: list[tuple[float, str]] = []
    for block in found["blocks"]:
        for line in block.get("lines", ()):
            text = _one_line(" ".join(span["text"] for span in line["spans"]))
            if text:
                lines.append((max(span["size"] for span in line["spans"]), text))
    return lines


def _printed_title(lines: list[tuple[float, str]]) -> str:
    usable = [(size, text) for size, text in lines[:60] if _may_be_title(text)]
    if not usable:
        return ""
    sizes = sorted(size for size, _ in usable)
    largest, usual = sizes[-1], sizes[len(sizes) // 2]
    if largest > 1.1 * usual:
        start = next(index for index, (size, _) in enumerate(usable) if size >= largest - 0.1)
        block = [text for size, text in usable[start : start + 3] if size >= largest - 0.6]
        return _one_line(" ".join(block))[:_MAX]
    # All of one size: the first short line that names a kind of document, as contracts print it above the parties.
    return next((text for _, text in usable[:25] if len(text) <= 90 and _heads(text)), "")


def _may_be_title(text: str) -> bool:
    return len(text) <= _MAX and _letters(text) > 3 and not _NOT_A_TITLE.match(text) and not CLAUSE.match(text)


def _heads(text: str) -> bool:
    words = [word for word in text.split() if word[:1].isalpha() and len(word) > 3]
    return bool(_NAMES_A_DOCUMENT.search(text)) and all(word[0].isupper() for word in words) and text[-1] not in ".,;:"


def _letters(text: str) -> int:
    return sum(character.isalpha() for character in text)


def _one_line(text: str) -> str:
    return " ".join(clean(word) for word in text.split()).strip()
