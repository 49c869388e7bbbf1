"""``get_document``: what is known of one document, from its record and its headings."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import Field

from workbench.domain.chunks import Chunk
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound
from workbench.domain.events import DocumentDescribed
from workbench.domain.ids import DocumentId
from workbench.domain.listing import listed
from workbench.domain.markers import neutral
from workbench.domain.pages import Page
from workbench.domain.tables import TableInfo, column_letters, in_sheet
from workbench.domain.values import Value
from workbench.services.ingestion.headings import Level, heading
from workbench.services.ports import LibraryStore, TableStore
from workbench.services.tools.tool import ToolContext, ToolResult

_HEADINGS = 40
_LABELS = 30
_FIRST_LINES = 6
_LINE = 160
_TABLES = 20
_COLUMNS = 20


class GetDocumentArguments(Value):
    document_id: DocumentId = Field(description="The id given as DOCUMENT, or by find_documents.")


class Fetched(NamedTuple):
    document: Document
    container: str
    outlines: list[Page]
    first: Page | None
    chunks: list[Chunk]
    tables: list[TableInfo]


class GetDocument:
    name = "get_document"
    description = (
        "What is known of one document in scope: name, title, dates, language, tags, pages and their printed labels, pages "
        "without readable text, headings with their pages, first lines, and the size and columns of its sheets and tables. "
        "To cite what it says, search it or read a page."
    )
    arguments = GetDocumentArguments

    def __init__(self, store: LibraryStore, tables: TableStore) -> None:
        self._store = store
        self._tables = tables

    def fetch(self, arguments: GetDocumentArguments, context: ToolContext) -> Fetched:
        document = self._store.document(arguments.document_id)
        if document is None or not context.scope.admits(document):
            raise NotFound("No document with this id is in scope.", "Use an id that a search or find_documents gave.")
        return Fetched(
            document=document,
            container=next((c.name for c in self._store.containers() if c.id == document.container_id), ""),
            outlines=self._store.page_outlines(document.id),
            first=self._store.page(document.id, _first_with_text(document)),
            chunks=self._store.document_chunks(document.id),
            tables=self._tables.tables(document.id),
        )

    def settle(self, fetched: Fetched, arguments: GetDocumentArguments, context: ToolContext) -> ToolResult:
        event = DocumentDescribed(call_id=context.call_id, document=listed(fetched.document))
        return ToolResult(_described(fetched), (event,))


def _first_with_text(document: Document) -> int:
    pages = range(1, document.page_count + 1)
    return next((number for number in pages if number not in document.pages_without_text), 1)


def _described(fetched: Fetched) -> str:
    document = fetched.document
    fields = {
        "DOCUMENT": document.id,
        "NAME": document.display_name,
        "TITLE": document.title or "none",
        "CONTAINER": fetched.container,
        "TAGS": "; ".join(f"{tag.key}: {tag.value}" for tag in document.tags) or "none",
        "DATE": str(document.dated or "unknown"),
        "UPLOADED": f"{document.uploaded_at:%Y-%m-%d}",
        "LANGUAGE": document.language or "unknown",
        "PAGES": str(document.page_count),
        "PRINTED LABELS": _labels(fetched.outlines),
        "PAGES WITHOUT TEXT": _shortened([str(number) for number in document.pages_without_text], ", ") or "none",
    }
    lines = [f"{name}: {' '.join(neutral(value).split())}" for name, value in fields.items()]
    lines += ["HEADINGS:", *(_quoted(_headings(fetched.chunks)) or ["none found"])]
    lines += ["TABLES:", *_quoted(_tables(fetched.tables))] if fetched.tables else []
    lines += ["FIRST LINES:", *(_quoted(_first_lines(fetched.first)) or ["none"])]
    return "\n".join(lines)


def _labels(outlines: Iterable[Page]) -> str:
    """Return the labels that differ from the page's number: "PDF 1 = i"."""
    differing = [f"PDF {page.number} = {page.label}" for page in outlines if page.label not in (None, str(page.number))]
    return _shortened(differing, ", ") or "as counted"


def _headings(chunks: Iterable[Chunk]) -> list[str]:
    """Return the headings of parts and sections with their pages, each once, where it stands first."""
    found: dict[str, str] = {}
    for chunk in chunks:
        offset = 0
        for paragraph in chunk.text.split("\n\n"):
            title = heading(paragraph)
            if title is not None and title.numbered and title.level is not Level.CLAUSE and not title.bare:
                spans = chunk.on_pages(offset, offset + 1)
                page = spans[0].page if spans else chunk.first_page
                found.setdefault(title.text, f"p. {page}: {title.text}")
            offset += len(paragraph) + 2
    return _first_of(list(found.values()), _HEADINGS)


def _tables(tables: Iterable[TableInfo]) -> list[str]:
    """Return a line for each sheet and table: where its cells are, how many rows, and what its columns are called."""
    return _first_of([_table(each) for each in tables], _TABLES)


def _table(table: TableInfo) -> str:
    names = _first_of([f"{column_letters(each.column)} {each.name}".rstrip() for each in table.columns], _COLUMNS)
    hidden = ", hidden in the file" if table.hidden else ""
    return f"{in_sheet(table.name, str(table.area))}{hidden}: {table.rows:,} rows; columns {', '.join(names)}"


def _first_lines(page: Page | None) -> list[str]:
    lines = [line.strip() for line in page.text.splitlines() if line.strip()] if page else []
    return [line if len(line) <= _LINE else line[: _LINE - 1].rstrip() + "…" for line in lines[:_FIRST_LINES]]


def _quoted(lines: Iterable[str]) -> list[str]:
    return [f"| {neutral(line)}" for line in lines]


def _shortened(parts: Sequence[str], separator: str) -> str:
    return separator.join(_first_of(parts, _LABELS))


def _first_of(parts: Sequence[str], count: int) -> list[str]:
    """Return the first ``count`` parts, and how many there are besides."""
    more = len(parts) - count
    return [*parts[:count], *([f"and {more} more"] if more > 0 else [])]
