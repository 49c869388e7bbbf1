"""Documents with dates, languages and tags on a shelf, for tests of listings and of the tools over them."""

from collections.abc import Iterable
from datetime import date

from tests.services.conftest import CONTRACTS
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.pages import Page
from workbench.domain.tags import parse_tag


def shelve(
    store: MemoryLibraryStore,
    name: str,
    *,
    container: ContainerId = CONTRACTS,
    dated: date | None = None,
    language: str | None = None,
    tags: Iterable[str] = (),
    title: str = "",
    pages: Iterable[str] = (),
    state: DocumentState = DocumentState.READY,
    hidden: bool = False,
) -> DocumentId:
    """Put a document on the shelf; its id is ``doc_`` and the name without its suffix."""
    document_id = DocumentId(f"doc_{name.partition('.')[0]}")
    texts = list(pages)
    document = Document(
        id=document_id,
        container_id=container,
        name=name,
        title=title,
        dated=dated,
        language=language,
        tags=tuple(parse_tag(tag) for tag in tags),
        state=state,
        hidden=hidden,
        page_count=len(texts),
        pages_without_text=tuple(number for number, text in enumerate(texts, 1) if not text),
        uploaded_at=FixedClock().now(),
    )
    store.save_document(document)
    store.save_pages(document_id, [Page(number=number, text=text) for number, text in enumerate(texts, 1)])
    store.save_chunks(
        document_id,
        [
            Chunk(
                id=chunk_id(document_id, ordinal),
                document_id=document_id,
                container_id=container,
                ordinal=ordinal,
                text=text,
                segments=(Segment(page=ordinal + 1, start=0, end=len(text)),),
            )
            for ordinal, text in enumerate(texts)
        ],
    )
    return document_id
