"""Cells of openpyxl as cells of ours: from one workbook read for its formulas and one read for its stored values."""

from datetime import date, datetime, time, timedelta
from typing import Any

from workbench.adapters.office.number_format import shown
from workbench.domain.tables import Cell, CellKind


def cell_of(cell: Any, cached: Any) -> Cell | None:
    """Return a cell that holds something, with its comment, or None."""
    value = cached.value if cached is not None else None
    code = cell.number_format or "General"
    kept_code = "" if code == "General" else code
    formula = _formula(cell.value) if cell.data_type == "f" else ""
    comment = cell.comment.text.strip() if getattr(cell, "comment", None) else ""
    note = f" [comment: {' '.join(comment.split())}]" if comment else ""
    if formula and value is None:
        text = f"formula without a stored value: {formula}"
        return Cell(cell.row, cell.column, text + note, None, CellKind.FORMULA, formula, kept_code)
    text = shown(value, code)
    if not text.strip() and not note:
        return None
    return Cell(cell.row, cell.column, f"{text}{note}".strip(), value, _kind(value, cell), formula, kept_code)


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
