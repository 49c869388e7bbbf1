"""Real spreadsheets and CSV files: every figure asked of them is in the stored cells, to the cent."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from workbench.adapters.tables.store import ParquetTables
from workbench.domain.ids import DocumentId
from workbench.domain.tables import CellRange, CellValue
from workbench.reading import reader
from workbench.services.ingestion.limits import Limits

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.req("LIB-5"),
    pytest.mark.skipif(not os.environ.get("PINCITE_CORPUS"), reason="PINCITE_CORPUS names no outside material"),
]

CENT = Decimal("0.01")


class Figures:
    """The tables of one document, read from the store."""

    def __init__(self, store: ParquetTables, document: DocumentId) -> None:
        self._store = store
        self._document = document
        self._tables = {table.name: table for table in store.tables(document)}

    @property
    def sheets(self) -> list[str]:
        return list(self._tables)

    def rows(self, sheet: str = "") -> Iterator[dict[str, CellValue]]:
        """Yield the rows below the header, by the names of the columns."""
        table = self._tables[sheet]
        names = {each.column: each.name for each in table.columns}
        below = CellRange(table.header_row + 1, 1, table.area.last_row, table.area.last_column)
        for row in self._store.rows(self._document, table.number, below):
            yield {names[cell.column]: cell.value for cell in row.cells}

    def amounts(self, column: str, sheet: str = "") -> list[Decimal]:
        values = [row.get(column) for row in self.rows(sheet)]
        numbers = [value for value in values if isinstance(value, Decimal)]
        assert len(numbers) == sum(value is not None for value in values), f"{column} holds what is no number"
        return numbers

    def total(self, column: str, sheet: str = "") -> Decimal:
        """The sum of a column, which the statistics of the column must know as well."""
        found = sum(self.amounts(column, sheet), Decimal(0))
        (known,) = [each.total for each in self._tables[sheet].columns if each.name == column]
        assert Decimal(known) == found
        return found

    def formulas(self, column: int, sheet: str) -> dict[str, str]:
        table = self._tables[sheet]
        rows = self._store.rows(self._document, table.number, CellRange(1, column, table.area.last_row, column))
        return {cell.address: cell.formula for row in rows for cell in row.cells if cell.formula}


CARD, MERCHANT = "FIN.TRANSACTION AMOUNT", "Merchant"


def _largest(figures: Figures) -> str:
    row = max(figures.rows(), key=lambda row: row["Value"] if isinstance(row.get("Value"), Decimal) else Decimal(0))
    return f"{row['Value']:.2f}, {row[MERCHANT]}"


def _negative(figures: Figures) -> str:
    found = [amount for amount in figures.amounts("Amount") if amount < 0]
    return f"{len(found)} lines, {sum(found)}"


def _months(figures: Figures) -> str:
    months = {str(row["Paid Date"])[3:] for row in figures.rows()}
    return "January 2018 only" if months == {"01/2018"} else str(months)


def _growth(figures: Figures) -> str:
    january, march = figures.total("Amount", "Jan 2025"), figures.total("Amount", "Mar 2025")
    return f"{(march - january).quantize(CENT)}; {(march - january) / january * 100:.1f}%"


def _pricing(figures: Figures) -> str:
    found = {cell: formula for cell, formula in figures.formulas(7, "Pricing Template").items() if "SUM" not in formula}
    same = all(formula == f"=D{cell[1:]}*F{cell[1:]}" for cell, formula in found.items())
    return "Quantity x Unit Price (for example G6 = D6*F6)" if "G6" in found and same else str(found)


HOW: Mapping[str, Callable[[Figures], Any]] = {
    "T02": lambda figures: Decimal(len(list(figures.rows()))),
    "T03": lambda figures: sum(row["Amount"] for row in figures.rows() if row["Supplier Name"] == "HMRC"),
    "T05": _negative,
    "T07": _months,
    "T08": lambda figures: sum(row["Amount"] for row in figures.rows() if row["Type of Expenditure"] == "Capital"),
    "T10": lambda figures: sum(amount for amount in figures.amounts("Value") if amount < 0),
    "T12": _largest,
    "T15": lambda figures: figures.total(CARD),
    "T16": lambda figures: sum(amount for amount in figures.amounts(CARD) if amount > 0),
    "T17": lambda figures: figures.total("Amount"),
    "T18": lambda figures: sum(row["Amount"] for row in figures.rows() if str(row["Date"]).startswith("2012")),
    "T20": lambda figures: Decimal(len({row["Vendor"] for row in figures.rows() if "Vendor" in row})),
    "T21": lambda figures: figures.total("Amount", "Mar 2025"),
    "T22": lambda figures: sum(figures.total("Amount", sheet) for sheet in figures.sheets),
    "T25": _growth,
    "T27": _pricing,
}
"""How each question is answered from the cells, by its id."""


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Figures]:
    store = ParquetTables(tmp_path_factory.mktemp("tables"))
    formats = reader(Limits(libreoffice="never", ocr="never"))
    folder = Path(os.environ["PINCITE_CORPUS"]) / "tables"
    known: dict[str, DocumentId] = {}

    def of(name: str) -> Figures:
        if name not in known:
            known[name] = DocumentId(f"doc_{len(known)}")
            store.save(known[name], formats.read((folder / name).read_bytes(), name, lambda done, total: None).tables)
        return Figures(store, known[name])

    return of


def test_every_question_is_answered_from_the_stored_cells(figures: Callable[[str], Figures]) -> None:
    path = Path(os.environ["PINCITE_CORPUS"]) / "tables_qa.jsonl"
    questions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {question["id"] for question in questions} <= HOW.keys()
    wrong: dict[str, tuple[Any, Any]] = defaultdict(tuple)
    for question in questions:
        found, expected = HOW[question["id"]](figures(question["file"])), question["answer"]
        if isinstance(expected, str):
            right = found == expected
        else:
            right = Decimal(found).quantize(CENT) == Decimal(str(expected)).quantize(CENT)
        if not right:
            wrong[question["id"]] = (found, expected)
    assert not wrong
