"""The markup the contract texts are written in, and its parser.

A text starts with ``key: value`` lines, then ``---``, then blocks separated by blank lines:

``# Heading``                 a clause heading (listed in the contents)
``9.2 | Text``                a numbered clause; ``> (a) | Text`` one level down
``:table 30,70 align=lr``     a table, one row a line, cells separated by ``|``, the first row is its header
``:schedule Schedule 1 | X``  a schedule heading on a new page
``:sign`` / ``:scan``         a signature block / the text of a page that is placed as a scanned image
``:title X`` ``:annex X | Y`` a title, and a schedule heading on a page that has just been started
``:toc`` ``:body`` ``:columns`` ``:single`` ``:rotated`` ``:page`` ``:space 20``  layout

Anything else is a paragraph. ``**bold**`` is the only inline mark; all other characters stand for themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

NUMBERED = re.compile(r"^(> )?(\S[^|\n]{0,18}) \| (.+)$", re.DOTALL)


class MarkupError(ValueError):
    """A text that does not follow the markup."""


@dataclass(frozen=True)
class Block:
    """One paragraph-level piece of a text."""

    kind: str
    text: str = ""
    number: str = ""
    level: int = 0
    options: dict[str, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()

    def rows(self) -> list[list[str]]:
        """The cells of a block whose lines are rows."""
        return [[cell.strip() for cell in line.split("|")] for line in self.lines]


@dataclass(frozen=True)
class Text:
    """A parsed contract: its facts and its blocks."""

    name: str
    facts: dict[str, str]
    parties: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]


def _directive(raw: str) -> Block:
    """A block that starts with a colon."""
    first, *rest = raw.split("\n")
    kind, _, argument = first[1:].partition(" ")
    words = argument.split()
    options = dict(word.split("=", 1) for word in words if "=" in word) if kind == "table" else {}
    text = words[0] if kind == "table" else argument.strip()
    return Block(kind=kind, text=text, options=options, lines=tuple(rest))


def _joined(raw: str) -> str:
    """A paragraph on one line: its line breaks only keep the source readable."""
    return " ".join(raw.split())


def parse_block(raw: str) -> Block:
    """One block of the body."""
    if raw.startswith(":"):
        return _directive(raw)
    if raw.startswith("# "):
        return Block(kind="heading", text=_joined(raw[2:]))
    numbered = NUMBERED.match(raw)
    if numbered:
        return Block(
            kind="clause",
            number=numbered.group(2).strip(),
            text=_joined(numbered.group(3)),
            level=1 if numbered.group(1) else 0,
        )
    return Block(kind="paragraph", text=_joined(raw))


def parse(path: Path) -> Text:
    """Read a contract text from a file."""
    head, separator, body = path.read_text(encoding="utf-8").partition("\n---\n")
    if not separator:
        raise MarkupError(f"{path.name}: no line '---' between the facts and the text")
    facts: dict[str, str] = {}
    parties: list[tuple[str, str]] = []
    for line in head.splitlines():
        key, colon, value = line.partition(": ")
        if not colon:
            raise MarkupError(f"{path.name}: '{line}' is not 'key: value'")
        if key == "party":
            name, _, role = value.partition(" | ")
            parties.append((name, role))
        else:
            facts[key] = value
    raws = [raw.strip("\n") for raw in re.split(r"\n\s*\n", body) if raw.strip()]
    return Text(path.stem, facts, tuple(parties), tuple(parse_block(raw) for raw in raws))
