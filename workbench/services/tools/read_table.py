"""``read_table``: cells of a sheet or table by their addresses, as one more source."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pydantic import Field

from workbench.domain.chunks import Chunk, ChunkKind, chunk_id
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound
from workbench.domain.events import SourcesGathered
from workbench.domain.ids import ChunkId, DocumentId
from workbench.domain.markers import neutral
from workbench.domain.page_tables import whole_tables
from workbench.domain.sources import format_blocks
from workbench.domain.tables import (
    CellRange,
    ColumnStatistics,
    SheetArea,
    TableInfo,
    column_letters,
    in_sheet,
    parse_range,
    sheet_name,
)
from workbench.domain.values import Value
from workbench.services.ports import LibraryStore, TableRow, TableStore
from workbench.services.retrieval.ledger import Naming
from workbench.services.retrieval.ranking import Ranked
from workbench.services.tools.table_text import Excerpt, on_pages, written
from workbench.services.tools.tool import CallRejected, ToolContext, ToolResult

MAX_ROWS, MAX_COLUMNS = 100, 40
"""So much of a table is given at once; ``MAX_CHARACTERS`` of the text may cut it shorter."""
MAX_CHARACTERS = 12_000
_NAMED = 30
_FORMULAS = 30


class ReadTableArguments(Value):
    document_id: DocumentId = Field(description="The id given as DOCUMENT, or by find_documents.")
    sheet: str | None = Field(
        max_length=200, description="The name of the sheet or table. Null for the only one, or the first."
    )
    range: str | None = Field(
        max_length=60,
        description=(
            "The cells, as spreadsheets write them: A2:F101, B5, whole columns B:C, whole rows 5:9. "
            f"At most {MAX_ROWS} rows and {MAX_COLUMNS} columns are given at once. Null for the first rows."
        ),
    )


class Fetched(NamedTuple):
    """The cells that were asked for as far as they are given: ``shown`` of ``asked``."""

    document: Document
    container: str
    tables: list[TableInfo]
    table: TableInfo
    asked: CellRange
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
        self._store = store
        self._tables = tables

    def fetch(self, arguments: ReadTableArguments, context: ToolContext) -> Fetched:
        document = self._store.document(arguments.document_id)
        if document is None or not context.scope.admits(document):
            raise NotFound("No document with this id is in scope.", "Use an id that a search or find_documents gave.")
        tables = self._tables.tables(document.id)
        if not tables:
            raise NotFound(f"No tables are kept of {document.display_name}.", "Use read_page to read its pages.")
        table, cells = _chosen(tables, arguments)
        asked = _within(cells, table, document)
        shown = CellRange(
            asked.first_row,
            asked.first_column,
            asked.last_row,
            min(asked.last_column, asked.first_column + MAX_COLUMNS - 1),
        )
        if asked.first_row <= table.paged:
            # What pages show is quoted from them; what comes after is another source.
            shown = shown._replace(last_row=min(shown.last_row, table.paged))
        rows = list(self._first_rows(document.id, table, shown))
        shown = shown._replace(last_row=max(rows[-1].number if rows else 0, shown.first_row))
        return Fetched(
            document=document,
            container=next((c.name for c in self._store.containers() if c.id == document.container_id), ""),
            tables=tables,
            table=table,
            asked=asked,
            shown=shown,
            rows=rows,
            excerpt=self._excerpt(document.id, table, shown, rows),
        )

    def settle(self, fetched: Fetched, arguments: ReadTableArguments, context: ToolContext) -> ToolResult:
        document, table, shown = fetched.document, fetched.table, fetched.shown
        about = _about(fetched)
        if not fetched.rows:
            return ToolResult(f"{about}\nNOTE: {shown} is empty.")
        area = (
            None
            if table.pages
            else SheetArea(
                sheet=table.name,
                first_row=shown.first_row,
                last_row=shown.last_row,
                first_column=fetched.excerpt.first_column,
                last_column=fetched.excerpt.last_column,
                header_row=table.header_row,
            )
        )
        chunk = Chunk(
            id=ChunkId(f"{chunk_id(document.id, 0)}:cells:{table.number}:{shown}"),
            document_id=document.id,
            container_id=document.container_id,
            ordinal=0,
            kind=ChunkKind.TABLE,
            text=fetched.excerpt.text,
            context=f"Cells {in_sheet(table.name, str(shown))} of {table.rows:,} rows.{_column_names(table)}",
            segments=fetched.excerpt.segments,
            area=area,
        )
        admission = context.ledger.admit(
            [Ranked(chunk, 1.0)], lambda _: Naming(document.display_name, fetched.container), context.call_id
        )
        if not admission.admitted:
            return ToolResult(f"NOTE: These cells were not given: {admission.held_back[0].reason}.")
        event = SourcesGathered(call_id=context.call_id, sources=admission.sources)
        output = f"{about}\n\n{format_blocks(admission.sources)}"
        return ToolResult(output, (event,), reached=frozenset([document.id]))

    def _first_rows(self, document_id: DocumentId, table: TableInfo, area: CellRange) -> Iterator[TableRow]:
        """Yield rows until they are as many, or as much text, as is given at once."""
        characters = 0
        for count, row in enumerate(self._tables.rows(document_id, table.number, area)):
            characters += sum(len(cell.text) + 1 for cell in row.cells)
            if count and (count >= MAX_ROWS or characters > MAX_CHARACTERS):
                return
            yield row

    def _excerpt(
        self, document_id: DocumentId, table: TableInfo, shown: CellRange, rows: Sequence[TableRow]
    ) -> Excerpt:
        if table.pages is not None:
            return self._on_pages(document_id, table, table.pages, rows)
        if shown.first_row <= table.paged:
            outlines = self._store.page_outlines(document_id)
            numbers = [page.number for page in outlines if page.area and page.area.sheet == table.name]
            pages = (self._store.page(document_id, number) for number in numbers)
            found = on_pages([page for page in pages if page is not None], shown, table.header_row)
            if found is not None:
                return found
        header: list[TableRow] = []
        if table.header_row and table.header_row < shown.first_row:
            place = shown._replace(first_row=table.header_row, last_row=table.header_row)
            header = list(self._tables.rows(document_id, table.number, place))
        first_page = next(
            (
                page.number
                for page in self._store.page_outlines(document_id)
                if page.area and page.area.sheet == table.name
            ),
            1,
        )
        return written([*header, *rows], shown, first_page)

    def _on_pages(
        self, document_id: DocumentId, table: TableInfo, pages: tuple[int, int], rows: Sequence[TableRow]
    ) -> Excerpt:
        """Return the rows of a table found on pages as these show them, under its header."""
        read = (self._store.page(document_id, number) for number in range(pages[0], pages[1] + 1))
        wanted = {row.number for row in rows}
        # Tables with one row or one column are not kept, so they are not counted.
        found = [each for each in whole_tables(page for page in read if page is not None) if len(each.rows) > 1]
        before = sum(each.pages is not None and each.pages[0] == pages[0] for each in self._earlier(document_id, table))
        whole = [each for each in found if each.columns > 1][before]
        placed = [row for row in whole.rows if row.number in wanted]
        # A header on an earlier page would make the citation open that page; the context line names the columns anyway.
        here = placed[0].place.page if placed else 0
        placed[:0] = [row for row in whole.rows[: table.header_row] if row not in placed and row.place.page == here]
        return Excerpt("\n".join(row.line for row in placed), tuple(row.place for row in placed), 1, whole.columns)

    def _earlier(self, document_id: DocumentId, table: TableInfo) -> list[TableInfo]:
        return [each for each in self._tables.tables(document_id) if each.number < table.number]


def _chosen(tables: Sequence[TableInfo], arguments: ReadTableArguments) -> tuple[TableInfo, CellRange | None]:
    """Return the table and the cells that are meant; raise CallRejected where the arguments name none."""
    name, text = arguments.sheet, (arguments.range or "").strip()
    before, separator, after = text.rpartition("!")
    if separator:
        name, text = name or before.strip("'").replace("''", "'"), after
    table = next((each for each in tables if not each.hidden), tables[0])
    if name:
        wanted = [each for each in tables if each.name == name] or [
            each for each in tables if each.name.casefold().strip() == name.casefold().strip()
        ]
        if not wanted:
            raise CallRejected(f"There is no sheet named {name!r}.", f"The sheets are: {_names(tables)}.")
        table = wanted[0]
    cells = parse_range(text) if text else None
    if text and cells is None:
        raise CallRejected(f"{text!r} names no cells.", f"Write A2:F101, B5, B:C or 5:9. The sheet holds {table.area}.")
    return table, cells


def _within(cells: CellRange | None, table: TableInfo, document: Document) -> CellRange:
    """Return the part of the range where the table holds something; raise CallRejected where there is none."""
    if cells is None:
        return table.area
    area = CellRange(
        max(cells.first_row, table.area.first_row),
        max(cells.first_column, table.area.first_column),
        min(cells.last_row, table.area.last_row),
        min(cells.last_column, table.area.last_column),
    )
    if area.first_row > area.last_row or area.first_column > area.last_column:
        raise CallRejected(
            f"{document.display_name} holds nothing there: {sheet_name(table.name) if table.name else 'its cells'} "
            f"fill {table.area}.",
            "Ask for cells within it.",
        )
    return area


# --- what is said of the cells ---------------------------------------------------------------------------------------


def _about(fetched: Fetched) -> str:
    """Say which cells are given and which are not, and what the columns hold."""
    table, shown = fetched.table, fetched.shown
    lines = [f"NOTE: {note}" for note in _notes(fetched)]
    columns = [each for each in table.columns if shown.first_column <= each.column <= shown.last_column]
    lines += ["COLUMNS:", *(f"| {neutral(_described(each))}" for each in columns)]
    formulas = [
        f"| {cell.address}: {neutral(cell.formula)}" for row in fetched.rows for cell in row.cells if cell.formula
    ]
    if formulas:
        more = len(formulas) - _FORMULAS
        lines += ["FORMULAS:", *formulas[:_FORMULAS], *([f"and {more} more"] if more > 0 else [])]
    return "\n".join(lines)


def _notes(fetched: Fetched) -> Iterator[str]:
    table, asked, shown = fetched.table, fetched.asked, fetched.shown
    what = f"Sheet {neutral(sheet_name(table.name))}" if table.name else "The file"
    if table.pages:
        what = neutral(table.name)
        columns = f"A-{column_letters(table.area.last_column)}"
        header = " The line above them is its header." if fetched.header_above else ""
        yield f"The lines below are rows {shown.first_row}-{shown.last_row}, with all columns {columns}.{header}"
    yield f"{what} fills {table.area}: {table.rows:,} rows, {len(table.columns)} columns."
    if len(fetched.tables) > 1:
        yield f"Sheets: {_names(fetched.tables)}."
    if table.hidden:
        yield "This sheet is hidden in the file. Say so where you use it."
    hidden = [column_letters(each) for each in table.hidden_columns] + [
        str(low) if low == high else f"{low}-{high}"
        for low, high in table.hidden_rows
        if low <= shown.last_row and high >= shown.first_row
    ]
    if hidden:
        yield f"Hidden in the file: {', '.join(hidden[:_NAMED])}."
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


def _column_names(table: TableInfo) -> str:
    """Name the columns of a table found on pages, whose header may stand on another page than the rows that are given."""
    names = [column.name for column in table.columns if column.name] if table.pages else []
    return f" Columns: {', '.join(names)}." if names else ""


def _described(column: ColumnStatistics) -> str:
    kinds = ", ".join(f"{count:,} {kind.value}" for kind, count in column.kinds.items()) or "nothing below the header"
    parts = [f"{column_letters(column.column)} {column.name}".rstrip() + f": {kinds}"]
    if column.smallest:
        parts.append(f"from {column.smallest} to {column.largest}")
    if column.total:
        parts.append(f"sum {column.total}")
    if column.number_format:
        parts.append(f"format {column.number_format}")
    return "; ".join(parts)


def _names(tables: Iterable[TableInfo]) -> str:
    names = [f"{neutral(each.name) or 'without a name'}{' (hidden)' if each.hidden else ''}" for each in tables]
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
