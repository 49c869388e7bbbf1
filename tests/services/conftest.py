"""A small library in memory and a loop over it, driven by a scripted model."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import pytest

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_conversations import MemoryConversationStore
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_tables import MemoryTables
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.adapters.fakes.plain_sandbox import PlainSandbox
from workbench.domain.budgets import DEFAULT_PROFILES, Limits, Profile
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.conversations import Thread
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.events import BaseEvent, Event, TurnFinished
from workbench.domain.ids import ContainerId, ConversationId, DocumentId, TurnId, UserId
from workbench.domain.items import Item
from workbench.domain.pages import Page
from workbench.domain.scope import Access, Filters, build_scope
from workbench.domain.tags import Tag
from workbench.services.agent.loop import TurnRun, TurnSetup
from workbench.services.agent.prompt import load_prompt
from workbench.services.agent.turns import Turns
from workbench.services.conversations import Conversations
from workbench.services.ports import KeywordRow, Model, VectorRow
from workbench.services.retrieval.ledger import Ledger
from workbench.services.retrieval.search import Search
from workbench.services.tools.registry import ToolRegistry

CONTRACTS = ContainerId("cont_contracts")
PRIVATE = ContainerId("cont_private")
ACCESS = Access(user_id=UserId("ana"), containers=frozenset([CONTRACTS]))
QUESTION = "What are the payment terms of Orbex?"

TEXTS = {
    "orbex.pdf": (
        "Orbex Cloud Agreement. Definitions and interpretation of this agreement between the parties.",
        "7.1 Payment terms. The Customer shall pay each undisputed invoice within 45 days of receipt.",
        "9.2 Liability cap. The liability of either party shall not exceed EUR 500,000 in any contract year.",
    ),
    "nordwand.pdf": (
        "Nordwand Logistics Contract. Recitals and background.",
        "4. Payment. Invoices fall due thirty days after the invoice date without deduction.",
    ),
}
E = TypeVar("E", bound=BaseEvent)
SECRET = "The secret payment terms of the board are 90 days."


class Bench(NamedTuple):
    """Everything a test of the agent needs."""

    library: MemoryLibraryStore
    search: Search
    registry: ToolRegistry
    clock: FixedClock
    documents: dict[str, DocumentId]
    tables: MemoryTables
    sandbox: PlainSandbox

    def run(
        self,
        model: Model,
        question: str = QUESTION,
        *,
        limits: Limits | None = None,
        thread: Thread | None = None,
        history: Sequence[Item] = (),
        stop: Callable[[], bool] = lambda: False,
        filters: Filters | None = None,
    ) -> "Ran":
        """Run one turn to its end."""
        limits = limits or DEFAULT_PROFILES[Profile.QUICK].limits
        setup = TurnSetup(
            turn_id=TurnId("turn_1"),
            conversation_id=ConversationId("conv_1"),
            question=question,
            scope=build_scope(ACCESS, [CONTRACTS], filters),
            containers=("Contracts",),
            filters=filters or Filters(),
            profile=Profile.QUICK,
            limits=limits,
            effort="low",
            instructions="Answer with sources.",
            prompt_version="test-1",
            thread=thread or Thread(),
            history=tuple(history),
        )
        ledger = Ledger(limits.chunks, lambda document, numbers: {})
        run = TurnRun(setup, model, self.registry.toolbelt(), ledger, self.clock, stop)
        return Ran(run, list(run.events()))


class Ran(NamedTuple):
    run: TurnRun
    events: list[Event]

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def end(self) -> TurnFinished:
        last = self.events[-1]
        assert isinstance(last, TurnFinished)
        return last


def put(bench: "Stores", container: ContainerId, name: str, texts: Sequence[str]) -> DocumentId:
    document_id = DocumentId(f"doc_{name.partition('.')[0]}")
    supplier = Tag(key="supplier", value=name.partition(".")[0].title())
    bench.library.save_document(
        Document(
            id=document_id,
            container_id=container,
            name=name,
            tags=(supplier,),
            state=DocumentState.READY,
            page_count=len(texts),
            uploaded_at=bench.clock.now(),
        )
    )
    pages = [Page(number=number, text=text) for number, text in enumerate(texts, 1)]
    bench.library.save_pages(document_id, pages)
    chunks = [
        Chunk(
            id=chunk_id(document_id, page.number),
            document_id=document_id,
            container_id=container,
            ordinal=page.number,
            text=page.text,
            segments=(Segment(page=page.number, start=0, end=len(page.text)),),
        )
        for page in pages
    ]
    bench.library.save_chunks(document_id, chunks)
    vectors = bench.embedder.embed_passages([chunk.text for chunk in chunks])
    bench.vectors.upsert(
        container, [VectorRow(chunk.id, document_id, vector) for chunk, vector in zip(chunks, vectors, strict=True)]
    )
    bench.keywords.upsert(container, [KeywordRow(chunk.id, document_id, chunk.text) for chunk in chunks])
    return document_id


class Stores(NamedTuple):
    library: MemoryLibraryStore
    vectors: MemoryVectors
    keywords: MemoryKeywords
    embedder: HashingEmbedder
    clock: FixedClock
    tables: MemoryTables


@pytest.fixture
def stores() -> Stores:
    """Empty stores; what a test puts there before it asks, its ``bench`` finds."""
    return Stores(
        MemoryLibraryStore(), MemoryVectors(), MemoryKeywords(), HashingEmbedder(), FixedClock(), MemoryTables()
    )


@pytest.fixture
def bench(stores: Stores) -> Bench:
    for container, name in ((CONTRACTS, "Contracts"), (PRIVATE, "Board")):
        stores.library.add_container(Container(id=container, name=name, created_at=stores.clock.now()))
    documents = {name: put(stores, CONTRACTS, name, texts) for name, texts in TEXTS.items()}
    documents["secret.pdf"] = put(stores, PRIVATE, "secret.pdf", [SECRET])
    search = Search(stores.library, stores.vectors, stores.keywords, stores.embedder)
    sandbox = PlainSandbox()
    registry = ToolRegistry(search, stores.library, stores.clock, stores.tables, sandbox)
    return Bench(stores.library, search, registry, stores.clock, documents, stores.tables, sandbox)


class Asking(NamedTuple):
    """The use case of asking, over a store of conversations."""

    turns: Turns
    conversations: Conversations
    store: MemoryConversationStore


@pytest.fixture
def asking(bench: Bench) -> Callable[..., Asking]:
    """Return a function that makes the use case for a model; ``options`` go to Turns, or are a store to go on with."""

    def make(model: Model, **options: Any) -> Asking:
        given = {"clock": bench.clock, "store": MemoryConversationStore(), "profiles": DEFAULT_PROFILES} | options
        conversations = Conversations(given["store"], given["clock"])
        turns = Turns(
            conversations=conversations,
            library=bench.library,
            search=bench.search,
            registry=bench.registry,
            model=model,
            prompt=load_prompt(),
            **given,
        )
        return Asking(turns, conversations, given["store"])

    return make
