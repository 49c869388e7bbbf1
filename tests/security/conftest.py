"""A workbench with several containers, each with a secret of its own, and everything that can be had of them by an id."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_tables import MemoryTables
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.sql.conversations import SqlConversationStore
from workbench.adapters.sql.engine import open_database
from workbench.adapters.sql.gaps import SqlGapStore
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.adapters.sql.receipts import SqlReceiptStore
from workbench.adapters.sql.users import SqlUserStore
from workbench.domain.budgets import DEFAULT_PROFILES, Profile
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.citations import CitedAnswer
from workbench.domain.conversations import Conversation, Turn
from workbench.domain.deletions import Receipt
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.events import TurnStarted
from workbench.domain.gaps import Gap, GapOrigin, GapReason
from workbench.domain.ids import ContainerId, ConversationId, DocumentId, GapId, ReceiptId, TurnId, UserId
from workbench.domain.pages import Page
from workbench.domain.people import Member, User
from workbench.domain.results import TurnStatus
from workbench.domain.rights import Role
from workbench.domain.tags import Tag
from workbench.services.ports import KeywordRow, PageImage, VectorRow
from workbench.settings import Settings

NOON = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)
SECRETS = ("quicksilver", "marmalade", "thunderclap")
"""One word for each container: it stands in everything that is derived from its documents, and nowhere else."""
USERS = tuple(UserId(name) for name in ("ana", "ben", "cleo"))


class Ids(NamedTuple):
    """Everything that can be asked for by an id and belongs to one container, or to one user's talk about it."""

    container: ContainerId
    document: DocumentId
    receipt: ReceiptId
    gap: GapId
    conversation: ConversationId
    turn: TurnId
    speaker: UserId


def ids(secret: str, speaker: UserId = USERS[0]) -> Ids:
    """Return the ids that belong to a secret; they do not hold it."""
    mark = str(SECRETS.index(secret)) if secret in SECRETS else "none"
    return Ids(
        ContainerId(f"con_{mark}"),
        DocumentId(f"doc_{mark}"),
        ReceiptId(f"rcpt_{mark}"),
        GapId(f"gap_{mark}"),
        ConversationId(f"conv_{mark}"),
        TurnId(f"turn_{mark}"),
        speaker,
    )


class Pictures:
    """Draws a page as the bytes of its file."""

    def image(self, pdf: Path, page: int, width: int) -> PageImage:
        return PageImage(pdf.read_bytes(), "image/png")

    def clear(self, content_hash: str) -> None:
        return

    def kept(self, content_hash: str) -> int:
        return 0


class World:
    """The workbench and the stores behind it."""

    def __init__(self, home: Path) -> None:
        self.database = open_database(f"sqlite:///{home / 'pincite.db'}")
        self.library = SqlLibraryStore(self.database)
        self.users = SqlUserStore(self.database)
        self.conversations = SqlConversationStore(self.database)
        self.receipts = SqlReceiptStore(self.database)
        self.gaps = SqlGapStore(self.database)
        self.vectors, self.keywords, self.embedder = MemoryVectors(), MemoryKeywords(), HashingEmbedder()
        self.blobs = MemoryBlobs()
        for user in USERS:
            self.users.save_user(User(id=user, name="Kim Lee", email=f"{user}@example.com", created_at=NOON))
        for number, secret in enumerate(SECRETS):
            self._fill(secret, USERS[number])
        clock = bootstrap.SystemClock()
        self.bench = bootstrap.build(
            Settings(home=home, administrators=("cleo@example.com",)),
            model=ScriptedModel([]),
            embedder=self.embedder,
            vectors=self.vectors,
            keywords=self.keywords,
            blobs=self.blobs,
            renderer=Pictures(),
            tables=MemoryTables(),
            jobs=MemoryJobs(clock),
            reader=None,
            sandbox=None,
            library_store=self.library,
            user_store=self.users,
            conversation_store=self.conversations,
            receipt_store=self.receipts,
            gap_store=self.gaps,
        )

    def give(self, roles: dict[tuple[int, UserId], Role]) -> None:
        """Make these the members of the containers, and nobody else."""
        for number, secret in enumerate(SECRETS):
            members = [
                Member(user_id=user, role=role, since=NOON) for (held, user), role in roles.items() if held == number
            ]
            self.library.change_members(ids(secret).container, lambda _, members=members: members)

    def block(self, blocked: frozenset[UserId]) -> None:
        for user in USERS:
            held = self.users.user(user)
            assert held is not None
            self.users.save_user(held.model_copy(update={"blocked": user in blocked}))

    def close(self) -> None:
        self.bench.close()
        self.database.close()

    def _fill(self, secret: str, speaker: UserId) -> None:
        of = ids(secret)
        self.library.add_container(Container(id=of.container, name=f"Case {secret}", created_at=NOON, founder=speaker))
        text = f"The {secret} clause sets the payment terms."
        stored = self.blobs.put(f"%PDF {secret}".encode())
        self.library.save_document(
            Document(
                id=of.document,
                container_id=of.container,
                name=f"{secret}.pdf",
                title=text,
                media_type="application/pdf",
                content_hash=stored,
                canonical_hash=stored,
                tags=(Tag(key="supplier", value=secret),),
                state=DocumentState.READY,
                page_count=1,
                chunk_count=1,
                uploaded_at=NOON,
            )
        )
        self.library.save_pages(of.document, [Page(number=1, text=text, label=secret)])
        chunk = Chunk(
            id=chunk_id(of.document, 0),
            document_id=of.document,
            container_id=of.container,
            ordinal=0,
            text=text,
            segments=(Segment(page=1, start=0, end=len(text)),),
        )
        self.library.save_chunks(of.document, [chunk])
        (vector,) = self.embedder.embed_passages([text])
        self.vectors.upsert(of.container, [VectorRow(chunk.id, of.document, vector)])
        self.keywords.upsert(of.container, [KeywordRow(chunk.id, of.document, text)])
        self.receipts.save_receipt(
            Receipt(
                id=of.receipt,
                kind="document",
                subject=f"gone_{secret}",
                name=f"{secret}-old.pdf",
                container_id=of.container,
                container=f"Case {secret}",
                asked_by=UserId("somebody"),
                asked_at=NOON,
                settled_at=NOON,
            )
        )
        self.gaps.add_gap(
            Gap(
                id=of.gap,
                user_id=UserId("somebody"),
                containers=(of.container,),
                query=f"{secret} warranty",
                origin=GapOrigin.SCREEN,
                reason=GapReason.NOTHING_FOUND,
                asked_at=NOON,
            )
        )
        self._talk(secret, of, speaker)

    def _talk(self, secret: str, of: Ids, speaker: UserId) -> None:
        self.conversations.save_conversation(
            Conversation(
                id=of.conversation,
                user_id=speaker,
                title=f"About {secret}",
                containers=(of.container,),
                profile=Profile.QUICK,
                created_at=NOON,
                updated_at=NOON,
            )
        )
        self.conversations.add_turn(
            Turn(
                id=of.turn,
                conversation_id=of.conversation,
                number=1,
                question=f"What of {secret}?",
                containers=(of.container,),
                profile=Profile.QUICK,
                model="scripted",
                status=TurnStatus.ANSWERED,
                answer=CitedAnswer(text=f"The {secret} clause."),
                started_at=NOON,
            )
        )
        started = TurnStarted(
            turn_id=of.turn,
            conversation_id=of.conversation,
            question=f"What of {secret}?",
            containers=(f"Case {secret}",),
            profile=Profile.QUICK,
            limits=DEFAULT_PROFILES[Profile.QUICK].limits,
            model="scripted",
            prompt_version="1",
        )
        self.conversations.append_events(of.turn, [started.stamped(1, 0.0)])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(tmp_path_factory.mktemp("home"))
    yield made
    made.close()
