"""The code that is run: plain Python that a reader can follow, which works in every engine of the sandbox."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.adapters.extractive.calculating.wanted import Operation, Sign
from workbench.domain.dates import Period

TOTALS = ("total", "totals", "subtotal", "grand total", "sum", "summe", "gesamt", "gesamtsumme", "zwischensumme")
LOOKING_UP = "# Which cells hold words of the question?"
FOUND = "found"
"""What the lines begin with in which the first program tells the cells that hold words of the question."""


class Condition(NamedTuple):
    """The column holds one of these texts."""

    column: str
    values: tuple[str, ...]
    whole: bool = True
    phrase: str = ""


class Dated(NamedTuple):
    """The column holds a day within the period. ``day_first`` says how days that are text are written, None for dates."""

    column: str
    period: Period
    day_first: bool | None = None


class Rows(NamedTuple):
    """Which rows of a table count. ``totals`` are columns that may label rows which add up others."""

    table: str
    conditions: tuple[Condition, ...] = ()
    dated: Dated | None = None
    sign: Sign | None = None
    totals: tuple[str, ...] = ()


def looking_up(columns: Mapping[str, Sequence[str]], question: str, phrases: Sequence[str]) -> str:
    """Return code that tells which cells of which columns hold words of the question."""
    return "\n".join(
        [
            LOOKING_UP,
            "import json",
            "import re",
            "",
            "def plain(text):",
            '    return " ".join(re.findall(r"\\w+", str(text).casefold()))',
            "",
            "def one(text):",
            '    return text.removesuffix("s")',
            "",
            f"question = plain({question!r})",
            f"phrases = [plain(each) for each in {list(phrases)!r}]",
            f"for name, columns in { ({name: list(each) for name, each in columns.items()})!r}.items():",
            "    for column in columns:",
            "        for value, rows in tables[name].group_by(column).items():",
            "            text = plain(value)",
            "            if value is None or not text:",
            "                continue",
            '            whole = f" {text} " in f" {question} "',
            '            part = [each for each in phrases if any(f" {way} " in f" {text} " for way in (each, one(each)))]',
            "            if whole or part:",
            f"                print({FOUND!r}, json.dumps([name, column, str(value), whole, part]))",
        ]
    )


def rows_of(rows: Rows, column: str | None, name: str = "rows") -> list[str]:
    """Return the lines that pick the rows which count; ``column`` is the one that is calculated with."""
    lines = [f"{name} = tables[{rows.table!r}]"]
    if rows.totals:
        cells = " and ".join(f"str(row[{each!r}]).strip(' :').casefold() not in totals" for each in rows.totals)
        lines = [f"totals = {TOTALS!r}  # labels of rows that add up others", *lines]
        lines += [
            f"kept = {name}.where(lambda row: {cells})",
            f"print('rows of totals left out:', len({name}) - len(kept))",
            f"{name} = kept",
        ]
    for condition in rows.conditions:
        lines.append(f"{name} = {name}.where(lambda row: str(row[{condition.column!r}]) in {list(condition.values)!r})")
    if rows.dated is not None:
        lines += _within(rows.dated, name)
    if column is not None:
        sign = f" and to_decimal(row[{column!r}]) {rows.sign.value}" if rows.sign else ""
        lines.append(f"{name} = {name}.where(lambda row: row[{column!r}] is not None{sign})")
    return lines


def calculating(rows: Rows, column: str | None, operations: Sequence[Operation], told: Sequence[str]) -> str:
    """Return code that prints each figure on a line of its own; ``told`` are the columns to tell of the row found."""
    lines = rows_of(rows, column)
    lines.append("print('rows:', len(rows))")
    for operation in operations:
        lines += _figure(operation, column, told) if column is not None else []
    return "\n".join(lines)


def grouping(rows: Rows, column: str, by: str) -> str:
    """Return code whose result is a table of totals, the largest first."""
    return "\n".join(
        [
            *rows_of(rows, column),
            "print('rows:', len(rows))",
            f"sums = [{{{by!r}: name, {column!r}: each.sum({column!r})}} for name, each in rows.group_by({by!r}).items()]",
            f"sorted(sums, key=lambda row: row[{column!r}], reverse=True)",
        ]
    )


def adding_tables(each: Sequence[Rows], column: str) -> str:
    """Return code that adds up the same column of several tables."""
    lines = ["from decimal import Decimal", "", "total = Decimal(0)", "count = 0"]
    for rows in each:
        lines += [
            *rows_of(rows, column),
            f"print({('table ' + rows.table)!r}, rows.sum({column!r}))",
            f"total += rows.sum({column!r})",
            "count += len(rows)",
        ]
    return "\n".join([*lines, "print('rows:', count)", "print('total:', total)"])


def subtracting(first: tuple[Rows, str], second: tuple[Rows, str]) -> str:
    """Return code for the difference of two totals, and its share of the second."""
    lines: list[str] = []
    for name, (rows, column) in (("first", first), ("second", second)):
        lines += [*rows_of(rows, column), f"print('rows of the {name}:', len(rows))", f"{name} = rows.sum({column!r})"]
    return "\n".join(
        [
            *lines,
            "print('first:', first)",
            "print('second:', second)",
            "print('difference:', first - second)",
            "print('per cent:', round((first - second) / second * 100, 1) if second else None)",
        ]
    )


def bars(by: str, column: str, rows: Sequence[tuple[str, ...]], ref: str) -> dict[str, object]:
    """Return the arguments that draw a bar for each group."""
    spec = {
        "mark": "bar",
        "data": {"values": [{by: name, column: float(figure)} for name, figure in rows]},
        "encoding": {
            "y": {"field": by, "type": "nominal", "sort": "-x", "axis": {"labelLimit": 240}},
            "x": {"field": column, "type": "quantitative"},
        },
    }
    return {"title": f"{column} by {by}", "spec": json.dumps(spec, ensure_ascii=False), "sources": [ref]}


def _within(dated: Dated, name: str) -> list[str]:
    first, last = str(dated.period.first), str(dated.period.last)
    if dated.day_first is None:
        return [
            f"{name} = {name}.where(lambda row: {first!r} <= str(row[{dated.column!r}])[:10] <= {last!r})",
        ]
    return [
        *_iso(dated.day_first),
        f"{name} = {name}.where(lambda row: {first!r} <= day(row[{dated.column!r}]) <= {last!r})",
    ]


def _iso(day_first: bool) -> list[str]:
    order = "d, m, y" if day_first else "m, d, y"
    return [
        "import re",
        "",
        "def day(text):",
        f"    {order} = map(int, re.findall(r'\\d+', str(text))[:3])",
        "    return f'{y:04}-{m:02}-{d:02}'",
        "",
    ]


def months(rows: Rows, column: str, day_first: bool | None) -> str:
    """Return code that prints the months of a column of dates."""
    lines = [*rows_of(rows, None), "print('rows:', len(rows))"]
    month = f"str(row[{column!r}])[:7]"
    if day_first is not None:
        lines, month = [*_iso(day_first), *lines], f"day(row[{column!r}])[:7]"
    return "\n".join(
        [
            *lines,
            f"dated = rows.where(lambda row: row[{column!r}] is not None)",
            f"found = sorted({{{month} for row in dated}})",
            "print('rows without a date:', len(rows) - len(dated))",
            "print('months:', ', '.join(found))",
        ]
    )


def _figure(operation: Operation, column: str, told: Sequence[str]) -> list[str]:
    """Return the lines that print one figure of the rows."""
    match operation:
        case Operation.TOTAL:
            return [f"print('total:', rows.sum({column!r}))"]
        case Operation.AVERAGE:
            return [f"print('average:', round(rows.sum({column!r}) / len(rows), 2) if rows else None)"]
        case Operation.DISTINCT:
            return [f"print('different:', len(set(rows.column({column!r}))))"]
        case Operation.LARGEST | Operation.SMALLEST:
            return _ranked(column, told, operation)
        case _:
            return []


def _ranked(column: str, told: Sequence[str], operation: Operation) -> list[str]:
    best = "max" if operation is Operation.LARGEST else "min"
    return [
        "import json",
        "",
        "if rows:",
        f"    best = {best}(rows.numbers({column!r}))",
        f"    print('{operation.value}:', best)",
        f"    for row in rows.where(lambda row: to_decimal(row[{column!r}]) == best)[:5]:",
        f"        print('row', json.dumps({{name: str(row[name]) for name in {list(told)!r} if row[name] is not None}}))",
    ]
