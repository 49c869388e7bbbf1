"""The tables. A column exists where we look rows up by it; the rest of a value is its JSON in ``value``.

Deleting a document or a conversation is one statement: the database removes what hangs on it.
"""

import re
from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
)

METADATA = MetaData()


class Instant(TypeDecorator[datetime]):
    """A point in time, kept in UTC: SQLite has no type that remembers a zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"The time {value.isoformat()} has no zone.")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Key(TypeDecorator[str]):
    """A text that rows are looked up by. PostgreSQL refuses the character NUL in texts, so it is written as ``\\0``."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else value.replace("\\", "\\\\").replace("\0", "\\0")

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else re.sub(r"\\(.)", lambda found: "\0" if found[1] == "0" else found[1], value)


MIGRATIONS = Table(
    "migrations",
    METADATA,
    Column("name", String(100), primary_key=True),
    Column("applied_at", Instant, nullable=False),
)

CONTAINERS = Table(
    "containers",
    METADATA,
    Column("id", Key, primary_key=True),
    Column("name_key", Key, nullable=False, unique=True),  # the name as compared: case and Unicode form do not matter
    Column("value", Text, nullable=False),
)

MEMBERS = Table(  # the user may be the local one, who has no record
    "members",
    METADATA,
    Column("container_id", ForeignKey("containers.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Key, primary_key=True, index=True),
    Column("role", String(20), nullable=False),
    Column("since", Instant, nullable=False),
)

USERS = Table(
    "users",
    METADATA,
    Column("id", Key, primary_key=True),
    Column("identity_key", Key, nullable=True, unique=True),
    Column("email", Key, nullable=False, index=True),
    Column("created_at", Instant, nullable=False),
    Column("value", Text, nullable=False),
)

TOKENS = Table(
    "tokens",
    METADATA,
    Column("id", Key, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("created_at", Instant, nullable=False),
    Column("value", Text, nullable=False),
)

DOCUMENTS = Table(
    "documents",
    METADATA,
    Column("id", Key, primary_key=True),
    Column("container_id", ForeignKey("containers.id"), nullable=False),
    Column("content_hash", Key, nullable=False),
    Column("state", String(20), nullable=False),
    Column("uploaded_at", Instant, nullable=False),
    Column("value", Text, nullable=False),
    Index("documents_by_content", "container_id", "content_hash"),
)

PAGES = Table(
    "pages",
    METADATA,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("outline", Text, nullable=False),  # the page's JSON without its text and words
    Column("body", LargeBinary, nullable=False),  # the whole page's JSON, compressed: words are many and repetitive
)

CHUNKS = Table(
    "chunks",
    METADATA,
    Column("id", Key, primary_key=True),
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("value", Text, nullable=False),
    Index("chunks_by_document", "document_id", "ordinal"),
)

CONVERSATIONS = Table(
    "conversations",
    METADATA,
    Column("id", Key, primary_key=True),
    Column("user_id", Key, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("value", Text, nullable=False),
    Column("pinned", Boolean, nullable=False, server_default=false()),
    Column("title_text", Text, nullable=False, server_default=""),  # the title as it is searched
    Index("conversations_by_user", "user_id", "updated_at"),
    Index("conversations_in_order", "user_id", "pinned", "updated_at", "id"),
)

TURNS = Table(
    "turns",
    METADATA,
    Column("id", Key, primary_key=True),
    Column("conversation_id", ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("status", String(20), nullable=False, index=True),
    Column("started_at", Instant, nullable=False),
    Column("value", Text, nullable=False),
    UniqueConstraint("conversation_id", "number", name="one_turn_a_number"),
)

TURN_TEXTS = (
    Table(  # what was asked and answered, as it is searched; apart, so that a search reads nothing else of a turn
        "turn_texts",
        METADATA,
        Column("turn_id", ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
        Column("conversation_id", Key, nullable=False, index=True),
        Column("text", Text, nullable=False),
    )
)

USES = Table(  # what counts in the limits of a user: of deleted conversations too, so nothing here refers to them
    "uses",
    METADATA,
    Column("turn_id", Key, primary_key=True),
    Column("user_id", Key, nullable=False),
    Column("started_at", Instant, nullable=False, index=True),
    Column("tokens", BigInteger, nullable=False),
    Index("uses_by_user", "user_id", "started_at"),
)

EVENTS = Table(
    "events",
    METADATA,
    Column("turn_id", ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(40), nullable=False),
    Column("value", Text, nullable=False),
)

RECORDINGS = Table(  # what the model answered in a turn, read only to replay it
    "recordings",
    METADATA,
    Column("turn_id", ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

EVAL_RUNS = Table(
    "eval_runs",
    METADATA,
    Column("id", Key, primary_key=True),
    Column("suite", Key, nullable=False, index=True),
    Column("started_at", Instant, nullable=False),
    Column("value", Text, nullable=False),
)

RECEIPTS = Table(
    "receipts",
    METADATA,
    Column("id", Key, primary_key=True),
    Column("asked_at", Instant, nullable=False),
    Column("is_open", Boolean, nullable=False, index=True),
    Column("value", Text, nullable=False),
)

RECEIPT_SUBJECTS = Table(  # what a receipt tells of is gone, so nothing here refers to it
    "receipt_subjects",
    METADATA,
    Column("receipt_id", ForeignKey("receipts.id", ondelete="CASCADE"), primary_key=True),
    Column("subject", Key, primary_key=True, index=True),
)

RECEIPT_ATTEMPTS = Table(
    "receipt_attempts",
    METADATA,
    Column("receipt_id", ForeignKey("receipts.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("value", Text, nullable=False),
)

GAPS = (
    Table(  # removed by the id of its conversation, which may be gone before the record is written: so no foreign key
        "gaps",
        METADATA,
        Column("id", Key, primary_key=True),
        Column("conversation_id", Key, nullable=True, index=True),
        Column("asked_at", Instant, nullable=False),
        Column("value", Text, nullable=False),
    )
)
