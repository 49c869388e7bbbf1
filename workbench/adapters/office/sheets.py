"""What all spreadsheets have in common: cells in order, and what must be said about them."""

from collections.abc import Iterable, Sequence

from workbench.adapters.office.markup import counted, listed
from workbench.domain.errors import TooLarge
from workbench.domain.tables import Cell, CellKind, Sheet, column_letters

MAX_CELLS = 50_000_000


def check_cells(count: int, limit: int, name: str) -> None:
    """Raise TooLarge where a spreadsheet holds more cells than the limit."""
    if count > limit:
        raise TooLarge(
            f"{name} holds {count:,} cells; the limit is {limit:,}.",
            "Split it into smaller files, or ask the operator to raise the limit.",
        )


def remarks(sheets: Sequence[Sheet]) -> Iterable[str]:
    """Yield what a person must know: what is hidden, which formulas have no value, which cells are merged."""
    hidden = [sheet.name for sheet in sheets if sheet.hidden]
    if hidden:
        yield f"{counted(len(hidden), 'sheet is hidden', 'sheets are hidden')}, read and marked: {listed(hidden)}."
    for sheet in sheets:
        if sheet.hidden_rows or sheet.hidden_columns:
            rows = [str(row) for row in sorted(sheet.hidden_rows)]
            columns = [column_letters(column) for column in sorted(sheet.hidden_columns)]
            what = [f"rows {listed(rows)}"] * bool(rows) + [f"columns {listed(columns)}"] * bool(columns)
            yield f"Sheet {sheet.name}: hidden, read and marked: {', '.join(what)}."
        if sheet.merged:
            yield f"Sheet {sheet.name}: merged cells {listed([str(each) for each in sheet.merged])}."
    yield from _without_values(sheets)
    empty = [sheet.name for sheet in sheets if not sheet.cells]
    if empty:
        yield f"Without cells that hold anything: {listed(empty)}."


def _without_values(sheets: Sequence[Sheet]) -> Iterable[str]:
    """Count the formulas without a stored value, also those in rows that no page shows, and name the first."""
    named = [
        f"{sheet.name}!{cell.address}" for sheet in sheets for cell in sheet.cells if cell.kind is CellKind.FORMULA
    ]
    kept = [column for sheet in sheets if sheet.table for column in sheet.table.info.columns]
    count = max(len(named), sum(column.kinds.get(CellKind.FORMULA, 0) for column in kept))
    if count:
        where = f": {listed([*named, *[''] * (count - len(named))])}" if named else ""
        yield (
            f"{counted(count, 'formula has', 'formulas have')} no stored value, because no spreadsheet program has "
            f"calculated the file{where}. Open and save it in one to store the values."
        )


def merged_down(sheet: Sheet) -> dict[tuple[int, int], Cell]:
    """Return, by place, the cells of merged ranges that repeat the value of the range in its further rows."""
    at = {(cell.row, cell.column): cell for cell in sheet.cells}
    found: dict[tuple[int, int], Cell] = {}
    for area in sheet.merged:
        first = at.get((area.first_row, area.first_column))
        if first is not None and area.last_row - area.first_row < 10_000:
            for row in range(area.first_row + 1, area.last_row + 1):
                found[row, area.first_column] = first._replace(row=row)
    return found


def with_merged(sheet: Sheet) -> Sheet:
    """Return the sheet with the value of a range merged over several rows in each of its rows, where text wants it."""
    repeated = merged_down(sheet)
    if not repeated:
        return sheet
    at = {(cell.row, cell.column): cell for cell in sheet.cells}
    cells = sorted({**repeated, **at}.values(), key=lambda cell: (cell.row, cell.column))
    return sheet._replace(cells=tuple(cells))
