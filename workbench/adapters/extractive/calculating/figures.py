"""Figures as a run printed them, and as people read them."""

import json
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import NamedTuple

from workbench.adapters.extractive.calculating.views import Column
from workbench.domain.ids import Ref

_LINE = re.compile(r"\| (table \w+|[a-z][a-z ]*):? (.+)$")
_INPUT = re.compile(r"INPUT (\S+): .*cite it as (S\d+)[.;]")
_CENTS = 2
_HIDDEN = "Hidden in the file"
_SYMBOLS = (("€", "€"), ("EUR", "€"), ("£", "£"), ("GBP", "£"), ("$", "$"), ("USD", "$"), ("CHF", "CHF "))


class Printed(NamedTuple):
    """What a run printed: figures by their names, the rows it told of, and the refs of its tables. ``error`` says what
    went wrong, empty where nothing did."""

    figures: dict[str, str]
    rows: tuple[dict[str, str], ...]
    refs: dict[str, Ref]
    table: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    error: str

    def count(self, name: str = "rows") -> int:
        return int(self.figures.get(name, "0"))


def printed(output: str) -> Printed:
    """Read the output of ``run_code``."""
    figures: dict[str, str] = {}
    rows = []
    table: list[tuple[str, ...]] = []
    in_table = False
    for line in output.split("\nREF: ", maxsplit=1)[0].splitlines():
        in_table = line.startswith("TABLE") or (in_table and line.startswith("| "))
        if line.startswith("| row {"):
            rows.append(json.loads(line.removeprefix("| row ")))
        elif in_table and line.startswith("| "):
            table.append(tuple(line.removeprefix("| ").split("\t")))
        elif found := _LINE.match(line):
            figures[found[1]] = found[2].strip()
    notes = [
        f"{_HIDDEN}, and counted all the same: row or column{line.partition(f'{_HIDDEN}:')[2]}"
        for line in output.splitlines()
        if line.startswith("NOTE: ") and f"{_HIDDEN}:" in line
    ]
    refs = {match[1]: Ref(match[2]) for match in _INPUT.finditer(output)}
    error = "" if output.startswith("OUTCOME: ok") else _error(output)
    return Printed(figures, tuple(rows), refs, tuple(table), tuple(notes), error)


def shown(figure: str, column: Column | None) -> str:
    """Return a figure with separators and the unit of its column, to the last digit that it has."""
    try:
        value = Decimal(figure)
    except InvalidOperation:
        return figure
    if column is not None and column.about.rstrip().endswith("%"):
        return f"{(value * 100).normalize():,f}%"
    unit = unit_of(column)
    places = -int(value.as_tuple().exponent)
    if unit and places != _CENTS:
        value = value.quantize(Decimal("0.01"), ROUND_HALF_UP)
    elif places == 1 and value == value.to_integral_value():
        value = value.to_integral_value()
    return f"{'-' if value < 0 else ''}{unit}{abs(value):,f}"


def unit_of(column: Column | None) -> str:
    """Return the currency that a column's format or name tells, as it is written before a number."""
    if column is None:
        return ""
    told = f"{column.about.partition('format ')[2]} {column.name}"
    return next((symbol for mark, symbol in _SYMBOLS if mark in told), "")


def counted(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _error(output: str) -> str:
    lines = [line.removeprefix("| ") for line in output.splitlines() if line and not line.startswith("INPUT")]
    return " ".join(lines[1:4] or lines)[:300]
