"""Opening the database and its transactions."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError

from workbench.adapters.sql.migrations import migrate
from workbench.domain.errors import ConfigurationError, PinciteError

BUSY_SECONDS = 30
"""How long a writer waits for another one before it gives up."""


class DatabaseFailed(PinciteError):
    """The database itself failed, not the statement."""


class Database:
    """An open database. Every ``reading`` or ``writing`` block is one transaction on a connection of its own.

    Both raise PinciteError where the database itself fails: locked for too long, disk full, server gone.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with _failures_told(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Commit at the end of the block; roll everything back where it raises."""
        with _failures_told(), self._engine.connect() as connection, connection.execution_options(writes=True).begin():
            yield connection

    def close(self) -> None:
        """Close all connections. The database object stays usable and opens new ones when needed."""
        self._engine.dispose()


def open_database(url: str) -> Database:
    """Open the database of an SQLAlchemy URL, create or migrate its tables, and return it.

    Raises ConfigurationError where the URL, the file or the server cannot be used.
    """
    try:
        parsed = make_url(url)
        sqlite = parsed.get_backend_name() == "sqlite"
        engine = _sqlite(parsed) if sqlite else create_engine(parsed, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise ConfigurationError(
            f"The database URL cannot be used: {error}", "Write for example sqlite:////data/pincite.sqlite."
        ) from error
    database = Database(engine)
    try:
        with database.writing() as connection:
            migrate(connection)
    except (DatabaseError, DatabaseFailed) as error:
        database.close()
        raise ConfigurationError(
            f"The database {parsed.render_as_string(hide_password=True)} cannot be opened: {_cause(error)}.",
            "Check that it is a database of Pincite and that this user may write to it.",
        ) from error
    except ConfigurationError:
        database.close()
        raise
    return database


@contextmanager
def _failures_told() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        raise DatabaseFailed(
            f"The database did not answer: {error.orig}.",
            "Check the free space of the disk and that no other program holds the database, then try again.",
        ) from error


def _cause(error: DatabaseError | DatabaseFailed) -> object:
    return error.orig if isinstance(error, DatabaseError) else getattr(error.__cause__, "orig", error.message)


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:":
        raise ConfigurationError(
            "A database in memory would be another one for each thread.", "Name a file in the database URL."
        )
    Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver's own transactions begin too late (at the first write), so it is told to leave them to us.
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "foreign_keys = ON", f"busy_timeout = {BUSY_SECONDS * 1000}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock at once: a read that turns into a write could find its snapshot outdated and fail.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
