"""Cells that a call names by document, sheet and range: found in the user's scope, and made into a source."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from workbench.domain.chunks import Chunk, ChunkKind, chunk_id
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound
from workbench.domain.ids import ChunkId, DocumentId
from workbench.domain.markers import neutral
from workbench.domain.page_tables import whole_tables
from workbench.domain.scope import Scope
from workbench.domain.tables import CellRange, SheetArea, TableInfo, in_sheet, parse_range, sheet_name
from workbench.services.ports import LibraryStore, TableRow, TableStore
from workbench.services.tools.table_text import Excerpt, on_pages, written
from workbench.services.tools.tool import CallRejected

_NAMED = 30


class Place(NamedTuple):
    """A table in scope, and the part of it that a call asks for. ``tables`` are all of the document."""

    document: Document
    container: str
    tables: list[TableInfo]
    table: TableInfo
    asked: CellRange

    @property
    def label(self) -> str:
        """Where the cells are, for people: sheet and cells, or the name of a table found on pages."""
        return self.table.name if self.table.pages else in_sheet(self.table.name, str(self.asked))


class Cells:
    """Finds cells, and writes them as text that can be cited."""

    def __init__(self, store: LibraryStore, tables: TableStore) -> None:
        self._store = store
        self._tables = tables

    def find(self, scope: Scope, document_id: DocumentId, sheet: str | None, cells: str | None) -> Place:
        """Return the place of the cells.

        Raises NotFound where the document is not in scope or holds no tables, CallRejected where sheet or range name none.
        """
        document = self._store.document(document_id)
        if document is None or not scope.admits(document):
            raise NotFound("No document with this id is in scope.", "Use an id that a search or find_documents gave.")
        tables = self._tables.tables(document.id)
        if not tables:
            raise NotFound(f"No tables are kept of {document.display_name}.", "Use read_page to read its pages.")
        table, area = _chosen(tables, sheet, cells)
        container = next((c.name for c in self._store.containers() if c.id == document.container_id), "")
        return Place(document, container, tables, table, _within(area, table, document))

    def rows(self, place: Place, area: CellRange) -> Iterator[TableRow]:
        """Yield the rows of the table that hold something within ``area``."""
        return self._tables.rows(place.document.id, place.table.number, area)

    def excerpt(self, place: Place, shown: CellRange, rows: Sequence[TableRow]) -> Excerpt:
        """Return rows as the pages of the document show them, or as we write them where none does."""
        document_id, table = place.document.id, place.table
        if table.pages is not None:
            return self._on_pages(document_id, table, table.pages, rows)
        outlines = self._store.page_outlines(document_id)
        numbers = [page.number for page in outlines if page.area and page.area.sheet == table.name]
        if shown.first_row <= table.paged:
            pages = (self._store.page(document_id, number) for number in numbers)
            found = on_pages([page for page in pages if page is not None], shown, table.header_row)
            if found is not None:
                return found
        header: list[TableRow] = []
        if table.header_row and table.header_row < shown.first_row:
            line = shown._replace(first_row=table.header_row, last_row=table.header_row)
            header = list(self.rows(place, line))
        return written([*header, *rows], shown, next(iter(numbers), 1))

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


def cells_chunk(place: Place, excerpt: Excerpt, shown: CellRange, *, stands_for: CellRange | None = None) -> Chunk:
    """Return the cells as a passage. ``stands_for`` are more cells than its text shows: those that it is cited for."""
    document, table = place.document, place.table
    whole = stands_for is None or stands_for == shown
    cited = shown if stands_for is None else stands_for
    area = SheetArea(
        sheet=table.name,
        first_row=cited.first_row,
        last_row=cited.last_row,
        first_column=excerpt.first_column if whole else cited.first_column,
        last_column=excerpt.last_column if whole else cited.last_column,
        header_row=table.header_row,
    )
    part = "" if whole else f" The first lines of them, to row {shown.last_row}."
    return Chunk(
        id=ChunkId(f"{chunk_id(document.id, 0)}:{'cells' if whole else 'input'}:{table.number}:{cited}"),
        document_id=document.id,
        container_id=document.container_id,
        ordinal=0,
        kind=ChunkKind.TABLE,
        text=excerpt.text,
        context=f"Cells {in_sheet(table.name, str(cited))} of {table.rows:,} rows.{part}{_column_names(table)}",
        segments=excerpt.segments,
        area=None if table.pages else area,
    )


def table_names(tables: Iterable[TableInfo]) -> str:
    """Name the tables of a document, the first of them where they are many."""
    names = [f"{neutral(each.name) or 'without a name'}{' (hidden)' if each.hidden else ''}" for each in tables]
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _column_names(table: TableInfo) -> str:
    """Name the columns of a table found on pages, whose header may stand on another page than the rows that are given."""
    names = [column.name for column in table.columns if column.name] if table.pages else []
    return f" Columns: {', '.join(names)}." if names else ""


def _chosen(tables: Sequence[TableInfo], sheet: str | None, cells: str | None) -> tuple[TableInfo, CellRange | None]:
    """Return the table and the cells that are meant; raise CallRejected where the arguments name none."""
    name, text = sheet, (cells or "").strip()
    before, separator, after = text.rpartition("!")
    if separator:
        name, text = name or before.strip("'").replace("''", "'"), after
    table = next((each for each in tables if not each.hidden), tables[0])
    if name:
        wanted = [each for each in tables if each.name == name] or [
            each for each in tables if each.name.casefold().strip() == name.casefold().strip()
        ]
        if not wanted:
            raise CallRejected(f"There is no sheet named {name!r}.", f"The sheets are: {table_names(tables)}.")
        table = wanted[0]
    area = parse_range(text) if text else None
    if text and area is None:
        raise CallRejected(f"{text!r} names no cells.", f"Write A2:F101, B5, B:C or 5:9. The sheet holds {table.area}.")
    return table, area


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
