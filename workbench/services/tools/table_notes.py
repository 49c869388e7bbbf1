"""What is said of a table besides its cells: its shape, its columns, and what is hidden in it."""

from collections.abc import Iterable, Iterator

from workbench.domain.markers import neutral
from workbench.domain.tables import CellRange, ColumnStatistics, TableInfo, column_letters, sheet_name
from workbench.services.tools.cells import Place, table_names

_NAMED = 30


def shape(place: Place) -> Iterator[str]:
    """Say how large the table is, which others the document has, and what is hidden in the part that is asked for."""
    table = place.table
    what = f"Sheet {neutral(sheet_name(table.name))}" if table.name else "The file"
    what = neutral(table.name) if table.pages else what
    yield f"{what} fills {table.area}: {table.rows:,} rows, {len(table.columns)} columns."
    if len(place.tables) > 1:
        yield f"Sheets: {table_names(place.tables)}."
    if table.hidden:
        yield "This sheet is hidden in the file. Say so where you use it."


def hidden(table: TableInfo, shown: CellRange) -> Iterator[str]:
    """Say which columns, and which of the rows that are shown, are hidden in the file."""
    places = [column_letters(each) for each in table.hidden_columns] + [
        str(low) if low == high else f"{low}-{high}"
        for low, high in table.hidden_rows
        if low <= shown.last_row and high >= shown.first_row
    ]
    if places:
        yield f"Hidden in the file: {', '.join(places[:_NAMED])}."


def columns_within(table: TableInfo, area: CellRange) -> list[ColumnStatistics]:
    """Return the columns of a table that lie in ``area``."""
    return [each for each in table.columns if area.first_column <= each.column <= area.last_column]


def described(columns: Iterable[ColumnStatistics]) -> list[str]:
    """Return a line a column: its letters and name, what kinds of cells it holds, their bounds and their sum."""
    return [f"| {neutral(_described(each))}" for each in columns]


def _described(column: ColumnStatistics) -> str:
    kinds = ", ".join(f"{count:,} {kind.value}" for kind, count in column.kinds.items()) or "nothing below the header"
    parts = [f"{column_letters(column.column)} {column.name}".rstrip() + f": {kinds}"]
    if column.smallest:
        parts.append(f"from {column.smallest} to {column.largest}")
    if column.total:
        parts.append(f"sum {column.total}")
    if column.number_format:
        parts.append(f"format {column.number_format}")
    return "; ".join(parts)
