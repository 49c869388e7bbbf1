"""A library and conversations in memory, and their deletion, run when the test says so."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_conversations import MemoryConversationStore
from workbench.adapters.fakes.memory_gaps import MemoryGapStore
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_receipts import MemoryReceiptStore
from workbench.adapters.fakes.memory_tables import MemoryTables
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.domain.budgets import Profile
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.conversations import Conversation, Turn
from workbench.domain.deletions import Fate, ProviderObject, Receipt, What
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.errors import PinciteError
from workbench.domain.events import ResponseCreated
from workbench.domain.ids import ContainerId, ConversationId, DocumentId, ReceiptId, TurnId, UserId
from workbench.domain.items import Item
from workbench.domain.pages import Page
from workbench.domain.results import TurnStatus
from workbench.domain.rights import Access, Role
from workbench.domain.tables import CellRange, Table, TableInfo
from workbench.services.conversations import Conversations
from workbench.services.deletion.conversations import ConversationPlan
from workbench.services.deletion.deletion import Deletion
from workbench.services.deletion.documents import DocumentPlan
from workbench.services.library import Library
from workbench.services.ports import KeywordRow, PageImage, VectorRow

LEGAL, SALES = ContainerId("ctr_legal"), ContainerId("ctr_sales")
ANA = Access(user_id=UserId("ana"), containers=frozenset([LEGAL]), roles={LEGAL: Role.OWNER})
EVE = Access(user_id=UserId("eve"), containers=frozenset([SALES]), roles={SALES: Role.OWNER})
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
HERE = "https://api.example/v1#gpt-test#chain"


class Killed(BaseException):
    """The process is gone: nothing catches this."""


class Pictures:
    """A renderer that keeps pictures by the hash of their file."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}

    def image(self, pdf: Path, page: int, width: int) -> PageImage:
        raise AssertionError("nothing is drawn here")

    def kept(self, content_hash: str) -> int:
        return self.held.get(content_hash, 0)

    def clear(self, content_hash: str) -> None:
        self.held.pop(content_hash, None)


class Provider:
    """Keeps objects by id; ``refusing`` names the words with which it does not delete one."""

    def __init__(self) -> None:
        self.held: set[str] = set()
        self.asked: list[str] = []
        self.refusing: dict[str, PinciteError] = {}

    def keeps(self, provider: str) -> bool:
        return provider == HERE

    def delete(self, kept: ProviderObject) -> Fate:
        self.asked.append(kept.id)
        if kept.id in self.refusing:
            raise self.refusing[kept.id]
        if kept.id not in self.held:
            return Fate.ALREADY_GONE
        self.held.discard(kept.id)
        return Fate.DELETED


class StepByStep:
    """A runner that makes an attempt where it is asked for, in the caller's thread, and none by itself."""

    def __init__(self) -> None:
        self.work: Callable[[ReceiptId], Receipt]

    def submit(self, receipt_id: ReceiptId) -> None:
        self.work(receipt_id)

    def wait(self, receipt_id: ReceiptId, seconds: float) -> bool:
        return True

    def close(self) -> None:
        """Nothing is under way."""


class World:
    """Every store, and the use case over them. The stores outlive the process; :meth:`restart` makes the rest anew."""

    def __init__(self) -> None:
        self.clock = FixedClock()
        self.store = MemoryLibraryStore()
        self.vectors = MemoryVectors()
        self.keywords = MemoryKeywords()
        self.tables = MemoryTables()
        self.blobs = MemoryBlobs()
        self.pictures = Pictures()
        self.talks = MemoryConversationStore()
        self.gaps = MemoryGapStore()
        self.receipts = MemoryReceiptStore()
        self.provider = Provider()
        self.letting_go = True
        self.ended: list[ConversationId] = []
        self.when_ended: Callable[[ConversationId], None] = self.ended.append
        self._numbers = count(1)
        for container_id, name in ((LEGAL, "Legal"), (SALES, "Sales")):
            self.store.add_container(Container(id=container_id, name=name, created_at=NOON))
        self.deletion = self.restart()

    def restart(self) -> Deletion:
        """Begin again with what is stored, as another process would."""
        self.library = Library(self.store, self.vectors, self.keywords, self.blobs, self.pictures, self.clock)
        runner = StepByStep()
        self.deletion = Deletion(
            library=self.library,
            conversations=Conversations(self.talks, self.clock),
            receipts=self.receipts,
            document_plan=DocumentPlan(
                library=self.library,
                store=self.store,
                vectors=self.vectors,
                keywords=self.keywords,
                tables=self.tables,
                blobs=self.blobs,
                renderer=self.pictures,
                let_go=lambda _: self.letting_go,
            ),
            conversation_plan=ConversationPlan(
                store=self.talks,
                gaps=self.gaps,
                providers=[self.provider],
                end_turns=lambda _, talk: self.when_ended(talk),
            ),
            clock=self.clock,
            runner=runner,
        )
        runner.work = self.deletion.attempt
        return self.deletion

    def put(self, name: str, data: bytes, canonical: bytes | None = None, **values: Any) -> Document:
        """Store a ready document of two pages and a table, with three rows in each index and four pictures."""
        number = next(self._numbers)
        content_hash = self.blobs.put(data)
        canonical_hash = content_hash if canonical is None else self.blobs.put(canonical)
        document = Document(
            id=DocumentId(f"doc_{number}"),
            name=name,
            state=DocumentState.READY,
            content_hash=content_hash,
            canonical_hash=canonical_hash,
            page_count=2,
            chunk_count=3,
            uploaded_at=NOON,
            **({"container_id": LEGAL} | values),
        )
        self.store.save_document(document)
        self.store.save_pages(document.id, [Page(number=1, text="Text."), Page(number=2, text="1\t2")])
        rates = TableInfo(number=1, name="Rates", rows=1, cells=2, area=CellRange(1, 1, 1, 2))
        self.tables.save(document.id, [Table(info=rates, parts=())])
        chunks = [_chunk(document, ordinal) for ordinal in range(3)]
        self.store.save_chunks(document.id, chunks)
        self.index(document)
        self.pictures.held[canonical_hash] = 4
        return document

    def index(self, document: Document) -> None:
        """Write the rows of a document into both indexes."""
        ids = [chunk_id(document.id, ordinal) for ordinal in range(3)]
        self.vectors.upsert(document.container_id, [VectorRow(each, document.id, [1.0]) for each in ids])
        self.keywords.upsert(document.container_id, [KeywordRow(each, document.id, "heron") for each in ids])

    def rows(self, document: Document) -> tuple[int, int]:
        """Count the rows in the vector index and in the keyword index."""
        return (
            self.vectors.count(document.container_id, document.id),
            self.keywords.count(document.container_id, document.id),
        )

    def has_file(self, content_hash: str) -> bool:
        try:
            return self.blobs.path(content_hash).is_file()
        except PinciteError:
            return False

    def is_gone(self, document: Document) -> bool:
        """Tell whether nothing at all is left of a document."""
        return (
            self.store.document(document.id) is None
            and not self.store.page_outlines(document.id)
            and not self.store.document_chunks(document.id)
            and self.rows(document) == (0, 0)
            and not self.tables.tables(document.id)
            and not self.has_file(document.content_hash)
            and not self.has_file(document.canonical_hash)
            and not self.pictures.kept(document.canonical_hash)
        )

    def talk(self, *turns: tuple[Sequence[str], Sequence[Item]], provider: str = HERE) -> Conversation:
        """Store a conversation of Ana's; each turn has responses, which the provider keeps, and items."""
        conversation_id = ConversationId(f"conv_{next(self._numbers)}")
        conversation = Conversation(id=conversation_id, user_id=ANA.user_id, created_at=NOON, updated_at=NOON)
        self.talks.save_conversation(conversation)
        for number, (responses, items) in enumerate(turns, 1):
            turn = Turn(
                id=TurnId(f"{conversation_id}_{number}"),
                conversation_id=conversation_id,
                number=number,
                question="What is the rate?",
                containers=(LEGAL,),
                profile=Profile.QUICK,
                model="gpt-test",
                provider=provider,
                status=TurnStatus.ANSWERED,
                response_ids=tuple(responses[-1:]),
                items=tuple(items),
                started_at=NOON,
            )
            self.talks.add_turn(turn)
            created = [ResponseCreated(seq=seq, number=seq, response_id=each) for seq, each in enumerate(responses, 1)]
            self.talks.append_events(turn.id, created)
            self.provider.held.update(responses)
        return conversation


def fates(receipt: Receipt, subject: str | None = None) -> dict[What, Fate]:
    """The fates of a receipt by kind, of one subject or of the only one."""
    return {item.what: item.fate for item in receipt.items if subject in (None, item.subject)}


def _chunk(document: Document, ordinal: int) -> Chunk:
    return Chunk(
        id=chunk_id(document.id, ordinal),
        document_id=document.id,
        container_id=document.container_id,
        ordinal=ordinal,
        text="heron",
        segments=(Segment(page=1, start=0, end=5),),
    )


@pytest.fixture
def world() -> World:
    return World()
