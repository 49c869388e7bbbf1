"""Workbooks of other formats, with calamine: .xls, .xlsb and .ods. Values only: it gives no formulas and no formats."""

import io
from datetime import date, datetime, time, timedelta
from typing import Any

from workbench.adapters.office.number_format import plain, shown
from workbench.adapters.office.sheets import MAX_CELLS, check_cells, remarks, with_merged
from workbench.domain.errors import DamagedFile, EncryptedFile
from workbench.domain.tables import Cell, CellKind, CellRange, CellValue, Sheet, Workbook
from workbench.services.ingestion.table_builder import PAGED_ROWS, TableBuilder, kept_note
from workbench.services.ports import TableEncoder

_ADVICE = "Open it in a spreadsheet program, save it as .xlsx, and upload that."
_NOTE = "Read from an older format: values as stored, without number formats and formulas. Save it as .xlsx for both."


class CalamineConverter:
    """Converter for .xls, .xlsb and .ods. ``paged_rows`` is how many rows of a sheet become pages."""

    def __init__(
        self, media_type: str, encoder: TableEncoder, max_cells: int = MAX_CELLS, paged_rows: int = PAGED_ROWS
    ) -> None:
        self._media_type = media_type
        self._encoder = encoder
        self._max_cells = max_cells
        self._paged_rows = paged_rows

    def convert(self, data: bytes, name: str) -> Workbook:
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum  # noqa: PLC0415

        if _locked_xls(data):
            raise EncryptedFile(f"{name} needs a password to open.", "Save a copy without a password and upload that.")
        try:
            workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
            sheets: list[Sheet] = []
            count = 0
            for number, about in enumerate(workbook.sheets_metadata):
                if about.typ is SheetTypeEnum.WorkSheet:
                    sheet = workbook.get_sheet_by_index(number)
                    count += sheet.height * sheet.width
                    check_cells(count, self._max_cells, name)
                    builder = TableBuilder(self._encoder, len(sheets) + 1, about.name, self._paged_rows)
                    sheets.append(_sheet(sheet, builder, hidden="Visible" not in str(about.visible)))
        except PasswordError as error:
            raise EncryptedFile(
                f"{name} needs a password to open.", "Save a copy without a password and upload that."
            ) from error
        except (CalamineError, OSError, ValueError) as error:
            raise DamagedFile(f"{name} is damaged and cannot be read as a workbook.", _ADVICE) from error
        return Workbook(
            media_type=self._media_type,
            title="",
            sheets=tuple(sheets),
            notes=(_NOTE, *remarks(sheets), *kept_note(sheets)),
        )


def _sheet(sheet: Any, builder: TableBuilder, hidden: bool) -> Sheet:
    _, left = sheet.start or (0, 0)
    for row, values in enumerate(sheet.iter_rows(), start=1):
        # Rows come from row 1 on, each from the first column that holds anything.
        cells = [
            Cell(row, column, text, value, _kind(value))
            for column, value in enumerate(values, start=left + 1)
            if (text := _text(value)).strip()
        ]
        if cells:
            builder.row(row, cells)
    merged = tuple(
        CellRange(first[0] + 1, first[1] + 1, last[0] + 1, last[1] + 1)
        for first, last in sheet.merged_cell_ranges or ()
    )
    return with_merged(builder.sheet(hidden=hidden, merged=merged))


def _text(value: CellValue) -> str:
    return plain(value) if isinstance(value, float) else shown(value, "h:s" if isinstance(value, datetime) else "")


def _kind(value: CellValue) -> CellKind:
    if isinstance(value, bool):
        return CellKind.BOOLEAN
    if isinstance(value, (datetime, date, time, timedelta)):
        return CellKind.DATE
    return CellKind.NUMBER if isinstance(value, (int, float)) else CellKind.TEXT


def _locked_xls(data: bytes) -> bool:
    """Tell whether an .xls begins with the record that says how it is enciphered."""
    import olefile  # noqa: PLC0415

    if not data.startswith(b"\xd0\xcf\x11\xe0"):
        return False
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as ole:
            stream = next((each for each in ("Workbook", "Book") if ole.exists(each)), None)
            head = ole.openstream(stream).read(4096) if stream else b""
    except (OSError, ValueError, IndexError):
        return False
    place = 0
    while place + 4 <= len(head):
        record, length = (
            int.from_bytes(head[place : place + 2], "little"),
            int.from_bytes(head[place + 2 : place + 4], "little"),
        )
        if record == 0x2F:
            return True
        if record in {0x85, 0x0A}:
            return False
        place += 4 + length
    return False
