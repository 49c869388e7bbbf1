"""Separated values: the encoding, the separator and the way of writing numbers are detected, and said."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence

from workbench.adapters.office.markup import counted, listed
from workbench.adapters.office.sheets import MAX_CELLS
from workbench.domain.errors import DamagedFile, EmptyFile, TooLarge
from workbench.domain.tables import Cell, CellKind, CellValue, Sheet, Workbook, column_letters, find_header
from workbench.services.ingestion.encodings import decode

MEDIA_TYPE = "text/csv"
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_POINT = re.compile(r"[-+]?(?:\d{1,3}(?:[, \u00a0\u202f'’]\d{3})+|\d+)(?:\.\d+)?|[-+]?\.\d+")
_COMMA = re.compile(r"[-+]?(?:\d{1,3}(?:[. \u00a0\u202f'’]\d{3})+|\d+)(?:,\d+)?")
_AMBIGUOUS = re.compile(r"[-+]?\d{1,3}[.,]\d{3}")
_MONEY = re.compile(r"^\(?\s*([-+]?)\s*[€$£]?\s*|\s*(?:€|EUR|USD|GBP)?\s*\)?$")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


class SeparatedConverter:
    """Converter for .csv and .tsv."""

    def __init__(self, max_cells: int = MAX_CELLS) -> None:
        self._max_cells = max_cells

    def convert(self, data: bytes, name: str) -> Workbook:
        decoded = decode(data, name)
        nul = decoded.text.count("\x00")
        text = decoded.text.replace("\x00", "") if nul else decoded.text
        stated = re.match(r"sep=(.)\r?\n", text)
        separator = stated.group(1) if stated else _separator(text)
        try:
            rows = _counted_rows(text, separator, self._max_cells, name)
        except csv.Error as error:
            raise DamagedFile(f"{name} cannot be read as separated values: {error}.", "Save it anew as CSV.") from error
        if stated:
            rows[0] = []
        comma = _decimal_comma(rows)
        sheet = _sheet(rows, comma)
        if not sheet.cells:
            raise EmptyFile(f"{name} holds no values.", "Check the file where it came from and upload it again.")
        return Workbook(
            media_type=MEDIA_TYPE,
            title="",
            sheets=(sheet,),
            notes=tuple(_remarks(rows, sheet, separator, decoded.encoding, comma, nul)),
        )


def _counted_rows(text: str, separator: str, max_cells: int, name: str) -> list[list[str]]:
    """Return the rows, and stop where they hold more cells than the limit, before memory does."""
    rows: list[list[str]] = []
    count = 0
    before = csv.field_size_limit(max(len(text) + 1, 131_072))
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            count += len(row)
            if count > max_cells:
                raise TooLarge(
                    f"{name} holds more than {max_cells:,} cells, which is the limit.",
                    "Split it into smaller files, or ask the operator to raise the limit.",
                )
            rows.append(row)
    finally:
        csv.field_size_limit(before)
    return rows


def _rows(text: str, separator: str) -> list[list[str]]:
    """Return the rows of a sample, whose last one may be cut off."""
    before = csv.field_size_limit(max(len(text) + 1, 131_072))
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    finally:
        csv.field_size_limit(before)


def _separator(text: str) -> str:
    """Return the separator that cuts most rows into the same number of fields, more than one.

    A head of the file is enough: a separator is one for the whole file.
    """
    head = text[:200_000]
    best, most = ",", 0.0
    for separator in _SEPARATORS:
        try:
            widths = [len(row) for row in _rows(head, separator)[:400] if row]
        except csv.Error:
            continue
        if not widths:
            continue
        width, count = Counter(widths).most_common(1)[0]
        agreement = count / len(widths)
        score = agreement * (1 + min(width, 50) / 50) if width > 1 else 0.0
        if score > most:
            best, most = separator, score
    return best


def _decimal_comma(rows: Sequence[Sequence[str]]) -> bool | None:
    """Tell how the file writes decimals: with a comma (True), with a point (False), or in no way that shows it (None)."""
    comma = point = 0
    for row in rows:
        for field in row:
            if 2 < len(field) < 30 and any(c.isdigit() for c in field):
                text = _bare(field)
                if _AMBIGUOUS.fullmatch(text) or _DATE.fullmatch(text):
                    continue
                comma += "," in text and bool(_COMMA.fullmatch(text)) and not _POINT.fullmatch(text)
                point += "." in text and bool(_POINT.fullmatch(text)) and not _COMMA.fullmatch(text)
    if comma == point:
        return None
    return comma > point


def _bare(field: str) -> str:
    return _MONEY.sub(lambda match: match.group(1) or "", field.strip())


def _value(text: str, comma: bool | None) -> tuple[CellValue, CellKind]:
    """Return the number a field stands for, or its text. A number that could be read two ways stays text."""
    bare = _bare(text)
    if not bare or not bare[-1:].isdigit() or len(bare) > 30 or (bare[0] == "0" and bare[1:2].isdigit()):
        return text, CellKind.DATE if _DATE.fullmatch(bare) else CellKind.TEXT
    if _DATE.fullmatch(bare):
        return text, CellKind.DATE
    if comma is None and _AMBIGUOUS.fullmatch(bare):
        return text, CellKind.NUMBER
    if not (_COMMA if comma else _POINT).fullmatch(bare):
        return text, CellKind.TEXT
    digits = re.sub(r"[ \u00a0\u202f'’]", "", bare)
    digits = digits.replace(".", "").replace(",", ".") if comma else digits.replace(",", "")
    negative = text.strip().startswith("(") and text.strip().endswith(")")
    return (-float(digits) if negative else float(digits)), CellKind.NUMBER


def _sheet(rows: Sequence[Sequence[str]], comma: bool | None) -> Sheet:
    cells: list[Cell] = []
    for number, row in enumerate(rows, start=1):
        for column, field in enumerate(row, start=1):
            if field.strip():
                value, kind = _value(field, comma)
                cells.append(Cell(number, column, field.strip(), value, kind))
    found = tuple(cells)
    return Sheet(name="", cells=found, header_row=find_header(found))


def _remarks(
    rows: Sequence[Sequence[str]], sheet: Sheet, separator: str, encoding: str, comma: bool | None, nul: int
) -> list[str]:
    said = _SEPARATORS.get(separator, repr(separator))
    decimals = {True: ", decimals with a comma", False: ", decimals with a point", None: ""}[comma]
    notes = [f"Read as {encoding.upper()} text, separated by {said}{decimals}."]
    if comma is None:
        unclear = [
            f"{column_letters(cell.column)}{cell.row}"
            for cell in sheet.cells
            if isinstance(cell.value, str) and _AMBIGUOUS.fullmatch(_bare(cell.text))
        ]
        if unclear:
            notes.append(
                f"Whether {unclear[0]} and numbers like it mean thousands or decimals is not clear: "
                "they are shown as written."
            )
    if nul:
        notes.append(f"{counted(nul, 'zero byte was', 'zero bytes were')} left out.")
    width = Counter(len(row) for row in rows if row).most_common(1)[0][0] if rows else 0
    ragged = [str(number) for number, row in enumerate(rows, start=1) if row and len(row) != width]
    if ragged:
        notes.append(f"Rows that do not have {counted(width, 'field')}, kept as they are: {listed(ragged)}.")
    return notes
