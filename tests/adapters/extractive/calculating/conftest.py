"""Spreadsheets in memory, and the embedded model that calculates over them with the real tools.

The code that runs is our own, put together by the model's rules, so it may run in this process; the acceptance tests run it
in the real sandbox.
"""

import ast
import contextlib
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.services.conftest import CONTRACTS, Bench, Ran
from tests.services.files import saved
from tests.services.shelf import shelve
from workbench.adapters.extractive.model import ExtractiveModel
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_tables import MemoryTables, PlainEncoder
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.adapters.fakes.plain_sandbox import PlainSandbox
from workbench.adapters.office.separated import SeparatedConverter
from workbench.adapters.office.xlsx import XlsxConverter
from workbench.adapters.pymupdf.sheets import lay_out_sheets
from workbench.adapters.sandbox.guest.table import Table
from workbench.domain.amounts import to_decimal
from workbench.domain.calculations import ColumnKind, InputHash, ResultTable, RunError, RunOutcome, SandboxResult
from workbench.domain.documents import Container
from workbench.services.ports import SandboxInputs
from workbench.services.retrieval.search import Search
from workbench.services.tools.registry import ToolRegistry

Files = Mapping[str, str | Mapping[str, Sequence[Sequence[Any]]]]
"""Files by name: the text of one of separated values, or the rows of each sheet of a workbook."""
Ask = Callable[[str], Ran]


class OwnCode(PlainSandbox):
    """Runs the code that the embedded model put together."""

    def run(self, code: str, inputs: SandboxInputs, *_: object, **__: object) -> SandboxResult:
        tables = {
            each.name: Table((dict(zip(each.columns, row, strict=True)) for row in each.rows), each.columns)
            for each in inputs.tables
        }
        names: dict[str, Any] = {"tables": tables, "to_decimal": to_decimal, "Table": Table}
        hashes = tuple(InputHash(name=name, sha256="0" * 64) for name in tables)
        tree = ast.parse(code)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        value = None
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(tree, "main.py", "exec"), names)
                if isinstance(last, ast.Expr):
                    value = eval(compile(ast.Expression(last.value), "main.py", "eval"), names)
        except ValueError as error:
            failure = RunError(type="ValueError", message=str(error))
            return SandboxResult(outcome=RunOutcome.ERROR, error=failure, seconds=0.0, inputs=hashes)
        return SandboxResult(
            outcome=RunOutcome.OK,
            value=None if value is None else repr(value),
            printed=printed.getvalue(),
            tables=(_table(value),) if isinstance(value, list) and value else (),
            seconds=0.0,
            inputs=hashes,
        )


def _table(rows: list[dict[str, Any]]) -> ResultTable:
    columns = tuple(rows[0])
    cells = tuple(tuple(str(row[column]) for column in columns) for row in rows)
    return ResultTable(columns=columns, kinds=(ColumnKind.TEXT,) * len(columns), rows=cells, total_rows=len(rows))


@pytest.fixture
def asking() -> Callable[[Files], Ask]:
    """Return a function that shelves files, and returns one that asks the embedded model about them."""

    def shelved(files: Files) -> Ask:
        clock, library, embedder, tables = FixedClock(), MemoryLibraryStore(), HashingEmbedder(), MemoryTables()
        library.add_container(Container(id=CONTRACTS, name="Spending", created_at=clock.now()))
        for name, content in files.items():
            document = shelve(library, name)
            workbook = _workbook(name, content)
            library.save_pages(document, lay_out_sheets(workbook, name, 200, lambda done, total: None).pages)
            tables.save(document, workbook.tables)
        search = Search(library, MemoryVectors(), MemoryKeywords(), embedder)
        registry = ToolRegistry(search, library, clock, tables, OwnCode())
        bench = Bench(library, search, registry, clock, {}, tables, PlainSandbox())
        model = ExtractiveModel(embedder, search.documents, lambda scope: {})
        return lambda question: bench.run(model, question)

    return shelved


def _workbook(name: str, content: str | Mapping[str, Sequence[Sequence[Any]]]) -> Any:
    if isinstance(content, str):
        return SeparatedConverter(PlainEncoder()).convert(content.encode(), name)
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in content.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    return XlsxConverter(PlainEncoder()).convert(saved(book), Path(name).name)
