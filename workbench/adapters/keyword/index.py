"""The keyword index.

Every container has an FTS5 table of its own: a search costs what its container costs, and BM25 counts a word's rarity
within the container, where a supplier's name may be in every passage. FTS5 sees stems only; which words there are, how
they are split and stemmed is decided in ``words.py`` and ``stems.py``.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from workbench.adapters.keyword.connections import Connections
from workbench.adapters.keyword.stems import Stemmer, transcribed
from workbench.adapters.keyword.stopwords import BY_LANGUAGE
from workbench.adapters.keyword.words import Role, words
from workbench.domain.errors import ConfigurationError
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import KeywordRow, Scored

ANALYSIS = 1
"""Raised whenever words or stems come out differently: an index of another number cannot be searched rightly."""

_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS containers (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS passages (
    number INTEGER PRIMARY KEY,
    container INTEGER NOT NULL REFERENCES containers (number),
    document TEXT NOT NULL,
    chunk TEXT NOT NULL,
    words TEXT NOT NULL,
    UNIQUE (container, chunk)
);
CREATE INDEX IF NOT EXISTS passages_by_document ON passages (container, document);
CREATE TABLE IF NOT EXISTS vocabulary (
    container INTEGER NOT NULL REFERENCES containers (number),
    word TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    PRIMARY KEY (container, word)
) WITHOUT ROWID;
"""

_ROWS_OF_DOCUMENTS = """
SELECT number FROM passages
WHERE container = :container AND document IN (SELECT value FROM json_each(:documents))
"""

# From one document to the next by the index, without a look at the passages in between.
_DOCUMENTS = """
WITH RECURSIVE found (document) AS (
    SELECT min(document) FROM passages WHERE container = :container
    UNION ALL
    SELECT (SELECT min(document) FROM passages WHERE container = :container AND document > found.document)
    FROM found WHERE found.document IS NOT NULL
)
SELECT document FROM found WHERE document IS NOT NULL
"""

# The ascii tokenizer splits at ASCII signs only; those that join a word's parts are named, so that our words stay whole.
_TOKENIZER = """tokenize = "ascii tokenchars '-/._@&,:'''" """


class Fts5KeywordIndex:
    """A :class:`~workbench.services.ports.KeywordIndex` in one SQLite file.

    ``language`` is the Snowball name of the documents' main language. Raises ConfigurationError where the file was built
    for another language or by another version of the analysis.
    """

    def __init__(self, file: Path, language: str = "english") -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file
        self._stemmer = Stemmer(language)
        self._stopwords = BY_LANGUAGE.get(language, frozenset())
        self._connections = Connections(file)
        try:
            with self._connections.writing() as connection:
                self._prepare(connection)
        except ConfigurationError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file. A later call opens it again."""
        self._connections.close()

    def upsert(self, container_id: ContainerId, rows: Sequence[KeywordRow]) -> None:
        unique = {row.chunk_id: row for row in rows}
        if not unique:
            return
        with self._connections.writing() as connection:
            container = _container(connection, container_id) or _new_container(connection, container_id)
            replaced = connection.execute(
                "SELECT number, words FROM passages WHERE container = ? AND chunk IN (SELECT value FROM json_each(?))",
                (container, json.dumps(list(unique))),
            )
            _remove(connection, container, replaced.fetchall())
            self._add(connection, container, unique.values())

    def query(self, container_id: ContainerId, text: str, limit: int, documents: frozenset[DocumentId]) -> list[Scored]:
        return self._ranked(
            container_id, " OR ".join(f'"{stem}"' for stem in self._query_stems(text)), limit, documents
        )

    def phrase(
        self, container_id: ContainerId, text: str, limit: int, documents: frozenset[DocumentId]
    ) -> list[Scored]:
        return self._ranked(container_id, self._in_a_row(text), limit, documents)

    def holders(
        self, container_id: ContainerId, text: str, limit: int, documents: frozenset[DocumentId]
    ) -> list[DocumentId]:
        expression = self._in_a_row(text)
        if not expression or not documents or limit <= 0:
            return []
        with self._connections.reading() as connection:
            container = _container(connection, container_id)
            if container is None:
                return []
            # Without an order it ends once so many documents are found: common words cost no more than rare ones.
            found = connection.execute(
                f"""
                SELECT DISTINCT passages.document
                FROM stems_{container} CROSS JOIN passages ON passages.number = stems_{container}.rowid
                WHERE stems_{container} MATCH ? AND passages.document IN (SELECT value FROM json_each(?)) LIMIT ?
                """,  # noqa: S608 - the table's number is ours
                (expression, json.dumps(list(documents)), limit),
            )
            return [DocumentId(document) for (document,) in found]

    def _ranked(
        self, container_id: ContainerId, expression: str, limit: int, documents: frozenset[DocumentId]
    ) -> list[Scored]:
        if not expression or not documents or limit <= 0:
            return []
        with self._connections.reading() as connection:
            container = _container(connection, container_id)
            if container is None:
                return []
            # The allowed rows come from an index alone, and the plus keeps SQLite from asking FTS5 for each of them; so the
            # passages themselves are read of the best only.
            whole = _documents(connection, container) <= documents
            within = "" if whole else f"AND +rowid IN ({_ROWS_OF_DOCUMENTS})"
            hits = connection.execute(
                f"""
                WITH best AS (
                    SELECT rowid AS number, -bm25(stems_{container}) AS score
                    FROM stems_{container} WHERE stems_{container} MATCH :words {within}
                    ORDER BY score DESC, number LIMIT :limit
                )
                SELECT passages.chunk, best.score
                FROM best CROSS JOIN passages ON passages.number = best.number
                ORDER BY best.score DESC, best.number
                """,  # noqa: S608 - the table's number is ours
                {
                    "words": expression,
                    "limit": limit,
                    "container": container,
                    "documents": json.dumps([] if whole else list(documents)),
                },
            )
            return [Scored(ChunkId(chunk), score) for chunk, score in hits]

    def vocabulary(self, container_id: ContainerId) -> Mapping[str, int]:
        with self._connections.reading() as connection:
            return dict(
                connection.execute(
                    "SELECT word, chunks FROM vocabulary WHERE container = (SELECT number FROM containers WHERE id = ?)",
                    (container_id,),
                ).fetchall()
            )

    def delete_document(self, container_id: ContainerId, document_id: DocumentId) -> None:
        with self._connections.writing() as connection:
            container = _container(connection, container_id)
            if container is None:
                return
            passages = connection.execute(
                "SELECT number, words FROM passages WHERE container = ? AND document = ?", (container, document_id)
            )
            _remove(connection, container, passages.fetchall())

    def count(self, container_id: ContainerId, document_id: DocumentId | None = None) -> int:
        with self._connections.reading() as connection:
            row = connection.execute(
                """
                SELECT count(*) FROM passages
                WHERE container = (SELECT number FROM containers WHERE id = :container)
                  AND (:document IS NULL OR document = :document)
                """,
                {"container": container_id, "document": document_id},
            ).fetchone()
        return int(row[0])

    def counts(self, container_id: ContainerId) -> Mapping[DocumentId, int]:
        with self._connections.reading() as connection:
            rows = connection.execute(
                """
                SELECT document, count(*) FROM passages
                WHERE container = (SELECT number FROM containers WHERE id = ?) GROUP BY document
                """,
                (container_id,),
            )
            return {DocumentId(document): int(count) for document, count in rows}

    def _prepare(self, connection: sqlite3.Connection) -> None:
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        ours = {"analysis": str(ANALYSIS), "language": self._stemmer.language}
        found: dict[str, str] = dict(connection.execute("SELECT name, value FROM settings").fetchall())
        if not found:
            connection.executemany("INSERT INTO settings VALUES (?, ?)", ours.items())
        elif found != ours:
            raise ConfigurationError(
                f"The keyword index {self._file.name} was built with {found}, but {ours} is wanted.",
                "Set the language back, or delete that file and index the documents again.",
            )

    def _add(self, connection: sqlite3.Connection, container: int, rows: Iterable[KeywordRow]) -> None:
        counts: Counter[str] = Counter()
        for row in rows:
            found = [word.text for word in words(row.text)]
            distinct = sorted(set(found))
            counts.update(distinct)
            passage = connection.execute(
                "INSERT INTO passages (container, document, chunk, words) VALUES (?, ?, ?, ?)",
                (container, row.document_id, row.chunk_id, " ".join(distinct)),
            ).lastrowid
            connection.execute(
                f"INSERT INTO stems_{container} (rowid, stems) VALUES (?, ?)",  # noqa: S608 - the table's number is ours
                (passage, " ".join(map(self._stemmer.stem, found))),
            )
        connection.executemany(
            """
            INSERT INTO vocabulary VALUES (?, ?, ?)
            ON CONFLICT (container, word) DO UPDATE SET chunks = chunks + excluded.chunks
            """,
            ((container, word, count) for word, count in counts.items()),
        )

    def _in_a_row(self, text: str) -> str:
        """Return the expression for the words of ``text`` side by side, as they would be indexed."""
        # Of a script without spaces only the pairs stand side by side: its single characters are indexed before them.
        held = (word.text for word in words(text) if word.role is not Role.CHARACTER)
        stems = " ".join(map(self._stemmer.stem, held))
        return f'"{stems}"' if stems else ""

    def _query_stems(self, text: str) -> list[str]:
        chosen = list(self._query_words(text, self._stopwords)) or list(self._query_words(text, frozenset()))
        return list(dict.fromkeys(self._stemmer.stem(each) for word in chosen for each in (word, *transcribed(word))))

    @staticmethod
    def _query_words(text: str, stopwords: frozenset[str]) -> Iterator[str]:
        stopped = False
        for word in words(text):
            if word.role is Role.CHARACTER:  # its pairs say more
                continue
            if word.role is Role.PART and stopped:  # the "don" of "don't"
                continue
            common = word.text in stopwords
            if word.role is not Role.PART:
                stopped = common
            if not common:
                yield word.text


def _container(connection: sqlite3.Connection, container_id: ContainerId) -> int | None:
    row = connection.execute("SELECT number FROM containers WHERE id = ?", (container_id,)).fetchone()
    return None if row is None else int(row[0])


def _documents(connection: sqlite3.Connection, container: int) -> frozenset[DocumentId]:
    return frozenset(DocumentId(document) for (document,) in connection.execute(_DOCUMENTS, {"container": container}))


def _new_container(connection: sqlite3.Connection, container_id: ContainerId) -> int:
    number = connection.execute("INSERT INTO containers (id) VALUES (?)", (container_id,)).lastrowid
    connection.execute(f"CREATE VIRTUAL TABLE stems_{number} USING fts5 (stems, {_TOKENIZER})")
    return int(number or 0)


def _remove(connection: sqlite3.Connection, container: int, passages: Sequence[tuple[int, str]]) -> None:
    """Remove passages, given by number and words, from the index and from the vocabulary's counts."""
    counts = Counter(word for _, held in passages for word in held.split())
    numbers = [(number,) for number, _ in passages]
    connection.executemany(f"DELETE FROM stems_{container} WHERE rowid = ?", numbers)  # noqa: S608 - our number
    connection.executemany("DELETE FROM passages WHERE number = ?", numbers)
    connection.executemany(
        "UPDATE vocabulary SET chunks = chunks - ? WHERE container = ? AND word = ?",
        ((count, container, word) for word, count in counts.items()),
    )
    connection.executemany(
        "DELETE FROM vocabulary WHERE container = ? AND word = ? AND chunks <= 0",
        ((container, word) for word in counts),
    )
