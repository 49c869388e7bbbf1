"""Migrations: small named functions, run once each, in order, and recorded in the ``migrations`` table.

The tables are described once, in ``tables.py``, as they are today, and the first migration creates what a new database
lacks. A later migration changes what an older database has; as a new database already looks that way, it must first look
(``sqlalchemy.inspect``) whether there is something to do.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Column, Connection, Table, insert, inspect, select, text, update
from sqlalchemy.schema import CreateColumn

from workbench.adapters.sql.tables import (
    CONTAINERS,
    CONVERSATIONS,
    EVAL_RUNS,
    GAPS,
    MEMBERS,
    METADATA,
    MIGRATIONS,
    RECEIPT_ATTEMPTS,
    RECEIPT_SUBJECTS,
    RECEIPTS,
    RECORDINGS,
    TOKENS,
    TURN_TEXTS,
    TURNS,
    USERS,
    USES,
)
from workbench.domain.conversations import USE_KEPT, Conversation, Turn, plain, spoken, used
from workbench.domain.errors import ConfigurationError
from workbench.domain.people import LOCAL_USER
from workbench.domain.rights import Role

log = logging.getLogger(__name__)


def create_tables(connection: Connection) -> None:
    METADATA.create_all(connection)


def add_receipts(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[RECEIPTS, RECEIPT_SUBJECTS, RECEIPT_ATTEMPTS])


def add_gaps(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[GAPS])


def add_conversation_search(connection: Connection) -> None:
    """Keep what conversations are listed and searched by in columns of their own."""
    METADATA.create_all(connection, tables=[TURN_TEXTS])
    if not _add_columns(connection, CONVERSATIONS, CONVERSATIONS.c.pinned, CONVERSATIONS.c.title_text):
        return
    for index in CONVERSATIONS.indexes:
        index.create(connection, checkfirst=True)
    for key, value in connection.execute(select(CONVERSATIONS.c.id, CONVERSATIONS.c.value)).all():
        title = _of_record(key, value, lambda held: plain(Conversation.model_validate_json(held).title))
        connection.execute(update(CONVERSATIONS).where(CONVERSATIONS.c.id == key).values(title_text=title))
    for key, talk in connection.execute(select(TURNS.c.id, TURNS.c.conversation_id)).all():
        value = connection.scalars(select(TURNS.c.value).where(TURNS.c.id == key)).one()
        said = _of_record(key, value, lambda held: spoken(Turn.model_validate_json(held)))
        connection.execute(insert(TURN_TEXTS).values(turn_id=key, conversation_id=talk, text=said))


def add_people(connection: Connection) -> None:
    """Make the one local user the owner of every container that was made before there were members."""
    METADATA.create_all(connection, tables=[MEMBERS, USERS])
    now = datetime.now(UTC)
    for container in connection.scalars(select(CONTAINERS.c.id)).all():
        values = {"container_id": container, "user_id": LOCAL_USER, "role": Role.OWNER.value, "since": now}
        connection.execute(insert(MEMBERS).values(values))


def add_uses(connection: Connection) -> None:
    """Count the turns of the last days in the limits of their users."""
    METADATA.create_all(connection, tables=[USES])
    owned = select(TURNS.c.value, CONVERSATIONS.c.user_id).join(
        CONVERSATIONS, CONVERSATIONS.c.id == TURNS.c.conversation_id
    )
    for value, user_id in connection.execute(owned.where(TURNS.c.started_at >= datetime.now(UTC) - USE_KEPT)).all():
        with suppress(ValidationError):  # a damaged record is told when it is opened
            turn = Turn.model_validate_json(value)
            row = {"turn_id": turn.id, "user_id": user_id, **used(turn)._asdict()}
            connection.execute(insert(USES).values(row))


def add_evaluation(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[RECORDINGS, EVAL_RUNS])


def add_tokens(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[TOKENS])


def _of_record(key: str, value: str, read: Callable[[str], str]) -> str:
    """Return a text of a stored record; a damaged one, which is told when it is opened, is found by nothing."""
    try:
        return read(value)
    except ValidationError:
        log.warning("the record %s cannot be read, and is not found by its words", key)
        return ""


def _add_columns(connection: Connection, table: Table, *columns: Column[Any]) -> bool:
    """Add the columns that the table lacks; tell whether there were any."""
    held = {column["name"] for column in inspect(connection).get_columns(table.name)}
    lacking = [column for column in columns if column.name not in held]
    for column in lacking:
        definition = CreateColumn(column).compile(dialect=connection.dialect)
        connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {definition}"))
    return bool(lacking)


ALL: tuple[Callable[[Connection], None], ...] = (
    create_tables,
    add_receipts,
    add_gaps,
    add_conversation_search,
    add_people,
    add_uses,
    add_evaluation,
    add_tokens,
)


def migrate(connection: Connection) -> None:
    """Run the migrations this database has not seen, all in the caller's transaction.

    Raises ConfigurationError where the database was written by a newer version.
    """
    MIGRATIONS.create(connection, checkfirst=True)
    done = set(connection.scalars(select(MIGRATIONS.c.name)))
    unknown = done - {migration.__name__ for migration in ALL}
    if unknown:
        raise ConfigurationError(
            f"The database was written by a newer version of Pincite (it knows {', '.join(sorted(unknown))}).",
            "Install that version, or point PINCITE_HOME at another data directory.",
        )
    for migration in ALL:
        if migration.__name__ not in done:
            migration(connection)
            connection.execute(insert(MIGRATIONS).values(name=migration.__name__, applied_at=datetime.now(UTC)))
