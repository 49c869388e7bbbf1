"""``read_page``: one whole page of one document, as one more source."""

from typing import NamedTuple

from pydantic import Field

from workbench.domain.chunks import Chunk, ChunkKind, Segment, chunk_id
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound
from workbench.domain.events import SourcesGathered
from workbench.domain.ids import ChunkId, DocumentId
from workbench.domain.pages import Page
from workbench.domain.sources import format_blocks
from workbench.domain.values import Value
from workbench.services.ports import LibraryStore
from workbench.services.retrieval.ledger import Naming
from workbench.services.retrieval.ranking import Ranked
from workbench.services.tools.tool import ToolContext, ToolResult


class ReadPageArguments(Value):
    document_id: DocumentId = Field(description="The id given as DOCUMENT.")
    page: int = Field(ge=1, description="The physical page, counted from 1 (the PDF number where two are given).")


class Fetched(NamedTuple):
    document: Document
    container: str
    page: Page


class ReadPage:
    name = "read_page"
    description = "Read one whole page of a document in scope, for example to see a clause that a passage cuts off."
    arguments = ReadPageArguments

    def __init__(self, store: LibraryStore) -> None:
        self._store = store

    def fetch(self, arguments: ReadPageArguments, context: ToolContext) -> Fetched:
        document = self._store.document(arguments.document_id)
        if document is None or not context.scope.admits(document):
            raise NotFound("No document with this id is in scope.", "Use an id that a search gave as DOCUMENT.")
        page = self._store.page(document.id, arguments.page)
        if page is None:
            raise NotFound(f"{document.display_name} has pages 1 to {document.page_count}.", "Choose one of them.")
        container = next((c.name for c in self._store.containers() if c.id == document.container_id), "")
        return Fetched(document, container, page)

    def settle(self, fetched: Fetched, arguments: ReadPageArguments, context: ToolContext) -> ToolResult:
        document, page = fetched.document, fetched.page
        if not page.text.strip():
            return ToolResult(
                f"NOTE: Page {page.number} of {document.display_name} has no readable text ({page.status})."
            )
        chunk = Chunk(
            id=ChunkId(f"{chunk_id(document.id, 0)}:page:{page.number}"),
            document_id=document.id,
            container_id=document.container_id,
            ordinal=0,
            kind=ChunkKind.TEXT,
            text=page.text,
            context=f"The whole page {page.number} of {document.page_count}.",
            segments=(Segment(page=page.number, start=0, end=len(page.text)),),
        )
        admission = context.ledger.admit(
            [Ranked(chunk, 1.0)], lambda _: Naming(document.display_name, fetched.container), context.call_id
        )
        if not admission.admitted:
            return ToolResult(f"NOTE: This page was not given: {admission.held_back[0].reason}.")
        event = SourcesGathered(call_id=context.call_id, sources=admission.sources)
        return ToolResult(format_blocks(admission.sources), (event,), reached=frozenset([document.id]))
