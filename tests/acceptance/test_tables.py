"""Real spreadsheets and CSV files: every figure asked of them is in the stored cells, comes out of the tools to the cent,
and most come out of the embedded model by itself."""

import calendar
import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.services.conftest import CONTRACTS, Bench, Ran
from tests.services.shelf import shelve
from workbench.adapters.extractive.calculating.telling import NO_FIGURE
from workbench.adapters.extractive.model import ExtractiveModel
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_tables import MemoryTables
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.adapters.fakes.plain_sandbox import PlainSandbox
from workbench.adapters.fakes.scripted_model import ScriptedModel, call, say
from workbench.adapters.sandbox.choice import open_sandbox
from workbench.adapters.tables.store import ParquetTables
from workbench.domain.documents import Container
from workbench.domain.events import CodeRan, ToolCallFinished
from workbench.domain.ids import DocumentId
from workbench.domain.scope import Filters
from workbench.domain.tables import CellRange, CellValue
from workbench.reading import reader
from workbench.services.ingestion.limits import Limits
from workbench.services.ports import Model, Sandbox
from workbench.services.retrieval.search import Search
from workbench.services.tools.registry import ToolRegistry

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
def office(tmp_path_factory: pytest.TempPathFactory, sandbox_home: Path) -> Iterator["Office"]:
    store = ParquetTables(tmp_path_factory.mktemp("tables"))
    sandbox = open_sandbox(sandbox_home)
    yield Office(store, sandbox)
    sandbox.close()


class Office:
    """The real reader, cells and sandbox, around a library in memory; each file is read once, when it is first asked of."""

    def __init__(self, store: ParquetTables, sandbox: Sandbox) -> None:
        clock, library, embedder = FixedClock(), MemoryLibraryStore(), HashingEmbedder()
        library.add_container(Container(id=CONTRACTS, name="Spending", created_at=clock.now()))
        search = Search(library, MemoryVectors(), MemoryKeywords(), embedder)
        registry = ToolRegistry(search, library, clock, store, sandbox)
        self._store = store
        self._library = library
        self._formats = reader(Limits(libreoffice="never", ocr="never"))
        self._folder = Path(os.environ["PINCITE_CORPUS"]) / "tables"
        self._known: dict[str, DocumentId] = {}
        self.bench = Bench(library, search, registry, clock, {}, MemoryTables(), PlainSandbox())
        self.embedded = ExtractiveModel(embedder, search.documents, lambda scope: {})

    def document(self, name: str) -> DocumentId:
        if name not in self._known:
            read = self._formats.read((self._folder / name).read_bytes(), name, lambda done, total: None)
            self._known[name] = shelve(self._library, name)
            self._library.save_pages(self._known[name], read.pages)
            self._store.save(self._known[name], read.tables)
        return self._known[name]

    def figures(self, name: str) -> Figures:
        return Figures(self._store, self.document(name))

    def asked(self, question: Mapping[str, Any], model: Model) -> Ran:
        """Ask in the scope of the one file that the question is about."""
        only = Filters(document_ids=(self.document(question["file"]),))
        return self.bench.run(model, question["question"], filters=only)


def questions() -> list[dict[str, Any]]:
    path = Path(os.environ["PINCITE_CORPUS"]) / "tables_qa.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_question_is_answered_from_the_stored_cells(office: Office) -> None:
    assert {question["id"] for question in questions()} <= HOW.keys()
    wrong: dict[str, tuple[Any, Any]] = defaultdict(tuple)
    for question in questions():
        found, expected = HOW[question["id"]](office.figures(question["file"])), question["answer"]
        if isinstance(expected, str):
            right = found == expected
        else:
            right = Decimal(found).quantize(CENT) == Decimal(str(expected)).quantize(CENT)
        if not right:
            wrong[question["id"]] = (found, expected)
    assert not wrong


# --- through the tools -----------------------------------------------------------------------------------------------

_NEGATIVE = "found = tables['t'].where(lambda row: row[{0!r}] < 0)\n(len(found), found.sum({0!r}))"
CODE = {
    "T02": "len(tables['t'])",
    "T03": "tables['t'].where(lambda row: row['Supplier Name'] == 'HMRC').sum('Amount')",
    "T05": _NEGATIVE.format("Amount"),
    "T07": "from datetime import datetime\nsorted({datetime.strptime(row['Paid Date'], '%d/%m/%Y').strftime('%B %Y')"
    " for row in tables['t']})",
    "T08": "tables['t'].where(lambda row: row['Type of Expenditure'] == 'Capital').sum('Amount')",
    "T10": _NEGATIVE.format("Value") + "[1]",
    "T12": "best = max(tables['t'], key=lambda row: row['Value'])\n(best['Value'], best['Merchant'])",
    "T15": f"tables['t'].sum({CARD!r})",
    "T16": f"tables['t'].where(lambda row: row[{CARD!r}] > 0).sum({CARD!r})",
    "T17": "tables['t'].sum('Amount')",
    "T18": "tables['t'].where(lambda row: str(row['Date']).startswith('2012')).sum('Amount')",
    "T20": "len({row['Vendor'] for row in tables['t'] if row['Vendor']})",
    "T21": "tables['t'].sum('Amount')",
    "T22": "sum(table.sum('Amount') for table in tables.values())",
    "T25": "gap = tables['mar'].sum('Amount') - tables['jan'].sum('Amount')\n"
    "(gap, round(gap / tables['jan'].sum('Amount') * 100, 1))",
}
"""What a model writes for each question, by its id; the one about formulas is answered by reading."""
SHEETS = {
    "T21": {"t": "Mar 2025"},
    "T22": {"jan": "Jan 2025", "feb": "Feb 2025", "mar": "Mar 2025"},
    "T25": {"jan": "Jan 2025", "mar": "Mar 2025"},
}


@pytest.mark.req("TOOL-9", "TOOL-10")
def test_code_over_the_tables_gives_every_figure_to_the_cent(office: Office) -> None:
    wrong = {}
    for question in questions():
        if question["id"] not in CODE:
            continue
        document = office.document(question["file"])
        tables = [
            {"name": name, "document_id": document, "sheet": sheet, "range": None}
            for name, sheet in SHEETS.get(question["id"], {"t": None}).items()
        ]
        steps = [call("run_code", code=CODE[question["id"]], tables=tables), say("It is so [S1].")]
        done = office.asked(question, ScriptedModel(steps))
        (event,) = done.of(CodeRan)
        missing = _missing(question["answer"], event.run.result.value or str(event.run.result.error))
        if missing or not done.end.answer.citations:
            wrong[question["id"]] = (event.run.result, question["answer"])
    assert not wrong


@pytest.mark.req("TOOL-10")
def test_formulas_are_read_with_their_cells(office: Office) -> None:
    (question,) = [each for each in questions() if each["id"] not in CODE]
    document = office.document(question["file"])
    steps = [call("read_table", document_id=document, sheet=question["sheet"], range="A4:G8"), say("Read [S1].")]
    (told,) = office.asked(question, ScriptedModel(steps)).of(ToolCallFinished)
    assert "| G6: =D6*F6" in told.output
    assert "| D Quantity" in told.output
    assert "| F Unit Price" in told.output


# --- by the embedded model alone -------------------------------------------------------------------------------------

FLOOR = 0.75
"""The share of the questions that the embedded model must answer by itself."""


@pytest.mark.req("OPEN-3", "TOOL-9")
def test_the_embedded_model_calculates_most_figures_by_itself_and_none_wrong(office: Office) -> None:
    right, refused, wrong = [], [], {}
    for question in questions():
        end = office.asked(question, office.embedded).end
        missing = _missing(question["answer"], end.answer.text)
        if not missing and end.answer.citations:
            right.append(question["id"])
        elif end.answer.text.startswith(NO_FIGURE):
            refused.append(question["id"])
        else:
            wrong[question["id"]] = (end.answer.text, question["answer"])
    assert not wrong
    assert len(right) / len(questions()) >= FLOOR, refused


_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def _missing(expected: object, given: str) -> list[str]:
    """Return the figures and names of the expected answer that are not in the text that was given."""
    if not isinstance(expected, str):
        expected = str(Decimal(str(expected)).quantize(CENT))
    found = {_plain(number) for number in _NUMBER.findall(given)}
    if (
        expected.endswith(" only")
        and len(re.findall(rf"\b(?:{'|'.join(calendar.month_name[1:])}) \d{{4}}", given)) != 1
    ):
        return ["only"]
    return [
        part
        for part in _told(expected)
        if (_plain(part) not in found if _NUMBER.fullmatch(part) else part.casefold() not in given.casefold())
    ]


def _told(expected: str) -> list[str]:
    """Return what an answer must tell: its figures, and of its words the ones that no question holds."""
    if "Quantity" in expected:
        return ["Quantity", "Unit Price", "D6*F6"]
    if expected.endswith(" only"):
        return [expected.removesuffix(" only")]
    return [*_NUMBER.findall(expected), *re.findall(r"www\.\S+", expected)]


def _plain(number: str) -> Decimal:
    return Decimal(number.replace(",", "")).normalize()
