"""The tables of the code in the sandbox."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from workbench.adapters.sandbox.folder import run_folder
from workbench.adapters.sandbox.guest.table import Table, load
from workbench.domain.calculations import RunLimits
from workbench.services.ports import SandboxInputs, SandboxTable, Scalar

COLUMNS = ("supplier", "amount", "due")
ROWS: list[tuple[Scalar, ...]] = [
    ("Acme", Decimal("0.10"), date(2025, 3, 31)),
    ("Böll", Decimal("1000000000000000000000.01"), None),
    ("Acme", 3, date(2024, 2, 29)),
    (None, None, "soon"),
]


def _through_a_file(table: SandboxTable, folder: Path) -> Table:
    with run_folder(folder, "", SandboxInputs([table]), RunLimits()) as run:
        return load(str(run.path / "table0.jsonl"))


def test_a_table_keeps_types_and_every_digit(tmp_path: Path) -> None:
    table = _through_a_file(SandboxTable("t", COLUMNS, ROWS), tmp_path)

    assert [tuple(row.values()) for row in table] == ROWS
    assert table.columns == list(COLUMNS)
    assert str(table[0]["amount"]) == "0.10"
    assert type(table[2]["amount"]) is int


def test_floats_stay_floats(tmp_path: Path) -> None:
    table = _through_a_file(SandboxTable("t", ("x",), [(0.1,), (2,)]), tmp_path)

    assert [row["x"] for row in table] == [0.1, 2]


def test_a_table_without_rows_has_its_columns(tmp_path: Path) -> None:
    table = _through_a_file(SandboxTable("t", COLUMNS, []), tmp_path)

    assert (len(table), table.columns) == (0, list(COLUMNS))


def test_sums_are_exact_and_skip_empty_cells() -> None:
    table = Table([{"x": Decimal("0.1")}, {"x": Decimal("0.2")}, {"x": None}, {"x": ""}])

    assert table.sum("x") == Decimal("0.3")


def test_a_column_of_text_is_read_in_its_own_convention() -> None:
    table = Table([{"x": "1.234"}, {"x": "(2.000,50)"}, {"x": "EUR 1m"}])

    assert table.numbers("x") == [Decimal(1234), Decimal("-2000.50"), Decimal(1_000_000)]


def test_a_column_that_does_not_exist_is_told_with_those_that_do() -> None:
    with pytest.raises(KeyError, match="'amount'"):
        Table([{"amount": 1}]).sum("Amount")


def test_rows_are_grouped_and_chosen() -> None:
    table = Table([{"k": "a", "m": 1, "x": 1}, {"k": "b", "m": 1, "x": 2}, {"k": "a", "m": 2, "x": 3}])

    assert {key: each.sum("x") for key, each in table.group_by("k").items()} == {"a": 4, "b": 2}
    assert list(table.group_by("k", "m")) == [("a", 1), ("b", 1), ("a", 2)]
    assert table.where(lambda row: row["x"] > 1).sum("x") == 5
