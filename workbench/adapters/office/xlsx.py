"""Workbooks of Excel's XML format, with openpyxl: values as shown, formulas, merged and hidden parts."""

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any

from workbench.adapters.office import calamine
from workbench.adapters.office.ooxml import Package
from workbench.adapters.office.sheets import MAX_CELLS, check_cells, remarks, with_merged
from workbench.adapters.office.xlsx_cells import cell_of
from workbench.adapters.office.xlsx_stream import streamed
from workbench.domain.errors import DamagedFile
from workbench.domain.tables import CellRange, Sheet, Workbook
from workbench.services.ingestion.table_builder import PAGED_ROWS, built, kept_note
from workbench.services.ports import TableEncoder

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CELL = re.compile(rb"<(?:\w+:)?c[ />]")
_DOCTYPE = b"<!DOCTYPE"
_AT_ONCE = 200_000
"""Up to so many cells are in memory together, with what only the whole workbook tells of them, such as comments."""
_BROKEN = (ValueError, KeyError, TypeError, AttributeError, IndexError, SyntaxError, OSError, zipfile.BadZipFile)
"""What openpyxl raises on workbooks that it does not understand; XML errors are SyntaxErrors."""


class XlsxConverter:
    """Converter for .xlsx and .xlsm. Macros are not looked at, formulas are never run.

    ``max_cells`` is checked by counting them in the file, before a cell is made. ``paged_rows`` is how many rows of a sheet
    become pages; all of them are kept as a table. A workbook of many cells is read row by row.
    """

    def __init__(self, encoder: TableEncoder, max_cells: int = MAX_CELLS, paged_rows: int = PAGED_ROWS) -> None:
        self._encoder = encoder
        self._max_cells = max_cells
        self._paged_rows = paged_rows

    def convert(self, data: bytes, name: str) -> Workbook:
        package = Package(data, name)
        count = self._check(package, name)
        try:
            if count > _AT_ONCE:
                sheets = tuple(streamed(data, package, self._encoder, self._paged_rows))
            else:
                sheets = tuple(self._sheets(data))
        except _BROKEN as error:
            return self._second_reader(data, name, error)
        notes = [*remarks(sheets), *_beside(package), *kept_note(sheets)]
        if count > _AT_ONCE:
            notes.append("Comments on cells are not read from a workbook of this size.")
        return Workbook(media_type=MEDIA_TYPE, title=package.title(), sheets=sheets, notes=tuple(notes))

    def _sheets(self, data: bytes) -> Iterator[Sheet]:
        """Yield the sheets of a workbook that is read as a whole, with the comments on its cells."""
        for number, sheet in enumerate(_loaded(data), start=1):
            yield with_merged(built(sheet, self._encoder, number, self._paged_rows))

    def _second_reader(self, data: bytes, name: str, error: Exception) -> Workbook:
        """Read values at least from a workbook that openpyxl does not understand."""
        try:
            workbook = calamine.CalamineConverter(MEDIA_TYPE, self._encoder, self._max_cells, self._paged_rows).convert(
                data, name
            )
        except DamagedFile:
            raise DamagedFile(
                f"{name} is damaged and cannot be read as a workbook.",
                "Open it in Excel, save it anew, and upload that.",
            ) from error
        note = "The workbook is unusual: only values were read, no formulas, number formats or hidden rows."
        return workbook._replace(notes=(note, *workbook.notes))

    def _check(self, package: Package, name: str) -> int:
        """Return the number of cells; raise where they are too many, or the XML is not what office programs write."""
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
        return count


def _beside(package: Package) -> Iterator[str]:
    """Yield what a workbook holds besides cells and is not read."""
    charts = sum(part.startswith("xl/charts/chart") for part in package.parts)
    pictures = sum(part.startswith("xl/media/") for part in package.parts)
    for count, what in ((charts, "chart"), (pictures, "picture")):
        if count:
            yield f"{count} {what}{'s' if count > 1 else ''} not read; the cells behind a chart are."


def _loaded(data: bytes) -> Iterator[Sheet]:
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
        cell = cell_of(sheet._cells[place], stored.get(place))
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
    return Sheet(
        name=sheet.title,
        cells=tuple(cells),
        hidden=sheet.sheet_state != "visible",
        hidden_rows=frozenset(row for row in rows if row in sheet.row_dimensions and sheet.row_dimensions[row].hidden),
        hidden_columns=frozenset(hidden_columns & used),
        merged=tuple(sorted(merged)),
    )
