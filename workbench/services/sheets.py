"""Sheets: the cells of spreadsheets as a reader may look at them, a window at a time."""

from workbench.domain.documents import Document
from workbench.domain.errors import NotFound
from workbench.domain.ids import DocumentId
from workbench.domain.scope import Access
from workbench.domain.tables import CellRange, TableInfo
from workbench.services.library import Library
from workbench.services.ports import TableRow, TableStore

MOST_ROWS = 500
"""Rows of one window; a screen shows fewer."""


class Sheets:
    """Reads cells with the same rights as the search. Documents that are no spreadsheets have no sheets."""

    def __init__(self, library: Library, tables: TableStore) -> None:
        self._library = library
        self._tables = tables

    def of(self, access: Access, document_id: DocumentId) -> list[TableInfo]:
        """Return a spreadsheet's sheets in order; none where its cells are not kept, and its pages are all there is.

        Raises NotFound where the document is missing or not the user's.
        """
        document = self._library.document(access, document_id)
        return self._tables.tables(document.id) if self._is_spreadsheet(access, document) else []

    def rows(self, access: Access, document_id: DocumentId, number: int, first: int, last: int) -> list[TableRow]:
        """Return rows ``first`` to ``last`` of sheet ``number`` (all from 1) that hold something, at most ``MOST_ROWS``."""
        sheet = next((sheet for sheet in self.of(access, document_id) if sheet.number == number), None)
        if sheet is None:
            raise NotFound("There is no such sheet.", "Open the document again.")
        last = min(last, first + MOST_ROWS - 1)
        area = CellRange(first, sheet.area.first_column, last, sheet.area.last_column)
        return list(self._tables.rows(document_id, number, area))

    def _is_spreadsheet(self, access: Access, document: Document) -> bool:
        """Tables are found on the pages of other documents too; those are read on their pages."""
        return document.page_count > 0 and self._library.page(access, document.id, 1).area is not None
