"""Marked-up text: the small part of HTML that pages are made of."""

import html
import re
from collections.abc import Sequence

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]|[\ud800-\udfff]")


def escaped(text: str) -> str:
    """Return text for use between tags, without the characters that no document means."""
    return html.escape(_CONTROLS.sub("", text), quote=False)


def paragraph(text: str) -> str:
    return f"<p>{escaped(text)}</p>"


def paragraphs(text: str) -> list[str]:
    """Return plain text as paragraphs: a blank line parts them, a line end stays one."""
    parts = re.split(r"\n[ \t]*\n\s*", text.replace("\r\n", "\n").replace("\r", "\n"))
    return [f"<p>{escaped(part.strip(chr(10))).replace(chr(10), '<br>')}</p>" for part in parts if part.strip()]


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of escaped cells."""
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{lines}</table>"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return "1 comment", "2 comments"."""
    return f"{count} {noun}" if count == 1 else f"{count} {plural or noun + 's'}"


def shortened(text: str, length: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else f"{text[: length - 1]}…"


def listed(names: Sequence[str], at_most: int = 10) -> str:
    """Return names as a list for people, the ones beyond ``at_most`` counted."""
    more = f" and {len(names) - at_most} more" if len(names) > at_most else ""
    return ", ".join(names[:at_most]) + more
