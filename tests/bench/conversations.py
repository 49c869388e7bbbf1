"""Ten thousand conversations: listing, searching and opening one; fifty users who ask at once: errors, waits, memory."""

import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import repeat
from pathlib import Path

import psutil
from sqlalchemy import insert

from workbench import bootstrap
from workbench.adapters.clock import SystemClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Step, call, say
from workbench.adapters.sql.conversations import SqlConversationStore
from workbench.adapters.sql.engine import Database, open_database
from workbench.adapters.sql.tables import CONVERSATIONS, TURN_TEXTS, TURNS
from workbench.domain.budgets import Profile
from workbench.domain.citations import CitedAnswer
from workbench.domain.conversations import Conversation, Turn, plain, spoken
from workbench.domain.errors import PinciteError
from workbench.domain.ids import ContainerId, ConversationId, TurnId, UserId
from workbench.domain.items import UserMessage
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access
from workbench.services.conversations import Conversations
from workbench.services.ingestion.jobs import Upload
from workbench.services.ports import ModelRequest
from workbench.settings import Settings

TALKS, TURNS_EACH = 10_000, 3
USERS, QUESTIONS_EACH = 50, 4
TARGET_LIST, TARGET_SEARCH, TARGET_FIRST = 0.1, 0.3, 1.0
"""Seconds: a list or a conversation is there at once, a search soon, and a question shows that it is worked on."""
ROUNDS = 15
ANA = Access(user_id=UserId("ana"), containers=frozenset([ContainerId("ctr_1")]))
FILLER = "The Supplier shall, subject to the limits agreed between the parties, deliver what was ordered in time. " * 12
NONE = dict.fromkeys(("document_ids", "tags", "language", "date_from", "date_to", "period"))


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        report_many(Path(directory))
        report_users(Path(directory) / "home")


# --- many conversations


def report_many(directory: Path) -> None:
    database = open_database(f"sqlite:///{directory}/many.db")
    fill(database)
    conversations = Conversations(SqlConversationStore(database), SystemClock())
    oldest = conversations.find(ANA, limit=1, offset=TALKS - 1).items[0].id
    print(f"{TALKS:,} conversations of {TURNS_EACH} turns")
    cases: tuple[tuple[str, Callable[[], object], float], ...] = (
        ("first page of the list", lambda: conversations.find(ANA, limit=30), TARGET_LIST),
        ("last page of the list", lambda: conversations.find(ANA, limit=30, offset=TALKS - 30), TARGET_LIST),
        ("open one", lambda: (conversations.get(ANA, oldest), conversations.turns(ANA, oldest)), TARGET_LIST),
        ("search, a word of one answer", lambda: conversations.find(ANA, "quokka7777", limit=30), TARGET_SEARCH),
        ("search, words of all answers", lambda: conversations.find(ANA, "supplier parties", limit=30), TARGET_SEARCH),
        ("search, a word of none", lambda: conversations.find(ANA, "wombat", limit=30), TARGET_SEARCH),
    )
    for name, run, target in cases:
        spent = sorted(timed(run) for _ in range(ROUNDS))
        print(f"  {name:32} median {statistics.median(spent) * 1000:7.1f} ms   target {target * 1000:.0f} ms")
    database.close()


def fill(database: Database) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for first in range(0, TALKS, 1000):
        talks, turns, texts = [], [], []
        for number in range(first, first + 1000):
            moment = start + timedelta(minutes=number)
            talk = Conversation(
                id=ConversationId(f"conv_{number}"),
                user_id=ANA.user_id,
                title=f"Question {number} about payment",
                created_at=moment,
                updated_at=moment,
            )
            talks.append(
                {"id": talk.id, "user_id": talk.user_id, "updated_at": moment, "pinned": False,
                 "title_text": plain(talk.title), "value": talk.model_dump_json()}
            )  # fmt: skip
            for turn in turns_of(talk):
                turns.append(
                    {"id": turn.id, "conversation_id": talk.id, "number": turn.number, "status": turn.status.value,
                     "started_at": turn.started_at, "value": turn.model_dump_json()}
                )  # fmt: skip
                texts.append({"turn_id": turn.id, "conversation_id": talk.id, "text": spoken(turn)})
        with database.writing() as connection:
            connection.execute(insert(CONVERSATIONS), talks)
            connection.execute(insert(TURNS), turns)
            connection.execute(insert(TURN_TEXTS), texts)


def turns_of(talk: Conversation) -> Iterator[Turn]:
    for number in range(1, TURNS_EACH + 1):
        name = talk.id.removeprefix("conv_")
        yield Turn(
            id=TurnId(f"turn_{name}_{number}"),
            conversation_id=talk.id,
            number=number,
            question=f"What does it say of item {name}, part {number}?",
            containers=(ContainerId("ctr_1"),),
            profile=Profile.QUICK,
            model="scripted",
            status=TurnStatus.ANSWERED,
            answer=CitedAnswer(text=f"{FILLER}quokka{name if number == 1 else ''}."),
            started_at=talk.updated_at,
        )


def timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


# --- many users


def answer(request: ModelRequest) -> Step:
    if isinstance(request.input[-1], UserMessage):
        return call("search_documents", query="payment of invoices", **NONE)
    return say("Invoices are paid within 45 days [S1]. " + "There is more to say of it. " * 20)


def report_users(home: Path) -> None:
    memory = psutil.Process()
    bench = bootstrap.build(Settings(home=home), embedder=HashingEmbedder(), model=ScriptedModel(repeat(answer)))
    try:
        local = bench.library.access(bootstrap.LOCAL_USER)
        container = bench.library.ensure_container(local, "Contracts")
        local = bench.library.access(bootstrap.LOCAL_USER)
        text = "\n\n".join(f"{number}. Payment of invoices within {number} days." for number in range(1, 200))
        (outcome,) = bench.ingestion.submit(local, container.id, [Upload("terms.txt", text.encode())])
        bench.ingestion.wait([outcome.document_id] if outcome.document_id else [])
        before = memory.memory_info().rss
        together = threading.Barrier(USERS)
        with ThreadPoolExecutor(USERS) as pool:
            runs = [pool.submit(user, bench, local, number, together) for number in range(USERS)]
            found = [wait for run in runs for wait in run.result()]
        after = memory.memory_info().rss
    finally:
        bench.close()
    firsts, wholes = [first for first, _, ok in found if ok], [whole for _, whole, ok in found if ok]
    print(f"{USERS} users at once, {QUESTIONS_EACH} questions each, one search and an answer (scripted model)")
    print(f"  errors                           {sum(not ok for _, _, ok in found)} of {len(found)}")
    print(
        f"  first event   p50 {at(firsts, 50):6.2f} s   p95 {at(firsts, 95):6.2f} s   target p95 {TARGET_FIRST:.1f} s"
    )
    print(f"  whole answer  p50 {at(wholes, 50):6.2f} s   p95 {at(wholes, 95):6.2f} s")
    print(f"  memory        {before / 1e6:.0f} MB before, {after / 1e6:.0f} MB after")


def user(
    bench: bootstrap.Workbench, local: Access, number: int, together: threading.Barrier
) -> list[tuple[float, float, bool]]:
    """Ask one question after another in one conversation; return the waits for the first event and for the end."""
    access = local.model_copy(update={"user_id": UserId(f"user_{number}")})
    talk = bench.conversations.create(access, sorted(access.containers))
    together.wait()
    waits = []
    for _ in range(QUESTIONS_EACH):
        started, first, ok = time.perf_counter(), 0.0, False
        try:
            turn = bench.turns.ask(access, talk.id, "When are invoices paid?")
            for event in bench.turns.follow(access, turn.id):
                first = first or (time.perf_counter() - started if event is not None else 0.0)
            ok = bench.turns.wait(access, turn.id).status is TurnStatus.ANSWERED
        except PinciteError as error:
            print(f"  user {number}: {error}")
        waits.append((first, time.perf_counter() - started, ok))
    return waits


def at(values: list[float], percent: int) -> float:
    """Return a percentile; 0 where there are no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0
