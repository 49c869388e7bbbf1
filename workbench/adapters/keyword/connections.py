"""Connections to the index file, lent to one thread at a time."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.domain.errors import PinciteError

BUSY_SECONDS = 30


class Connections:
    """Lends connections for one transaction each and keeps them for the next."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent view of the index."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All changes of the block, or none where it raises. Closing an unfinished connection undoes what it changed."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def close(self) -> None:
        """Close the connections that are not lent. A later transaction opens a new one."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        connection: sqlite3.Connection | None = None
        committed = False
        try:
            connection = self._take()
            connection.execute(begin)
            yield connection
            connection.execute("COMMIT")
            committed = True
        except sqlite3.DatabaseError as error:
            raise PinciteError(
                f"The keyword index {self._file.name} did not answer: {error}.",
                "Check the free space of the disk; a damaged index can be deleted, the documents are then indexed again.",
            ) from error
        finally:
            if connection is not None:
                if committed:
                    self._give_back(connection)
                else:
                    connection.close()

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        connection = sqlite3.connect(self._file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            self._idle.append(connection)
