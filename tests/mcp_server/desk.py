"""A workbench in memory with a few documents, for the tests and for the processes that they start."""

from pathlib import Path
from typing import Any

from workbench import bootstrap
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.fixed_language import FixedLanguage
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_conversations import MemoryConversationStore
from workbench.adapters.fakes.memory_evals import MemoryEvalStore
from workbench.adapters.fakes.memory_gaps import MemoryGapStore
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_receipts import MemoryReceiptStore
from workbench.adapters.fakes.memory_tables import MemoryTables
from workbench.adapters.fakes.memory_tokens import MemoryTokenStore
from workbench.adapters.fakes.memory_users import MemoryUserStore
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import call, say
from workbench.bootstrap import Workbench
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import DocumentId, UserId
from workbench.domain.pages import Page
from workbench.domain.people import LOCAL_USER
from workbench.services.ports import KeywordRow, VectorRow
from workbench.settings import Settings

SUPPLY = (
    "Supply Agreement between Tarn Foods and the Buyer.",
    "1. Payment. The Buyer shall pay each invoice within 21 days of its date.",
    "2. Liability. The liability of the Supplier shall not exceed EUR 75,000 in a year.",
)
LEASE = ("Lease of the mill. The rent of 4,200 euros is due on the third day of each month.",)
MINUTES = ("Minutes of the board. The secret payment for Corvid Mills is due in May: 9 million euros.",)
SEARCH = call(
    "search_documents",
    query="pay invoice within days",
    document_ids=None,
    tags=None,
    language=None,
    date_from=None,
    date_to=None,
    period=None,
)
ANSWER = say("The Buyer shall pay each invoice within 21 days of its date [S1].")


def put(bench: Workbench, stores: dict[str, Any], user: UserId, container: str, name: str, texts: Any) -> Document:
    """Store a document as ingestion would, a passage a page."""
    home = bench.library.ensure_container(bench.library.access(user), container).id
    document = Document(
        id=DocumentId(f"doc_{name.partition('.')[0]}"),
        container_id=home,
        name=name,
        state=DocumentState.READY,
        page_count=len(texts),
        uploaded_at=stores["clock"].now(),
    )
    pages = [Page(number=number, text=text) for number, text in enumerate(texts, 1)]
    chunks = [
        Chunk(
            id=chunk_id(document.id, page.number),
            document_id=document.id,
            container_id=home,
            ordinal=page.number,
            text=page.text,
            segments=(Segment(page=page.number, start=0, end=len(page.text)),),
        )
        for page in pages
    ]
    library = stores["library_store"]
    library.save_document(document)
    library.save_pages(document.id, pages)
    library.save_chunks(document.id, chunks)
    vectors = stores["embedder"].embed_passages([chunk.text for chunk in chunks])
    rows = [VectorRow(chunk.id, document.id, vector) for chunk, vector in zip(chunks, vectors, strict=True)]
    stores["vectors"].upsert(home, rows)
    stores["keywords"].upsert(home, [KeywordRow(chunk.id, document.id, chunk.text) for chunk in chunks])
    return document


def make_stores() -> dict[str, Any]:
    clock = FixedClock()
    return {
        "clock": clock,
        "embedder": HashingEmbedder(),
        "library_store": MemoryLibraryStore(),
        "conversation_store": MemoryConversationStore(),
        "receipt_store": MemoryReceiptStore(),
        "gap_store": MemoryGapStore(),
        "eval_store": MemoryEvalStore(),
        "user_store": MemoryUserStore(),
        "token_store": MemoryTokenStore(),
        "blobs": MemoryBlobs(),
        "vectors": MemoryVectors(),
        "keywords": MemoryKeywords(),
        "tables": MemoryTables(),
        "languages": FixedLanguage("en"),
        "jobs": MemoryJobs(clock),
    }


def build(home: Path, **options: Any) -> Workbench:
    """Build a workbench with two documents of the local user and a model that answers one question."""
    stores = make_stores()
    model = ScriptedModel([SEARCH, ANSWER], **options)
    bench = bootstrap.build(Settings(home=home, sandbox="off"), model=model, **stores)
    put(bench, stores, LOCAL_USER, "Food", "tarn_supply.pdf", SUPPLY)
    put(bench, stores, LOCAL_USER, "Leases", "mill_lease.pdf", LEASE)
    return bench
