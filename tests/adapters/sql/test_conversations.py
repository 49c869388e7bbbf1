"""What conversations on a disk must do beyond the contract."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from workbench.adapters.sql.conversations import SqlConversationStore
from workbench.adapters.sql.engine import Database, open_database
from workbench.domain.budgets import Profile
from workbench.domain.conversations import Conversation, Turn
from workbench.domain.errors import PinciteError
from workbench.domain.events import ModelCallStarted
from workbench.domain.ids import ContainerId, ConversationId, TurnId, UserId

pytestmark = pytest.mark.req("CHAT-1")

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
TALK = Conversation(id=ConversationId("cnv_1"), user_id=UserId("ada"), created_at=NOON, updated_at=NOON)
TURN = Turn(
    id=TurnId("trn_1"),
    conversation_id=TALK.id,
    number=1,
    question="When is payment due?",
    containers=(ContainerId("ctr_1"),),
    profile=Profile.QUICK,
    model="extractive",
    started_at=NOON,
)
EVENT = ModelCallStarted(seq=1, at=0.5, number=1)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/pincite.sqlite"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """A database that holds one conversation with a turn and an event."""
    opened = open_database(url)
    store = SqlConversationStore(opened)
    store.save_conversation(TALK)
    store.add_turn(TURN)
    store.append_events(TURN.id, [EVENT])
    yield opened
    opened.close()


@pytest.mark.usefixtures("database")
def test_all_is_there_when_the_database_is_opened_again(url: str) -> None:
    again = open_database(url)
    store = SqlConversationStore(again)

    assert store.conversations(UserId("ada")) == [TALK]
    assert store.turns(TALK.id) == store.running_turns() == [TURN]
    assert store.events(TURN.id) == [EVENT]
    again.close()


def test_deleting_a_conversation_leaves_no_row_behind(database: Database) -> None:
    SqlConversationStore(database).delete_conversation(TALK.id)

    with database.reading() as connection:
        for table in ("conversations", "turns", "events"):
            assert connection.scalar(text(f"SELECT count(*) FROM {table}")) == 0


@pytest.mark.parametrize("damage", ["", "{", '{"kind": "no_such_event"}'])
def test_a_record_that_cannot_be_read_is_named(database: Database, damage: str) -> None:
    store = SqlConversationStore(database)
    with database.writing() as connection:
        for table in ("conversations", "turns", "events"):
            connection.execute(text(f"UPDATE {table} SET value = :damage"), {"damage": damage})

    for call, record in (
        (lambda: store.conversation(TALK.id), "conversation cnv_1"),
        (lambda: store.conversations(UserId("ada")), "conversation cnv_1"),
        (lambda: store.turn(TURN.id), "turn trn_1"),
        (lambda: store.turns(TALK.id), "turn trn_1"),
        (lambda: store.events(TURN.id), "event 1 of turn trn_1"),
    ):
        with pytest.raises(PinciteError, match=record):
            call()


def test_other_turns_can_be_read_when_one_cannot(database: Database) -> None:
    store = SqlConversationStore(database)
    second = TURN.model_copy(update={"id": TurnId("trn_2"), "number": 2})
    store.add_turn(second)
    with database.writing() as connection:
        connection.execute(text("UPDATE turns SET value = '' WHERE id = 'trn_1'"))

    assert store.turn(second.id) == second
