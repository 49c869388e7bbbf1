"""What ``read_table`` told of a table: its columns with what they hold, its first rows, and the sheets beside it."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from workbench.adapters.extractive.transcript import READ_TABLE, Call
from workbench.domain.ids import DocumentId, Ref
from workbench.domain.sources import SourceBlock, parse_blocks
from workbench.domain.tables import LETTERS, column_number, read_cells, row_of

_COLUMN = re.compile(
    r"\| ([A-Z]{1,3})(?: (.*))?: ((?:[\d,]+ (?:text|number|date|boolean|error|formula)(?:, )?)+|nothing below the header)"
    r"(?:; (.*))?$"
)
_SHEETS = re.compile(r"NOTE: Sheets: (.+)\.$")
_FORMULA = re.compile(r"\| ([A-Z]{1,3}\d+): (=.*)$")
_HIDDEN = " (hidden)"


class Column(NamedTuple):
    """A column: ``kinds`` counts its cells by kind below the header. ``summed`` tells that the sum of its numbers is known,
    which is not so where a row adds up others."""

    letters: str
    name: str
    kinds: dict[str, int]
    summed: bool
    about: str = ""

    @property
    def filled(self) -> int:
        return sum(self.kinds.values())

    def mostly(self, kind: str) -> bool:
        """Tell whether its cells are of this kind, but for a few."""
        return self.filled > 0 and self.kinds.get(kind, 0) >= 0.8 * self.filled


class View(NamedTuple):
    """One table as it was read."""

    document: DocumentId
    title: str
    sheet: str
    sheets: tuple[str, ...]
    columns: tuple[Column, ...]
    ref: Ref
    rows: tuple[dict[str, str], ...]
    formulas: dict[str, str]

    @property
    def label(self) -> str:
        """The table's name for people."""
        return f"{self.title}, {self.sheet}" if self.sheet else self.title

    def column(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)


def views(calls: Iterable[Call]) -> list[View]:
    """Return the tables that were read, each once."""
    found: dict[tuple[DocumentId, str], View] = {}
    for call in calls:
        if call.name == READ_TABLE and call.output and (view := _view(call.output)) is not None:
            found.setdefault((view.document, view.sheet), view)
    return list(found.values())


def _view(output: str) -> View | None:
    blocks = parse_blocks(output)
    if not blocks:
        return None
    lines = output[: output.find("REF: ")].splitlines()
    listed = next((match[1] for line in lines if (match := _SHEETS.match(line))), "")
    sheets = tuple(name for name in listed.split(", ") if name and not name.endswith(_HIDDEN) and " more" not in name)
    label = read_cells(blocks[0].page)
    columns = tuple(column for line in lines if (column := _column(line)) is not None)
    return View(
        document=blocks[0].document,
        title=blocks[0].title,
        sheet=label.sheet if label is not None else "",
        sheets=sheets,
        columns=columns,
        ref=blocks[0].ref,
        rows=tuple(_rows(blocks[0], columns)),
        formulas={match[1]: match[2] for line in lines if (match := _FORMULA.match(line))},
    )


def _column(line: str) -> Column | None:
    found = _COLUMN.match(line)
    if found is None:
        return None
    letters, name, kinds, about = found.groups()
    counts = {
        kind: int(count.replace(",", "")) for count, kind in re.findall(r"([\d,]+) ([a-z]+)", kinds) if count.strip(",")
    }
    return Column(letters, " ".join((name or "").split()), counts, "sum " in (about or ""), about or "")


def _rows(block: SourceBlock, columns: Iterable[Column]) -> Iterable[dict[str, str]]:
    """Return the rows below the header as the source shows them, by the names of the columns."""
    names = {column.letters: column.name for column in columns}
    shown: list[str] = []
    for line in block.content.split("\n"):
        fields = line.split("\t")
        if fields[0] == LETTERS:
            shown = fields[1:]
        elif shown and row_of(line) is not None:
            row = {names[letters]: text for letters, text in zip(shown, fields[1:], strict=False) if names.get(letters)}
            if any(text and text != name for name, text in row.items()):
                yield row


def sheet_columns(view: View) -> list[Column]:
    """Return the columns that have a name of their own, in order."""
    names = [column.name for column in view.columns]
    unique = [column for column in view.columns if column.name and names.count(column.name) == 1]
    return sorted(unique, key=lambda column: column_number(column.letters))
