"""Tables found on pages, kept cell by cell as the sheets of a spreadsheet are, so that they are read by addresses too."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from workbench.domain.page_tables import PlacedRow, WholeTable, whole_tables
from workbench.domain.pages import Page, page_label
from workbench.domain.tables import Cell, CellKind, Table
from workbench.services.ingestion.table_builder import TableBuilder
from workbench.services.ports import TableEncoder

MOST_TABLES = 500
MOST_CELLS = 500_000
_MONEY = re.compile(r"(?:[$€£¥] ?)?(-?[\d.,]+)(?: ?[$€£¥])?")
_PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:[.,](?:\d{1,2}|\d{4,}))?")
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+|(?:,\d{3}){2,}|(?:\.\d{3}){2,})")


class PageTables(NamedTuple):
    tables: tuple[Table, ...]
    notes: tuple[str, ...]


def page_tables(pages: Sequence[Page], encoder: TableEncoder) -> PageTables:
    """Return the tables of at least two rows and two columns, the first of very many, and a note where some are left out."""
    found = [table for table in whole_tables(pages) if len(table.rows) > 1 and table.columns > 1]
    kept: list[Table] = []
    cells = 0
    for number, table in enumerate(found[:MOST_TABLES], start=1):
        cells += sum(len(row.texts) for row in table.rows)
        if cells > MOST_CELLS:
            break
        kept.append(_built(table, number, encoder))
    if len(kept) == len(found):
        return PageTables(tuple(kept), ())
    note = (
        f"Of {len(found):,} tables on the pages the first {len(kept):,} are kept cell by cell; "
        "the others are searched as text."
    )
    return PageTables(tuple(kept), (note,))


def _built(table: WholeTable, number: int, encoder: TableEncoder) -> Table:
    name = f"Table {number} ({page_label(table.page, table.label)})"
    builder = TableBuilder(encoder, number, name, header_row=table.header_row)
    for row in table.rows:
        builder.row(row.number, _cells(row))
    sheet = builder.sheet()
    if sheet.table is None:
        raise ValueError("a table without cells")
    info = sheet.table.info
    shown = info.model_copy(update={"pages": (table.page, table.last_page), "paged": info.area.last_row})
    return sheet.table.model_copy(update={"info": shown})


def _cells(row: PlacedRow) -> list[Cell]:
    cells = []
    for column, text in sorted(row.texts.items()):
        number = unambiguous_number(text)
        kind = CellKind.TEXT if number is None else CellKind.NUMBER
        cells.append(Cell(row.number, column, text, text if number is None else number, kind))
    return cells


def unambiguous_number(text: str) -> Decimal | None:
    """Return the number that a text can only be, or None: "1,234" is a thousand here and a little over one there."""
    money = _MONEY.fullmatch(text.strip())
    digits = money.group(1) if money else ""
    if _PLAIN.fullmatch(digits):
        return Decimal(digits.replace(",", "."))
    if not _GROUPED.fullmatch(digits):
        return None
    marks = [mark for mark in digits if mark in ",."]
    if len(set(marks)) == 1:
        return Decimal(digits.replace(marks[0], ""))
    return Decimal(digits.replace(marks[0], "").replace(marks[-1], "."))
