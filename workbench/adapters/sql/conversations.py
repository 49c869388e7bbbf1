"""The conversations' store: conversations, turns and their events."""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, Table, delete, exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.records import packed, put, read
from workbench.adapters.sql.tables import CONVERSATIONS, EVENTS, RECORDINGS, TURN_TEXTS, TURNS, USES
from workbench.domain.conversations import USE_KEPT, Conversation, ConversationPage, Turn, Use, plain, spoken, used
from workbench.domain.errors import NotFound, StaleConversation, TurnError
from workbench.domain.events import EVENT, Event
from workbench.domain.ids import ConversationId, TurnId, UserId
from workbench.domain.recordings import Recording
from workbench.domain.results import TurnStatus


class SqlConversationStore:
    """A :class:`~workbench.services.ports.ConversationStore` in a relational database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_conversation(self, conversation: Conversation) -> None:
        with self._database.writing() as connection:
            _put_conversation(connection, conversation)

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

    def find_conversations(
        self, user_id: UserId, words: Sequence[str], limit: int, offset: int = 0
    ) -> ConversationPage:
        talk = CONVERSATIONS.c
        in_order = (talk.pinned.desc(), talk.updated_at.desc(), talk.id.desc())
        wanted = select(talk.id).where(talk.user_id == user_id, *map(_holds, words)).order_by(*in_order)
        with self._database.reading() as connection:
            found = connection.scalars(wanted).all()
            page = found[offset : offset + limit]
            held = select(talk.id, talk.value).where(talk.id.in_(page)).order_by(*in_order)
            rows = connection.execute(held).all()
        return ConversationPage([read(Conversation, value, f"conversation {key}") for key, value in rows], len(found))

    def idle_conversations(self, before: datetime) -> list[Conversation]:
        talk = CONVERSATIONS.c
        running = exists().where(TURNS.c.conversation_id == talk.id, TURNS.c.status == TurnStatus.RUNNING.value)
        wanted = (
            select(talk.id, talk.value)
            .where(talk.updated_at < before, ~talk.pinned, ~running)
            .order_by(talk.updated_at, talk.id)
        )
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [read(Conversation, value, f"conversation {key}") for key, value in rows]

    def change_conversation(
        self, conversation_id: ConversationId, change: Callable[[Conversation], Conversation]
    ) -> Conversation | None:
        wanted = select(CONVERSATIONS.c.value).where(CONVERSATIONS.c.id == conversation_id)
        with self._database.writing() as connection:
            value = connection.scalar(wanted.with_for_update(key_share=True))
            if value is None:
                return None
            changed = change(read(Conversation, value, f"conversation {conversation_id}"))
            _put_conversation(connection, changed)
        return changed

    def delete_conversation(self, conversation_id: ConversationId) -> None:
        with self._database.writing() as connection:
            connection.execute(delete(CONVERSATIONS).where(CONVERSATIONS.c.id == conversation_id))

    def add_turn(self, turn: Turn) -> None:
        try:
            with self._database.writing() as connection:
                if connection.scalar(_kept(CONVERSATIONS, turn.conversation_id)) is None:
                    raise NotFound("The conversation does not exist; it may have been deleted.", "Start a new chat.")
                held = select(func.max(TURNS.c.number)).where(TURNS.c.conversation_id == turn.conversation_id)
                if turn.number != (connection.scalar(held) or 0) + 1:
                    raise _stale()
                connection.execute(insert(TURNS).values(id=turn.id, **_columns(turn)))
                _put_text(connection, turn)
                _add_use(connection, turn)
        except IntegrityError as error:  # of two that found the same number free
            raise _stale() from error

    def save_turn(self, turn: Turn) -> None:
        with self._database.writing() as connection:
            changed = connection.execute(update(TURNS).where(TURNS.c.id == turn.id).values(_columns(turn))).rowcount
            if not changed:
                raise _no_turn(turn.id)
            connection.execute(update(USES).where(USES.c.turn_id == turn.id).values(tokens=used(turn).tokens))
            if turn.status is not TurnStatus.RUNNING:  # an answer is searched once it stands, not at every piece of it
                _put_text(connection, turn)

    def turn(self, turn_id: TurnId) -> Turn | None:
        found = self._turns(TURNS.c.id == turn_id)
        return found[0] if found else None

    def turns(self, conversation_id: ConversationId) -> list[Turn]:
        return self._turns(TURNS.c.conversation_id == conversation_id)

    def running_turns(self) -> list[Turn]:
        return self._turns(TURNS.c.status == TurnStatus.RUNNING.value)

    def uses_since(self, user_id: UserId, start: datetime) -> list[Use]:
        wanted = select(USES.c.started_at, USES.c.tokens).where(USES.c.user_id == user_id, USES.c.started_at >= start)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(USES.c.started_at)).all()
        return [Use(started_at, tokens) for started_at, tokens in rows]

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

    def save_recording(self, turn_id: TurnId, recording: Recording) -> None:
        with self._database.writing() as connection:
            if connection.scalar(_kept(TURNS, turn_id)) is None:
                raise _no_turn(turn_id)
            put(connection, RECORDINGS, {"turn_id": turn_id}, {"body": packed(recording)})

    def recording(self, turn_id: TurnId) -> Recording | None:
        with self._database.reading() as connection:
            body = connection.scalar(select(RECORDINGS.c.body).where(RECORDINGS.c.turn_id == turn_id))
        return None if body is None else read(Recording, body, f"recording of turn {turn_id}")


def _put_conversation(connection: Connection, conversation: Conversation) -> None:
    values = {
        "user_id": conversation.user_id,
        "updated_at": conversation.updated_at,
        "pinned": conversation.pinned,
        "title_text": plain(conversation.title),
        "value": conversation.model_dump_json(),
    }
    put(connection, CONVERSATIONS, {"id": conversation.id}, values)


def _put_text(connection: Connection, turn: Turn) -> None:
    put(connection, TURN_TEXTS, {"turn_id": turn.id}, {"conversation_id": turn.conversation_id, "text": spoken(turn)})


def _add_use(connection: Connection, turn: Turn) -> None:
    """Count the turn in the limits of its user, and forget what no limit asks for any more."""
    user_id = select(CONVERSATIONS.c.user_id).where(CONVERSATIONS.c.id == turn.conversation_id).scalar_subquery()
    connection.execute(insert(USES).values(turn_id=turn.id, user_id=user_id, **used(turn)._asdict()))
    connection.execute(delete(USES).where(USES.c.started_at < turn.started_at - USE_KEPT))


def _holds(word: str) -> ColumnElement[bool]:
    """Return the condition that a word stands in a conversation; no character of it is an operator."""
    in_turn = exists().where(
        TURN_TEXTS.c.conversation_id == CONVERSATIONS.c.id, TURN_TEXTS.c.text.contains(word, autoescape=True)
    )
    return or_(CONVERSATIONS.c.title_text.contains(word, autoescape=True), in_turn)


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


def _stale() -> StaleConversation:
    return StaleConversation(
        "This conversation went on in another tab.", "Read what is new, then ask your question again."
    )


def _no_turn(turn_id: TurnId) -> NotFound:
    return NotFound(f"The turn {turn_id} does not exist; its conversation may have been deleted.")
