"""Opening databases, their transactions and their failures."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from workbench.adapters.sql.engine import Database, DatabaseFailed, open_database
from workbench.adapters.sql.migrations import ALL
from workbench.adapters.sql.tables import CONTAINERS, METADATA
from workbench.domain.errors import ConfigurationError

ROW = {"id": "ctr_1", "name_key": "legal", "value": "{}"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "pincite.sqlite"


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{file}")
    yield opened
    opened.close()


def test_sqlite_is_opened_for_many_readers_and_checked_references(database: Database) -> None:
    with database.reading() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
        assert connection.scalar(text("PRAGMA busy_timeout")) == 30_000


def test_a_block_that_raises_changes_nothing(database: Database) -> None:
    def work() -> None:
        with database.writing() as connection:
            connection.execute(insert(CONTAINERS).values(ROW))
            raise LookupError

    with pytest.raises(LookupError):
        work()

    with database.reading() as connection:
        assert connection.scalars(select(CONTAINERS.c.id)).all() == []


def test_readers_see_one_state_while_others_write(database: Database) -> None:
    with database.reading() as reader:
        assert reader.scalars(select(CONTAINERS.c.id)).all() == []
        with database.writing() as writer:
            writer.execute(insert(CONTAINERS).values(ROW))
        assert reader.scalars(select(CONTAINERS.c.id)).all() == []

    with database.reading() as reader:
        assert reader.scalars(select(CONTAINERS.c.id)).all() == ["ctr_1"]


def test_migrations_are_recorded_and_run_once(database: Database, file: Path) -> None:
    with database.writing() as connection:
        connection.execute(insert(CONTAINERS).values(ROW))
        first = connection.execute(text("SELECT name, applied_at FROM migrations")).all()

    again = open_database(f"sqlite:///{file}")

    with again.reading() as connection:
        assert connection.execute(text("SELECT name, applied_at FROM migrations")).all() == first
        assert connection.scalars(select(CONTAINERS.c.id)).all() == ["ctr_1"]
    assert [name for name, _ in first] == [migration.__name__ for migration in ALL]
    again.close()


def test_a_database_of_a_newer_version_is_left_alone(database: Database, file: Path) -> None:
    with database.writing() as connection:
        connection.execute(text("INSERT INTO migrations VALUES ('split_the_atom', '2030-01-01 00:00:00.000000')"))

    with pytest.raises(ConfigurationError, match="split_the_atom"):
        open_database(f"sqlite:///{file}")


@pytest.mark.parametrize("url", ["", "nonsense", "nosuchdriver://x", "sqlite://", "sqlite:///:memory:"])
def test_a_url_that_cannot_be_used_is_told(url: str) -> None:
    with pytest.raises(ConfigurationError):
        open_database(url)


def test_a_file_that_is_no_database_is_told_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(b"not a database, but long enough to look like one " * 100)
    before = file.read_bytes()

    with pytest.raises(ConfigurationError, match=r"notes\.txt"):
        open_database(f"sqlite:///{file}")

    assert file.read_bytes() == before


def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        open_database(f"sqlite:///{tmp_path}")


def test_a_database_that_another_program_keeps_locked_is_told(database: Database, file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with database.reading() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 0")  # the pool lends this connection again below

    with pytest.raises(DatabaseFailed, match="try again"), database.writing():
        pass

    other.close()


def test_postgresql_would_accept_every_table() -> None:
    dialect = postgresql.dialect()
    for table in METADATA.sorted_tables:
        assert f"CREATE TABLE {table.name}" in str(CreateTable(table).compile(dialect=dialect))
        for index in table.indexes:
            assert str(CreateIndex(index).compile(dialect=dialect))
