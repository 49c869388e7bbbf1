"""The conversations' store: conversations, turns and their events."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Select, Table, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.records import put, read
from workbench.adapters.sql.tables import CONVERSATIONS, EVENTS, TURNS
from workbench.domain.conversations import Conversation, Turn
from workbench.domain.errors import NotFound, TurnError, TurnInProgress
from workbench.domain.events import EVENT, Event
from workbench.domain.ids import ConversationId, TurnId, UserId
from workbench.domain.results import TurnStatus


class SqlConversationStore:
    """A :class:`~workbench.services.ports.ConversationStore` in a relational database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_conversation(self, conversation: Conversation) -> None:
        values = {
            "user_id": conversation.user_id,
            "updated_at": conversation.updated_at,
            "value": conversation.model_dump_json(),
        }
        with self._database.writing() as connection:
            put(connection, CONVERSATIONS, {"id": conversation.id}, values)

    def conversation(self, conversation_id: ConversationId) -> Conversation | None:
        wanted = select(CONVERSATIONS.c.value).where(CONVERSATIONS.c.id == conversation_id)
        with self._database.reading() as connection:
            value = connection.scalar(wanted)
        return None if value is None else read(Conversation, value, f"conversation {conversation_id}")

    def conversations(self, user_id: UserId) -> list[Conversation]:
        wanted = (
            select(CONVERSATIONS.c.id, CONVERSATIONS.c.value)
            .where(CONVERSATIONS.c.user_id == user_id)
            .order_by(CONVERSATIONS.c.updated_at.desc(), CONVERSATIONS.c.id)
        )
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [read(Conversation, value, f"conversation {key}") for key, value in rows]

    def delete_conversation(self, conversation_id: ConversationId) -> None:
        with self._database.writing() as connection:
            connection.execute(delete(CONVERSATIONS).where(CONVERSATIONS.c.id == conversation_id))

    def add_turn(self, turn: Turn) -> None:
        try:
            with self._database.writing() as connection:
                if connection.scalar(_kept(CONVERSATIONS, turn.conversation_id)) is None:
                    raise NotFound("The conversation does not exist; it may have been deleted.", "Start a new chat.")
                connection.execute(insert(TURNS).values(id=turn.id, **_columns(turn)))
        except IntegrityError as error:
            raise TurnInProgress(
                f"Question {turn.number} of this conversation has been asked already, perhaps in another tab.",
                "Reload the conversation to see it, then ask again.",
            ) from error

    def save_turn(self, turn: Turn) -> None:
        """Replace the turn's record. Raises NotFound where it was deleted."""
        with self._database.writing() as connection:
            changed = connection.execute(update(TURNS).where(TURNS.c.id == turn.id).values(_columns(turn))).rowcount
        if not changed:
            raise _no_turn(turn.id)

    def turn(self, turn_id: TurnId) -> Turn | None:
        found = self._turns(TURNS.c.id == turn_id)
        return found[0] if found else None

    def turns(self, conversation_id: ConversationId) -> list[Turn]:
        return self._turns(TURNS.c.conversation_id == conversation_id)

    def running_turns(self) -> list[Turn]:
        return self._turns(TURNS.c.status == TurnStatus.RUNNING.value)

    def _turns(self, condition: ColumnElement[bool]) -> list[Turn]:
        wanted = select(TURNS.c.id, TURNS.c.value).where(condition).order_by(TURNS.c.conversation_id, TURNS.c.number)
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [read(Turn, value, f"turn {turn_id}") for turn_id, value in rows]

    def append_events(self, turn_id: TurnId, events: Sequence[Event]) -> None:
        """Append all of ``events`` or none. Raises TurnError where a ``seq`` is recorded already."""
        if not events:
            return
        rows = [
            {"turn_id": turn_id, "seq": event.seq, "kind": event.kind, "value": event.model_dump_json()}
            for event in events
        ]
        try:
            with self._database.writing() as connection:
                if connection.scalar(_kept(TURNS, turn_id)) is None:
                    raise _no_turn(turn_id)
                connection.execute(insert(EVENTS), rows)
        except IntegrityError as error:
            raise TurnError(f"An event of turn {turn_id} was recorded twice; the second one is refused.") from error

    def events(self, turn_id: TurnId) -> list[Event]:
        wanted = select(EVENTS.c.seq, EVENTS.c.value).where(EVENTS.c.turn_id == turn_id).order_by(EVENTS.c.seq)
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [read(EVENT, value, f"event {seq} of turn {turn_id}") for seq, value in rows]


def _kept(table: Table, key: str) -> Select[tuple[str]]:
    """Look a row up and keep it from being deleted until the transaction ends."""
    return select(table.c.id).where(table.c.id == key).with_for_update(read=True, key_share=True)


def _columns(turn: Turn) -> dict[str, object]:
    return {
        "conversation_id": turn.conversation_id,
        "number": turn.number,
        "status": turn.status.value,
        "started_at": turn.started_at,
        "value": turn.model_dump_json(),
    }


def _no_turn(turn_id: TurnId) -> NotFound:
    return NotFound(f"The turn {turn_id} does not exist; its conversation may have been deleted.")
