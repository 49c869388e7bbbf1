"""Workbooks of many cells, row by row with openpyxl's readers that hold no sheet in memory.

What these readers do not give (hidden rows and columns, merged ranges) is taken from the sheet's XML.
"""

import io
import re
import warnings
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from workbench.adapters.office.ooxml import Package
from workbench.adapters.office.sheets import with_merged
from workbench.adapters.office.xlsx_cells import cell_of
from workbench.domain.tables import CellRange, Sheet, column_number
from workbench.services.ingestion.table_builder import TableBuilder
from workbench.services.ports import TableEncoder

_ROW = re.compile(rb"<(?:\w+:)?row\s([^>]*)>")
_COLUMN = re.compile(rb"<(?:\w+:)?col\s([^>]*)>")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*ref=\"([A-Z]+)(\d+):([A-Z]+)(\d+)\"")
_HIDDEN = re.compile(rb"\bhidden=\"(?:1|true)\"")
_LAST_COLUMN = 16_384


def streamed(data: bytes, package: Package, encoder: TableEncoder, paged_rows: int) -> Iterator[Sheet]:
    """Yield the sheets of a workbook."""
    import openpyxl  # noqa: PLC0415

    with warnings.catch_warnings():
        # It warns of extensions that it does not keep when it saves; we never save.
        warnings.simplefilter("ignore")
        formulas = openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
        values = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        try:
            for number, sheet in enumerate(formulas.worksheets, start=1):
                builder = TableBuilder(encoder, number, sheet.title, paged_rows)
                _rows(sheet, values[sheet.title], builder)
                beside = _beside(package.read(sheet._worksheet_path))
                yield with_merged(builder.sheet(hidden=sheet.sheet_state != "visible", **beside._asdict()))
        finally:
            formulas.close()
            values.close()


def _rows(sheet: Any, values: Any, builder: TableBuilder) -> None:
    for each in (sheet, values):
        # What the file says of its size may be wrong in either direction.
        each.reset_dimensions()
    for row, cached in zip(sheet.iter_rows(), values.iter_rows(), strict=True):
        cells = [
            found
            for cell, stored in zip_longest(row, cached)
            if getattr(cell, "row", None) and (found := cell_of(cell, stored)) is not None
        ]
        if cells:
            builder.row(cells[0].row, cells)


class _Beside(NamedTuple):
    hidden_rows: list[int]
    hidden_columns: list[int]
    merged: tuple[CellRange, ...]


def _beside(xml: bytes) -> _Beside:
    rows = [
        int(number.group(1))
        for found in _ROW.finditer(xml)
        if _HIDDEN.search(found.group(1)) and (number := re.search(rb"\br=\"(\d+)\"", found.group(1)))
    ]
    columns: list[int] = []
    for found in _COLUMN.finditer(xml):
        low, high = (re.search(rb"\b%s=\"(\d+)\"" % name, found.group(1)) for name in (b"min", b"max"))
        if low and high and _HIDDEN.search(found.group(1)):
            columns += range(int(low.group(1)), min(int(high.group(1)), _LAST_COLUMN) + 1)
    merged = sorted(
        CellRange(int(top), column_number(left.decode()), int(bottom), column_number(right.decode()))
        for left, top, right, bottom in (found.groups() for found in _MERGED.finditer(xml))
    )
    return _Beside(rows, columns, tuple(merged))
