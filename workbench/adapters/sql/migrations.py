"""Migrations: small named functions, run once each, in order, and recorded in the ``migrations`` table.

The tables are described once, in ``tables.py``, as they are today, and the first migration creates what a new database
lacks. A later migration changes what an older database has; as a new database already looks that way, it must first look
(``sqlalchemy.inspect``) whether there is something to do.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import Connection, insert, select

from workbench.adapters.sql.tables import GAPS, METADATA, MIGRATIONS, RECEIPT_ATTEMPTS, RECEIPT_SUBJECTS, RECEIPTS
from workbench.domain.errors import ConfigurationError


def create_tables(connection: Connection) -> None:
    METADATA.create_all(connection)


def add_receipts(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[RECEIPTS, RECEIPT_SUBJECTS, RECEIPT_ATTEMPTS])


def add_gaps(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[GAPS])


ALL: tuple[Callable[[Connection], None], ...] = (create_tables, add_receipts, add_gaps)


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
