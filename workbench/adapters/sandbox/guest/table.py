"""The tables that the code in the sandbox works with."""

import json
from collections.abc import Callable, Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from workbench.domain.amounts import decimal_mark_of, to_decimal


class Table(list[dict[str, Any]]):
    """Rows as dictionaries by column name, in the order of the sheet; numbers are int or Decimal, empty cells None."""

    def __init__(self, rows: Iterable[dict[str, Any]] = (), columns: Iterable[str] | None = None) -> None:
        super().__init__(rows)
        self.columns = list(columns) if columns is not None else list(dict.fromkeys(key for row in self for key in row))

    @property
    def rows(self) -> list[dict[str, Any]]:
        return list(self)

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column; raise KeyError naming the columns there are."""
        if name not in self.columns:
            raise KeyError(f"no column {name!r}; there are {', '.join(map(repr, self.columns))}")
        return [row.get(name) for row in self]

    def numbers(self, name: str, decimal_mark: str | None = None) -> list[Decimal]:
        """Return a column's cells as decimals, without the empty ones; text is read ("1.234,56", "(1,250)", "12 %").

        Raises ValueError for the first cell that is no number.
        """
        cells = [cell for cell in self.column(name) if cell is not None and cell != ""]
        mark = decimal_mark or decimal_mark_of(cell for cell in cells if isinstance(cell, str))
        return [to_decimal(cell, mark) for cell in cells]

    def sum(self, name: str, decimal_mark: str | None = None) -> Decimal:
        return sum(self.numbers(name, decimal_mark), Decimal(0))

    def where(self, test: Callable[[dict[str, Any]], object]) -> "Table":
        """Return the rows for which ``test`` is true."""
        return Table((row for row in self if test(row)), self.columns)

    def group_by(self, *names: str) -> dict[Any, "Table"]:
        """Return the rows by the value of a column, or by a tuple of values of several, in the order they come first."""
        for name in names:
            self.column(name)
        groups: dict[Any, Table] = {}
        for row in self:
            key = row.get(names[0]) if len(names) == 1 else tuple(row.get(name) for name in names)
            groups.setdefault(key, Table(columns=self.columns)).append(row)
        return groups


def load(path: str) -> Table:
    """Read a table's file: a line of JSON that says what the columns are, then one list for each row."""
    with open(path, encoding="utf-8") as lines:  # noqa: PTH123 - pathlib is slow to import in the guest
        head = json.loads(next(lines))
        columns, dates = head["columns"], head["dates"]
        # A table without floats holds its fractions as they were written, to the last cent.
        read = json.JSONDecoder(parse_float=float if head["floats"] else Decimal).decode
        table = Table(columns=columns)
        for line in lines:
            cells = read(line)
            for index in dates:
                if isinstance(cells[index], str):
                    cells[index] = _date(cells[index])
            table.append(dict(zip(columns, cells, strict=True)))
    return table


def _date(text: str) -> object:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text
