"""Marked-up text: the small part of HTML that pages are made of."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_TAG = re.compile(r"<[^>]*>")
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


class GridCell(NamedTuple):
    """A cell of a table: its marked-up content, and how many columns it covers."""

    content: str
    span: int = 1


def table(rows: Iterable[Sequence[GridCell]]) -> Iterator[str]:
    """Yield rows as a table. A row too tall for a page, or one that only frames a text, becomes the blocks of its cells.

    Pages are cut between rows only: a taller row would not be drawn at all.
    """
    held: list[str] = []
    for row in rows:
        if not any(_plain(cell.content).strip() for cell in row):
            continue
        if _tall(row) or _frame(row):
            if held:
                yield f"<table>{''.join(held)}</table>"
                held = []
            yield from (
                cell.content if "<" in cell.content else f"<p>{cell.content}</p>" for cell in row if cell.content
            )
        else:
            held.append(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>")
    if held:
        yield f"<table>{''.join(held)}</table>"


def _cell(cell: GridCell) -> str:
    span = f' colspan="{cell.span}"' if 1 < cell.span < 100 else ""
    return f"<td{span}>{cell.content}</td>"


def _tall(row: Sequence[GridCell]) -> bool:
    """Tell whether a row may not fit a page, by the lines its fullest cell takes at the width it gets at worst."""
    across = max(90 // max(sum(cell.span for cell in row), 1), 8)
    return any(
        len(_plain(cell.content)) / across + len(re.findall(r"<(?:p|br|li|h\d|tr)>", cell.content)) > 45 for cell in row
    )


def _frame(row: Sequence[GridCell]) -> bool:
    """Tell whether a row only frames what stands in it, as old web pages lay out their text."""
    filled = [cell.content for cell in row if _plain(cell.content).strip()]
    return len(filled) == 1 and ("<table>" in filled[0] or filled[0].count("<p>") > 3)


def _plain(content: str) -> str:
    return _TAG.sub("", content)


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
