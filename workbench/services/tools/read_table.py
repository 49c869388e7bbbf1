"""``read_table``: cells of a sheet or table by their addresses, as one more source."""

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import Field

from workbench.domain.events import SourcesGathered
from workbench.domain.ids import DocumentId
from workbench.domain.markers import neutral
from workbench.domain.sources import format_blocks
from workbench.domain.tables import CellRange, column_letters
from workbench.domain.values import Value
from workbench.services.ports import LibraryStore, TableRow, TableStore
from workbench.services.retrieval.ledger import Naming
from workbench.services.retrieval.ranking import Ranked
from workbench.services.tools.cells import Cells, Place, cells_chunk
from workbench.services.tools.table_notes import columns_within, described, hidden, shape
from workbench.services.tools.table_text import Excerpt
from workbench.services.tools.tool import ToolContext, ToolResult

MAX_ROWS, MAX_COLUMNS = 100, 40
"""So much of a table is given at once; ``MAX_CHARACTERS`` of the text may cut it shorter."""
MAX_CHARACTERS = 12_000
_FORMULAS = 30

SheetName = Field(max_length=200, description="The name of the sheet or table. Null for the only one, or the first.")


class ReadTableArguments(Value):
    document_id: DocumentId = Field(description="The id given as DOCUMENT, or by find_documents.")
    sheet: str | None = SheetName
    range: str | None = Field(
        max_length=60,
        description=(
            "The cells, as spreadsheets write them: A2:F101, B5, whole columns B:C, whole rows 5:9. "
            f"At most {MAX_ROWS} rows and {MAX_COLUMNS} columns are given at once. Null for the first rows."
        ),
    )


class Fetched(NamedTuple):
    """The cells that were asked for as far as they are given: ``shown`` of those of the ``place``."""

    place: Place
    shown: CellRange
    rows: list[TableRow]
    excerpt: Excerpt

    @property
    def header_above(self) -> bool:
        """Whether a table's header is given besides the rows that were asked for."""
        return len(self.excerpt.segments) > len(self.rows)


class ReadTable:
    name = "read_table"
    description = (
        "Read cells of a spreadsheet, CSV file or table by their addresses, with header, types and formulas. Sheets of a "
        "workbook, and how many rows and columns they have, are named with every answer. Search shows the first rows of a "
        "long sheet only: this reads all of them."
    )
    arguments = ReadTableArguments

    def __init__(self, store: LibraryStore, tables: TableStore) -> None:
        self._cells = Cells(store, tables)

    def fetch(self, arguments: ReadTableArguments, context: ToolContext) -> Fetched:
        place = self._cells.find(context.scope, arguments.document_id, arguments.sheet, arguments.range)
        asked, table = place.asked, place.table
        shown = asked._replace(last_column=min(asked.last_column, asked.first_column + MAX_COLUMNS - 1))
        if asked.first_row <= table.paged:
            # What pages show is quoted from them; what comes after is another source.
            shown = shown._replace(last_row=min(shown.last_row, table.paged))
        rows = list(_first(self._cells.rows(place, shown)))
        shown = shown._replace(last_row=max(rows[-1].number if rows else 0, shown.first_row))
        return Fetched(place, shown, rows, self._cells.excerpt(place, shown, rows))

    def settle(self, fetched: Fetched, arguments: ReadTableArguments, context: ToolContext) -> ToolResult:
        place, about = fetched.place, _about(fetched)
        if not fetched.rows:
            return ToolResult(f"{about}\nNOTE: {fetched.shown} is empty.")
        chunk = cells_chunk(place, fetched.excerpt, fetched.shown)
        naming = Naming(place.document.display_name, place.container)
        admission = context.ledger.admit([Ranked(chunk, 1.0)], lambda _: naming, context.call_id)
        if not admission.admitted:
            return ToolResult(f"NOTE: These cells were not given: {admission.held_back[0].reason}.")
        event = SourcesGathered(call_id=context.call_id, sources=admission.sources)
        output = f"{about}\n\n{format_blocks(admission.sources)}"
        return ToolResult(output, (event,), reached=frozenset([place.document.id]))


def _first(rows: Iterator[TableRow]) -> Iterator[TableRow]:
    """Yield rows until they are as many, or as much text, as is given at once."""
    characters = 0
    for count, row in enumerate(rows):
        characters += sum(len(cell.text) + 1 for cell in row.cells)
        if count and (count >= MAX_ROWS or characters > MAX_CHARACTERS):
            return
        yield row


def _about(fetched: Fetched) -> str:
    """Say which cells are given and which are not, and what the columns hold."""
    lines = [f"NOTE: {note}" for note in _notes(fetched)]
    lines += ["COLUMNS:", *described(columns_within(fetched.place.table, fetched.shown))]
    formulas = [
        f"| {cell.address}: {neutral(cell.formula)}" for row in fetched.rows for cell in row.cells if cell.formula
    ]
    if formulas:
        more = len(formulas) - _FORMULAS
        lines += ["FORMULAS:", *formulas[:_FORMULAS], *([f"and {more} more"] if more > 0 else [])]
    return "\n".join(lines)


def _notes(fetched: Fetched) -> Iterator[str]:
    table, asked, shown = fetched.place.table, fetched.place.asked, fetched.shown
    if table.pages:
        columns = f"A-{column_letters(table.area.last_column)}"
        header = " The line above them is its header." if fetched.header_above else ""
        yield f"The lines below are rows {shown.first_row}-{shown.last_row}, with all columns {columns}.{header}"
    yield from shape(fetched.place)
    yield from hidden(table, shown)
    if asked.last_row > shown.last_row:
        step = min(MAX_ROWS, asked.last_row - shown.last_row)
        following = asked._replace(first_row=shown.last_row + 1, last_row=shown.last_row + step)
        yield (
            f"Given are rows {shown.first_row}-{shown.last_row} of the rows {asked.first_row}-{asked.last_row}: "
            f"ask for {following} for the next ones."
        )
    if asked.last_column > shown.last_column:
        following = asked._replace(first_column=shown.last_column + 1, last_row=shown.last_row)
        yield f"Columns from {column_letters(shown.last_column + 1)} on are left out: ask for {following}."
