"""Separated values: the encoding, the separator and the way of writing numbers are detected, and said.

The file is read row by row, so that memory does not grow with it beyond its bytes. Its beginning decides how it is read; what
does not fit further on is counted and said.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from itertools import islice, zip_longest
from typing import NamedTuple

from workbench.adapters.office.markup import counted, listed
from workbench.adapters.office.sheets import MAX_CELLS
from workbench.domain.errors import DamagedFile, EmptyFile, TooLarge, UnsupportedFile
from workbench.domain.tables import Cell, CellKind, CellValue, Workbook, column_letters
from workbench.services.ingestion.encodings import Encoding, encoding_of
from workbench.services.ingestion.table_builder import PAGED_ROWS, TableBuilder, kept_note
from workbench.services.ports import ColumnCells, TableEncoder

MEDIA_TYPE = "text/csv"
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_POINT = re.compile(r"[-+]?(?:\d{1,3}(?:[, \u00a0\u202f'’]\d{3})+|\d+)(?:\.\d+)?|[-+]?\.\d+")
_COMMA = re.compile(r"[-+]?(?:\d{1,3}(?:[. \u00a0\u202f'’]\d{3})+|\d+)(?:,\d+)?")
_AMBIGUOUS = re.compile(r"[-+]?\d{1,3}[.,]\d{3}")
_MONEY = re.compile(r"^\(?\s*([-+]?)\s*[€$£]?\s*|\s*(?:€|EUR|USD|GBP)?\s*\)?$")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_PLAIN = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?")
"""What is a number under a decimal point without another look."""
_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})")
"""What is a number whatever the decimal sign."""
_BLOCK = 20_000
"""So many rows are turned into columns at once."""
_HEAD = 200_000
"""So many characters tell the separator: it is one for the whole file."""
_SAMPLE = 20_000
"""So many rows tell how decimals are written, if they tell; if not, all rows are asked."""
_EXAMPLES = 10


class _Doubt(StrEnum):
    """What is uncertain of a number."""

    EITHER = "either"
    """It reads two ways, and the file does not tell which."""
    OTHER = "other"
    """It is written with the decimal sign that the file does not use."""


class SeparatedConverter:
    """Converter for .csv and .tsv. ``paged_rows`` is how many rows become pages; all of them are kept as a table."""

    def __init__(self, encoder: TableEncoder, max_cells: int = MAX_CELLS, paged_rows: int = PAGED_ROWS) -> None:
        self._encoder = encoder
        self._max_cells = max_cells
        self._paged_rows = paged_rows

    def convert(self, data: bytes, name: str) -> Workbook:
        file = _File(data, encoding_of(data, name), name)
        try:
            comma = _decimal_comma(file)
            reading = _Reading(comma)
            builder = TableBuilder(self._encoder, 1, "", self._paged_rows)
            self._build(builder, reading, enumerate(self._limited(file.rows(), name), start=1))
        except csv.Error as error:
            raise DamagedFile(f"{name} cannot be read as separated values: {error}.", "Save it anew as CSV.") from error
        sheet = builder.sheet()
        if not sheet.cells:
            raise EmptyFile(f"{name} holds no values.", "Check the file where it came from and upload it again.")
        notes = [*file.remarks(comma), *reading.remarks(), *kept_note([sheet])]
        return Workbook(media_type=MEDIA_TYPE, title="", sheets=(sheet,), notes=tuple(notes))

    def _build(self, builder: TableBuilder, reading: "_Reading", rows: Iterator[tuple[int, list[str]]]) -> None:
        while builder.paging and (row := next(rows, None)) is not None:
            cells = reading.cells(*row)
            if cells:
                builder.row(row[0], cells)
        while block := list(islice(rows, _BLOCK)):
            numbers, columns = reading.columns(block)
            if numbers:
                builder.block(numbers, columns)

    def _limited(self, rows: Iterator[list[str]], name: str) -> Iterator[list[str]]:
        """Pass the rows on, and stop where they hold more cells than the limit."""
        count = 0
        for row in rows:
            count += len(row)
            if count > self._max_cells:
                raise TooLarge(
                    f"{name} holds more than {self._max_cells:,} cells, which is the limit.",
                    "Split it into smaller files, or ask the operator to raise the limit.",
                )
            yield row


class _File:
    """The rows of a file, as often as they are asked for, and what had to be done to get them."""

    def __init__(self, data: bytes, encoding: Encoding, name: str) -> None:
        self._data = data
        self._encoding = encoding
        self._name = name
        head = self._open().read(_HEAD).replace("\x00", "")
        stated = re.match(r"sep=(.)\r?\n", head)
        self._stated = stated is not None
        self.separator = stated.group(1) if stated else _separator(head)
        self._zeros = 0
        self._replaced: list[int] = []

    def rows(self) -> Iterator[list[str]]:
        """Yield the rows from the first; one that only states the separator is empty."""
        self._zeros, self._replaced = 0, []
        before = csv.field_size_limit(max(len(self._data) + 1, 131_072))
        try:
            rows = csv.reader(self._lines(), delimiter=self.separator)
            if self._stated and next(rows, None) is not None:
                yield []
            yield from rows
        except UnicodeDecodeError as error:
            raise UnsupportedFile(
                f"{self._name} begins as {self._encoding.name.upper()} text but breaks off at byte {error.start:,}.",
                "Open it in an editor, save it with the encoding UTF-8, and upload that.",
            ) from error
        finally:
            csv.field_size_limit(before)

    def remarks(self, comma: bool | None) -> Iterator[str]:
        said = _SEPARATORS.get(self.separator, repr(self.separator))
        decimals = {True: ", decimals with a comma", False: ", decimals with a point", None: ""}[comma]
        name = self._encoding.name.removesuffix("-sig").upper()
        yield f"Read as {name} text, separated by {said}{decimals}."
        if self._replaced:
            lines = listed([str(line) for line in self._replaced])
            yield f"Bytes that are no {name} are shown as \ufffd, in lines: {lines}."
        if self._zeros:
            yield f"{counted(self._zeros, 'zero byte was', 'zero bytes were')} left out."

    def _open(self) -> io.TextIOWrapper:
        errors = "replace" if self._encoding.broken else "strict"
        return io.TextIOWrapper(io.BytesIO(self._data), self._encoding.name, errors, newline="")

    def _lines(self) -> Iterator[str]:
        for number, line in enumerate(self._open(), start=1):
            if self._encoding.broken and "\ufffd" in line:
                self._replaced.append(number)
            if "\x00" in line:
                self._zeros += line.count("\x00")
                yield line.replace("\x00", "")
            else:
                yield line


class _Width:
    """Rows of one number of fields: how many there are, and which come first."""

    def __init__(self) -> None:
        self.rows = 0
        self.first: list[int] = []


class _Reading:
    """Turns rows into cells, and notes what does not fit."""

    def __init__(self, comma: bool | None) -> None:
        self._comma = comma
        self._unclear = ""
        self._otherwise = 0
        self._first_otherwise = ""
        self._widths: dict[int, _Width] = {}

    def cells(self, number: int, row: Sequence[str]) -> list[Cell]:
        self._note_width(number, len(row))
        cells: list[Cell] = []
        for column, field in enumerate(row, start=1):
            text = field.strip()
            if text:
                value, kind, doubt = _value(text, self._comma)
                cells.append(Cell(number, column, text, value, kind))
                if doubt:
                    self._note_doubt(doubt, f"{column_letters(column)}{number}")
        return cells

    def columns(self, block: Sequence[tuple[int, list[str]]]) -> tuple[list[int], dict[int, ColumnCells]]:
        """Return many rows at once, those that hold something: their numbers, and their cells column by column."""
        if len({len(row) for _, row in block}) == 1 and (width := self._widths.get(len(block[0][1]))) is not None:
            width.rows += len(block)
        else:
            for number, row in block:
                self._note_width(number, len(row))
        held = [each for each in block if each[1] and (each[1][0].strip() or any(map(str.strip, each[1])))]
        numbers = [number for number, _ in held]
        columns: dict[int, ColumnCells] = {}
        for column, fields in enumerate(zip_longest(*(row for _, row in held), fillvalue=""), start=1):
            found = self._column(numbers, column, [field.strip() or None for field in fields])
            if found is not None:
                columns[column] = found
        return numbers, columns

    def _column(self, numbers: Sequence[int], column: int, texts: Sequence[str | None]) -> ColumnCells | None:
        filled = [text for text in texts if text is not None]
        if not filled:
            return None
        plain = _PLAIN if self._comma is False else _WHOLE
        if all(map(plain.fullmatch, filled)):
            return ColumnCells(texts, CellKind.NUMBER)
        meant = {text: _value(text, self._comma) for text in set(filled)}
        if any(each.doubt for each in meant.values()):
            for number, text in zip(numbers, texts, strict=True):
                if text is not None and (doubt := meant[text].doubt):
                    self._note_doubt(doubt, f"{column_letters(column)}{number}")
        kinds = {each.kind for each in meant.values()}
        return ColumnCells(
            texts,
            kinds.pop() if len(kinds) == 1 else [text and meant[text].kind for text in texts],  # type: ignore[misc]
            None
            if all(each.value == text for text, each in meant.items())
            else [None if text is None else meant[text].value for text in texts],
        )

    def _note_width(self, number: int, width: int) -> None:
        if not width:
            return
        held = self._widths.get(width)
        if held is None:
            held = self._widths[width] = _Width()
        held.rows += 1
        if len(held.first) < _EXAMPLES:
            held.first.append(number)

    def _note_doubt(self, doubt: _Doubt, address: str) -> None:
        if doubt is _Doubt.EITHER:
            self._unclear = self._unclear or address
        else:
            self._otherwise += 1
            self._first_otherwise = self._first_otherwise or address

    def remarks(self) -> Iterator[str]:
        if self._unclear:
            yield (
                f"Whether {self._unclear} and numbers like it mean thousands or decimals is not clear: "
                "they are shown as written."
            )
        if self._otherwise:
            yield (
                f"{counted(self._otherwise, 'number is', 'numbers are')} written with the other decimal sign, first in "
                f"{self._first_otherwise}: kept as text, not counted as numbers."
            )
        if not self._widths:
            return
        usual = max(self._widths, key=lambda width: self._widths[width].rows)
        ragged = [each for width, each in self._widths.items() if width != usual]
        if ragged:
            rows = sum(each.rows for each in ragged)
            first = sorted(number for each in ragged for number in each.first)[:_EXAMPLES]
            more = f" and {rows - len(first)} more" if rows > len(first) else ""
            yield (
                f"Rows that do not have {counted(usual, 'field')}, kept as they are: "
                f"{', '.join(map(str, first))}{more}."
            )


def _separator(head: str) -> str:
    """Return the separator that cuts most rows into the same number of fields, more than one."""
    best, most = ",", 0.0
    for separator in _SEPARATORS:
        try:
            widths = [len(row) for row in _rows(head, separator) if row]
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


def _rows(head: str, separator: str) -> list[list[str]]:
    """Return the first rows of a sample, whose last one may be cut off."""
    before = csv.field_size_limit(max(len(head) + 1, 131_072))
    try:
        return list(islice(csv.reader(io.StringIO(head, newline=""), delimiter=separator), 400))
    finally:
        csv.field_size_limit(before)


def _decimal_comma(file: _File) -> bool | None:
    """Tell how the file writes decimals: with a comma (True), with a point (False), or in no way that shows it (None)."""
    comma = point = 0
    for number, row in enumerate(file.rows()):
        if number >= _SAMPLE and comma != point:
            break
        for field in row:
            if ("," in field or "." in field) and 2 < len(field) < 30 and any(c.isdigit() for c in field):
                text = _bare(field)
                if _AMBIGUOUS.fullmatch(text) or _DATE.fullmatch(text):
                    continue
                comma += "," in text and bool(_COMMA.fullmatch(text)) and not _POINT.fullmatch(text)
                point += "." in text and bool(_POINT.fullmatch(text)) and not _COMMA.fullmatch(text)
    if comma == point:
        return None
    return comma > point


def _bare(field: str) -> str:
    return _MONEY.sub(lambda match: match.group(1) or "", field)


class _Meant(NamedTuple):
    value: CellValue
    kind: CellKind
    doubt: _Doubt | None = None


@lru_cache(maxsize=1 << 17)
def _value(text: str, comma: bool | None) -> _Meant:
    """Return the exact number a field stands for, or its text. A number that could be read two ways stays text."""
    if not comma and _PLAIN.fullmatch(text) and (comma is False or not _AMBIGUOUS.fullmatch(text)):
        return _Meant(Decimal(text), CellKind.NUMBER)
    bare = _bare(text)
    if _DATE.fullmatch(bare):
        return _Meant(text, CellKind.DATE)
    if not bare or not bare[-1:].isdigit() or len(bare) > 30 or (bare[0] == "0" and bare[1:2].isdigit()):
        return _Meant(text, CellKind.TEXT)
    if comma is None and _AMBIGUOUS.fullmatch(bare):
        return _Meant(text, CellKind.TEXT, _Doubt.EITHER)
    used, other = (_COMMA, _POINT) if comma else (_POINT, _COMMA)
    if not used.fullmatch(bare):
        return _Meant(text, CellKind.TEXT, _Doubt.OTHER if comma is not None and other.fullmatch(bare) else None)
    digits = re.sub(r"[ \u00a0\u202f'’]", "", bare)
    digits = digits.replace(".", "").replace(",", ".") if comma else digits.replace(",", "")
    negative = text.startswith("(") and text.endswith(")")
    return _Meant(-Decimal(digits) if negative else Decimal(digits), CellKind.NUMBER)
