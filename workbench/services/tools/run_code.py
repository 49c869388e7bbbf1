"""``run_code``: a calculation in Python that the model writes, over tables of documents, in the sandbox."""

from itertools import islice
from typing import NamedTuple

from pydantic import Field

from workbench.domain.calculations import CodeRun, RunInput, RunLimits, SandboxResult
from workbench.domain.chunks import Chunk
from workbench.domain.citations import Source
from workbench.domain.events import CodeRan, Event, SourcesGathered
from workbench.domain.ids import DocumentId, Ref
from workbench.domain.sources import format_blocks
from workbench.domain.tables import CellKind
from workbench.domain.values import Value
from workbench.services.ports import LibraryStore, Sandbox, SandboxInputs, SandboxTable, TableStore
from workbench.services.retrieval.ledger import Naming
from workbench.services.retrieval.ranking import Ranked
from workbench.services.tools.cells import Cells, Place, cells_chunk
from workbench.services.tools.read_table import SheetName
from workbench.services.tools.run_inputs import InputRows, run_input, sandbox_table
from workbench.services.tools.run_text import run_text
from workbench.services.tools.table_notes import hidden
from workbench.services.tools.tool import CallRejected, ToolContext, ToolResult

LIMITS = RunLimits(seconds=20.0, memory_mb=512, output_bytes=50_000, result_bytes=100_000, result_rows=500)
"""The ceiling of one run; a turn that has fewer seconds left gives these."""
LEAST_SECONDS = 0.5
WHOLE_ROWS, PREVIEW_ROWS = 30, 8
"""An input of up to ``WHOLE_ROWS`` rows is shown whole as a source; of a longer one the first rows are."""


class TableAsked(Value):
    name: str = Field(
        min_length=1, max_length=60, description="Its name in the code, each once: tables[name] holds its rows."
    )
    document_id: DocumentId = Field(description="The id given as DOCUMENT, or by find_documents.")
    sheet: str | None = SheetName
    range: str | None = Field(
        max_length=60,
        description=(
            "The cells with their header, as spreadsheets write them: A2:F5001, or whole columns B:C. Null for the whole "
            "table. There is no limit of rows."
        ),
    )


class RunCodeArguments(Value):
    code: str = Field(min_length=1, max_length=20_000, description="Python. Its last expression is the result.")
    tables: tuple[TableAsked, ...] = Field(
        max_length=8,
        description=(
            "The tables that the code uses, read from the documents for it; never copy their rows into the code. An empty "
            "list where it uses none."
        ),
    )


class Input(NamedTuple):
    """A table that was given to the code, with the passage that stands for it as a source, None where it is empty."""

    place: Place
    table: SandboxTable
    rows: InputRows
    chunk: Chunk | None


class Fetched(NamedTuple):
    inputs: list[Input]
    limits: RunLimits
    result: SandboxResult


class RunCode:
    name = "run_code"
    arguments = RunCodeArguments

    def __init__(self, store: LibraryStore, tables: TableStore, sandbox: Sandbox) -> None:
        """Raises SandboxUnavailable where no code can be run."""
        self._cells = Cells(store, tables)
        self._sandbox = sandbox
        self.description = (
            "Calculate with Python in a sandbox: every figure that no document states itself comes from here. "
            f"{sandbox.description}"
        )

    def fetch(self, arguments: RunCodeArguments, context: ToolContext) -> Fetched:
        names = [each.name for each in arguments.tables]
        if len(set(names)) < len(names):
            raise CallRejected("Two tables have the same name.", "Give each a name of its own.")
        inputs = [self._input(each, context) for each in arguments.tables]
        left = context.seconds_left()
        limits = LIMITS.model_copy(update={"seconds": max(LEAST_SECONDS, min(LIMITS.seconds, left))})
        given = SandboxInputs([each.table for each in inputs])
        result = self._sandbox.run(arguments.code, given, limits, context.halted)
        return Fetched(inputs, limits, result)

    def settle(self, fetched: Fetched, arguments: RunCodeArguments, context: ToolContext) -> ToolResult:
        sources, inputs = self._admitted(fetched, context)
        run = CodeRun(
            code=arguments.code,
            inputs=tuple(inputs),
            engine=self._sandbox.name,
            limits=fetched.limits,
            result=fetched.result,
        )
        events: tuple[Event, ...] = (CodeRan(call_id=context.call_id, run=run),)
        if sources:
            events = (*events, SourcesGathered(call_id=context.call_id, sources=tuple(sources)))
        told = run_text(fetched.result, fetched.limits, inputs, _notes(fetched.inputs))
        output = "\n\n".join(part for part in (told, format_blocks(sources)) if part)
        return ToolResult(output, events, reached=frozenset(each.place.document.id for each in fetched.inputs))

    def _input(self, asked: TableAsked, context: ToolContext) -> Input:
        place = self._cells.find(context.scope, asked.document_id, asked.sheet, asked.range)
        table, rows = sandbox_table(asked.name, place, lambda: self._cells.rows(place, place.asked))
        return Input(place, table, rows, self._chunk(place))

    def _chunk(self, place: Place) -> Chunk | None:
        """Return the passage that stands for the cells: all of them where they are few, else their first rows."""
        area = place.asked
        first = list(islice(self._cells.rows(place, area), WHOLE_ROWS + 1))
        if not first:
            return None
        if len(first) > WHOLE_ROWS:
            shown = area._replace(last_row=first[PREVIEW_ROWS - 1].number)
            excerpt = self._cells.excerpt(place, shown, first[:PREVIEW_ROWS])
            return cells_chunk(place, excerpt, shown, stands_for=area)
        return cells_chunk(place, self._cells.excerpt(place, area, first), area)

    def _admitted(self, fetched: Fetched, context: ToolContext) -> tuple[list[Source], list[RunInput]]:
        """Make sources of the inputs, as far as the turn takes them, and note under which ref each can be cited."""
        sources: list[Source] = []
        inputs: list[RunInput] = []
        for given, each in zip(fetched.result.inputs, fetched.inputs, strict=True):
            ref: Ref | None = None
            if each.chunk is not None:
                sources += _admit(each.chunk, each.place, context)
                ref = context.ledger.given_as(each.chunk)
            page = each.chunk.first_page if each.chunk else 1
            inputs.append(run_input(given, each.place, each.table, each.rows.count, page, ref))
        return sources, inputs


def _admit(chunk: Chunk, place: Place, context: ToolContext) -> tuple[Source, ...]:
    naming = Naming(place.document.display_name, place.container)
    return context.ledger.admit([Ranked(chunk, 1.0)], lambda _: naming, context.call_id).sources


def _notes(inputs: list[Input]) -> list[str]:
    notes = []
    for each in inputs:
        table, area = each.place.table, each.place.asked
        notes += [f"{each.table.name}: {note}" for note in hidden(table, area)]
        if table.hidden:
            notes.append(f"{each.table.name}: This sheet is hidden in the file. Say so where you use it.")
        if not table.header_row:
            notes.append(f"{each.table.name}: No row names the columns; they are called by their letters.")
        elif area.first_row < table.header_row:
            notes.append(
                f"{each.table.name}: Rows above row {table.header_row}, which names the columns, are left out."
            )
        formulas = sum(column.kinds.get(CellKind.FORMULA, 0) for column in table.columns)
        if formulas:
            notes.append(f"{each.table.name}: {formulas:,} formulas of the file have no kept result and are None.")
    return notes
