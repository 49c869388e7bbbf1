"""Rows of a table as Parquet: one file for some tens of thousands of rows.

A file has the column ``row`` and, for each column of the sheet that holds something in these rows, its letters ("B") with
the text that a person sees, and "B.kind" (see ``KINDS``). What is not the plain case stands beside it: "B.value" where the
stored value is not the text itself, "B.formula" and "B.format". Columns that would hold nothing are left out, so that a file
costs what it holds, and a program that knows Parquet can use the files as they are.
"""

import bisect
import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from workbench.domain.tables import Cell, CellKind, CellRange, CellValue, TablePart, column_letters, column_number
from workbench.services.ports import ColumnCells, TableRow

KINDS = (
    CellKind.TEXT,
    CellKind.NUMBER,
    CellKind.DATE,
    CellKind.BOOLEAN,
    CellKind.ERROR,
    CellKind.FORMULA,
)
"""The kinds of cells in the order of their codes, which are in files that people keep: add at the end only."""
_CODES = {kind: code for code, kind in enumerate(KINDS)}


class ParquetEncoder:
    """The TableEncoder whose parts :class:`~workbench.adapters.tables.store.ParquetTables` keeps."""

    def part(self, rows: Sequence[int], columns: Mapping[int, ColumnCells]) -> TablePart:
        import pyarrow as pa  # noqa: PLC0415 - takes a second, and most files hold no table
        from pyarrow import parquet  # noqa: PLC0415

        # The other pools reserve gigabytes of addresses, which count against the limit of a reading process.
        pa.set_memory_pool(pa.system_memory_pool())
        arrays: dict[str, Any] = {"row": pa.array(rows, pa.int32())}
        for column, cells in sorted(columns.items()):
            arrays |= _encoded(column_letters(column), cells)
        target = io.BytesIO()
        parquet.write_table(pa.table(arrays), target, compression="zstd")
        return TablePart(first_row=rows[0], last_row=rows[-1], data=target.getvalue())


def decoded(data: Any, area: CellRange | None = None) -> Iterator[TableRow]:
    """Yield the rows of a Parquet file (a path or an open file) that hold something within ``area``."""
    from pyarrow import parquet  # noqa: PLC0415

    with parquet.ParquetFile(data) as file:
        wanted = [name for name in file.schema_arrow.names if _within(name, area)]
        table = file.read(columns=wanted)
    numbers = table.column("row").to_pylist()
    start = 0 if area is None else bisect.bisect_left(numbers, area.first_row)
    stop = len(numbers) if area is None else bisect.bisect_right(numbers, area.last_row)
    table = table.slice(start, stop - start)
    columns = {name: table.column(name).to_pylist() for name in wanted if name != "row"}
    letters = sorted({name.partition(".")[0] for name in columns}, key=column_number)
    for index, number in enumerate(numbers[start:stop]):
        cells = [cell for each in letters if (cell := _cell(columns, each, index, number)) is not None]
        if cells:
            yield TableRow(number, cells)


def _within(name: str, area: CellRange | None) -> bool:
    if name == "row" or area is None:
        return True
    return area.first_column <= column_number(name.partition(".")[0]) <= area.last_column


def _encoded(letters: str, cells: ColumnCells) -> dict[str, Any]:
    import pyarrow as pa  # noqa: PLC0415

    texts = cells.texts
    if isinstance(cells.kinds, CellKind):
        code = _CODES[cells.kinds]
        kinds = [None if text is None else code for text in texts] if None in texts else [code] * len(texts)
    else:
        kinds = [None if kind is None else _CODES[kind] for kind in cells.kinds]
    columns: dict[str, Any] = {letters: pa.array(texts, pa.string()), f"{letters}.kind": pa.array(kinds, pa.int8())}
    values = None
    if cells.values is not None:
        values = [
            None if text is None else _written(value, text) for value, text in zip(cells.values, texts, strict=True)
        ]
    for name, held in (("value", values), ("formula", cells.formulas), ("format", cells.formats)):
        if held is not None and any(each is not None for each in held):
            columns[f"{letters}.{name}"] = pa.array(held, pa.string())
    return columns


def _written(value: CellValue, text: str) -> str | None:
    """Return how a value is written where it is not the cell's text, else None. No value at all is an empty text."""
    if isinstance(value, str):
        written = value
    elif isinstance(value, bool):
        written = "TRUE" if value else "FALSE"
    elif isinstance(value, (datetime, date, time)):
        written = value.isoformat()
    elif isinstance(value, timedelta):
        written = f"P{value / timedelta(microseconds=1):.0f}"
    elif value is None:
        written = ""
    else:
        written = repr(value) if isinstance(value, float) else str(value)
    return None if written == text else written


def _cell(columns: dict[str, list[Any]], letters: str, index: int, number: int) -> Cell | None:
    text: str | None = columns[letters][index]
    if text is None:
        return None

    def beside(name: str) -> str | None:
        held = columns.get(f"{letters}.{name}")
        found: str | None = held[index] if held is not None else None
        return found

    written = beside("value")
    kind = KINDS[columns[f"{letters}.kind"][index]]
    return Cell(
        number,
        column_number(letters),
        text,
        _value(text if written is None else written, kind),
        kind,
        beside("formula") or "",
        beside("format") or "",
    )


def _value(written: str, kind: CellKind) -> CellValue:
    if kind is CellKind.FORMULA or written == "":
        return None
    if kind is CellKind.NUMBER:
        return _number(written)
    if kind is CellKind.BOOLEAN:
        return written == "TRUE"
    return _moment(written) if kind is CellKind.DATE else written


def _number(written: str) -> CellValue:
    """Return the number of a written; one that reads two ways was kept as written."""
    try:
        return Decimal(written)
    except ArithmeticError:
        return written


def _moment(written: str) -> CellValue:
    """Return the date or time of a written; dates of separated values are kept as written."""
    if written.startswith("P") and written[1:].lstrip("-").isdigit():
        return timedelta(microseconds=int(written[1:]))
    for kind in (date, datetime, time):
        try:
            return kind.fromisoformat(written)
        except ValueError:
            continue
    return written
