"""A small workbench in memory with two users, and clients of the SDK in this process."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from mcp import Client as McpClient

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
from workbench.bootstrap import Workbench
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.clients import Client
from workbench.domain.conversations import Turn
from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import DocumentId, UserId
from workbench.domain.pages import Page
from workbench.domain.people import LOCAL_USER, Identity
from workbench.mcp_server.server import make_server
from workbench.services.ports import KeywordRow, VectorRow
from workbench.settings import Settings

SUPPLY = (
    "Supply Agreement between Tarn Foods and the Buyer.",
    "1. Payment. The Buyer shall pay each invoice within 21 days of its date.",
    "2. Liability. The liability of the Supplier shall not exceed EUR 75,000 in a year.",
)
LEASE = ("Lease of the mill. The rent of 4,200 euros is due on the third day of each month.",)
MINUTES = ("Minutes of the board. The secret payment for Corvid Mills is due in May: 9 million euros.",)


class Desk(NamedTuple):
    """The workbench, its clock, and what is in it: ``minutes`` is of another user."""

    bench: Workbench
    clock: FixedClock
    stores: dict[str, Any]
    other: UserId
    supply: Document
    lease: Document
    minutes: Document

    def client(self, **changes: Any) -> Client:
        return Client(name="desk tool", user_id=LOCAL_USER).model_copy(update=changes)

    def connected(self, client: Client | None = None, mode: str = "auto", **options: Any) -> McpClient:
        """A client of the SDK in this process."""
        server = make_server(lambda: self.bench, lambda _context: client or self.client())
        return McpClient(server, mode=mode, raise_exceptions=True, **options)

    def traced(self) -> list[Turn]:
        """The stored turns of the local user."""
        access = self.bench.library.access(LOCAL_USER)
        talks = self.bench.conversations.list(access)
        return [turn for talk in talks for turn in self.bench.conversations.turns(access, talk.id)]

    def events(self, turn: Turn) -> list[Any]:
        return self.bench.turns.events(self.bench.library.access(LOCAL_USER), turn.id)


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


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Return a function that builds a workbench for a script of the model, or a model; others are settings or parts."""
    made: list[tuple[Workbench, MemoryJobs]] = []

    def build(steps: Any = (), sandbox: Any = None, **settings: Any) -> Desk:
        model = steps if hasattr(steps, "stream") else ScriptedModel(steps)
        stores = make_stores()
        parts = stores | ({} if sandbox is None else {"sandbox": sandbox})
        given = Settings(home=tmp_path / "home", sandbox="off", **settings)
        bench = bootstrap.build(given, model=model, **parts)
        made.append((bench, stores["jobs"]))
        clock = stores["clock"]
        other = bench.people.sign_in(Identity(issuer="https://id.example", subject="bo", signed_in_at=clock.now())).id
        return Desk(
            bench=bench,
            clock=clock,
            stores=stores,
            other=other,
            supply=put(bench, stores, LOCAL_USER, "Food", "tarn_supply.pdf", SUPPLY),
            lease=put(bench, stores, LOCAL_USER, "Leases", "mill_lease.pdf", LEASE),
            minutes=put(bench, stores, other, "Board", "minutes.pdf", MINUTES),
        )

    yield build
    for bench, jobs in made:
        bench.close()
        jobs.close()
