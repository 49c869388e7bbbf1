"""The store of gaps: what was looked for and not found."""

from collections.abc import Sequence

from sqlalchemy import delete, select

from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.records import batches, put, read
from workbench.adapters.sql.tables import GAPS
from workbench.domain.gaps import Gap
from workbench.domain.ids import ConversationId, GapId


class SqlGapStore:
    """A :class:`~workbench.services.ports.GapStore` in a relational database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_gap(self, gap: Gap) -> None:
        values = {
            "conversation_id": gap.conversation_id,
            "asked_at": gap.asked_at,
            "value": gap.model_dump_json(),
        }
        with self._database.writing() as connection:
            put(connection, GAPS, {"id": gap.id}, values)

    def gaps(self) -> list[Gap]:
        with self._database.reading() as connection:
            rows = connection.execute(select(GAPS.c.id, GAPS.c.value).order_by(GAPS.c.asked_at.desc(), GAPS.c.id)).all()
        return [read(Gap, value, f"gap {key}") for key, value in rows]

    def delete_gaps(self, gap_ids: Sequence[GapId]) -> None:
        with self._database.writing() as connection:
            for some in batches(gap_ids):
                connection.execute(delete(GAPS).where(GAPS.c.id.in_(some)))

    def gaps_of(self, conversation_id: ConversationId) -> list[Gap]:
        wanted = select(GAPS.c.id, GAPS.c.value).where(GAPS.c.conversation_id == conversation_id)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(GAPS.c.asked_at.desc(), GAPS.c.id)).all()
        return [read(Gap, value, f"gap {key}") for key, value in rows]

    def delete_gaps_of(self, conversation_id: ConversationId) -> None:
        with self._database.writing() as connection:
            connection.execute(delete(GAPS).where(GAPS.c.conversation_id == conversation_id))
