"""Workbooks of Excel's XML format, with openpyxl: values as shown, formulas, merged and hidden parts."""

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from workbench.adapters.office import calamine
from workbench.adapters.office.number_format import shown
from workbench.adapters.office.ooxml import Package
from workbench.adapters.office.sheets import MAX_CELLS, check_cells, remarks, with_merged
from workbench.domain.errors import DamagedFile
from workbench.domain.tables import Cell, CellKind, CellRange, Sheet, Workbook, find_header

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CELL = re.compile(rb"<(?:\w+:)?c[ />]")
_DOCTYPE = b"<!DOCTYPE"
_BROKEN = (ValueError, KeyError, TypeError, AttributeError, IndexError, SyntaxError, OSError, zipfile.BadZipFile)
"""What openpyxl raises on workbooks that it does not understand; XML errors are SyntaxErrors."""


class XlsxConverter:
    """Converter for .xlsx and .xlsm. Macros are not looked at, formulas are never run.

    ``max_cells`` is checked by counting them in the file, before a cell is made.
    """

    def __init__(self, max_cells: int = MAX_CELLS) -> None:
        self._max_cells = max_cells

    def convert(self, data: bytes, name: str) -> Workbook:
        package = Package(data, name)
        self._check(package, name)
        try:
            sheets = tuple(_sheets(data))
        except _BROKEN as error:
            return self._second_reader(data, name, error)
        return Workbook(
            media_type=MEDIA_TYPE, title=package.title(), sheets=sheets, notes=(*remarks(sheets), *_beside(package))
        )

    def _second_reader(self, data: bytes, name: str, error: Exception) -> Workbook:
        """Read values at least from a workbook that openpyxl does not understand."""
        try:
            workbook = calamine.CalamineConverter(MEDIA_TYPE, self._max_cells).convert(data, name)
        except DamagedFile:
            raise DamagedFile(
                f"{name} is damaged and cannot be read as a workbook.",
                "Open it in Excel, save it anew, and upload that.",
            ) from error
        note = "The workbook is unusual: only values were read, no formulas, number formats or hidden rows."
        return workbook._replace(notes=(note, *workbook.notes))

    def _check(self, package: Package, name: str) -> None:
        count = 0
        for part in package.parts:
            if part.endswith((".xml", ".rels")):
                content = package.read(part)
                if _DOCTYPE in content[:4096].replace(b"\x00", b""):
                    raise DamagedFile(
                        f"{name} is refused: it declares XML entities, as no office program does.",
                        "Open it in Excel, save it anew, and upload that.",
                    )
                if part.startswith("xl/worksheets/"):
                    count += sum(1 for _ in _CELL.finditer(content))
        check_cells(count, self._max_cells, name)


def _beside(package: Package) -> Iterator[str]:
    """Yield what a workbook holds besides cells and is not read."""
    charts = sum(part.startswith("xl/charts/chart") for part in package.parts)
    pictures = sum(part.startswith("xl/media/") for part in package.parts)
    for count, what in ((charts, "chart"), (pictures, "picture")):
        if count:
            yield f"{count} {what}{'s' if count > 1 else ''} not read; the cells behind a chart are."


def _sheets(data: bytes) -> Iterator[Sheet]:
    import openpyxl  # noqa: PLC0415

    with warnings.catch_warnings():
        # It warns of extensions that it does not keep when it saves; we never save.
        warnings.simplefilter("ignore")
        formulas = openpyxl.load_workbook(io.BytesIO(data), data_only=False, keep_links=False, rich_text=False)
        values = openpyxl.load_workbook(io.BytesIO(data), data_only=True, keep_links=False, rich_text=False)
    for sheet in formulas.worksheets:
        yield _sheet(sheet, values[sheet.title])


def _sheet(sheet: Any, values: Any) -> Sheet:
    cells = []
    stored = values._cells
    for place in sorted(sheet._cells):
        cell = _cell(sheet._cells[place], stored.get(place))
        if cell is not None:
            cells.append(cell)
    merged = tuple(
        CellRange(each.min_row, each.min_col, each.max_row, each.max_col) for each in sheet.merged_cells.ranges
    )
    hidden_columns = {
        column
        for dimension in sheet.column_dimensions.values()
        if dimension.hidden and dimension.min
        for column in range(dimension.min, min(dimension.max, dimension.min + 500) + 1)
    }
    used = {cell.column for cell in cells}
    rows = {cell.row for cell in cells}
    found = Sheet(
        name=sheet.title,
        cells=tuple(cells),
        hidden=sheet.sheet_state != "visible",
        hidden_rows=frozenset(row for row in rows if row in sheet.row_dimensions and sheet.row_dimensions[row].hidden),
        hidden_columns=frozenset(hidden_columns & used),
        merged=tuple(sorted(merged)),
        header_row=find_header(tuple(cells)),
    )
    return with_merged(found)


def _cell(cell: Any, cached: Any) -> Cell | None:
    """Return a cell that holds something, with its comment, or None."""
    value = cached.value if cached is not None else None
    code = cell.number_format or "General"
    formula = _formula(cell.value) if cell.data_type == "f" else ""
    comment = cell.comment.text.strip() if getattr(cell, "comment", None) else ""
    note = f" [comment: {' '.join(comment.split())}]" if comment else ""
    if formula and value is None:
        text = f"formula without a stored value: {formula}"
        return Cell(cell.row, cell.column, text + note, None, CellKind.FORMULA, formula)
    text = shown(value, code)
    if not text.strip() and not note:
        return None
    return Cell(cell.row, cell.column, f"{text}{note}".strip(), value, _kind(value, cell), formula)


def _formula(value: Any) -> str:
    """Return a formula's text; array formulas come as objects."""
    text = getattr(value, "text", value)
    return str(text) if str(text).startswith("=") else f"={text}"


def _kind(value: Any, cell: Any) -> CellKind:
    if isinstance(value, bool):
        return CellKind.BOOLEAN
    if isinstance(value, (datetime, date, time, timedelta)):
        return CellKind.DATE
    if isinstance(value, (int, float)):
        return CellKind.NUMBER
    return (
        CellKind.ERROR
        if cell.data_type == "e" or (isinstance(value, str) and value[:1] == "#" and value[-1:] in "!?A0")
        else CellKind.TEXT
    )
