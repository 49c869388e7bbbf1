"""A keyword index in memory."""

import math
import re
import threading
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import snowballstemmer

from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import KeywordRow, Scored

_WORD = re.compile(r"[^\W_]+(?:[-/.,'][^\W_]+)*")
_COMMON = frozenset(
    "a an and are as at by for from in is it of on or that the this to was what when which with".split()
)
_K1, _B = 1.2, 0.75


class MemoryKeywords:
    """A :class:`~workbench.services.ports.KeywordIndex` that scores every passage by BM25 (English stems)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stemmer = snowballstemmer.stemmer("english")
        self._rows: defaultdict[ContainerId, dict[ChunkId, KeywordRow]] = defaultdict(dict)

    def upsert(self, container_id: ContainerId, rows: Sequence[KeywordRow]) -> None:
        with self._lock:
            self._rows[container_id].update({row.chunk_id: row for row in rows})

    def query(self, container_id: ContainerId, text: str, limit: int, documents: frozenset[DocumentId]) -> list[Scored]:
        words = [word for word in _words(text) if word not in _COMMON] or _words(text)
        with self._lock:
            wanted = set(self._stems(words))
            held = {row: Counter(self._stems(_words(row.text))) for row in self._rows[container_id].values()}
        average = sum(counts.total() for counts in held.values()) / max(len(held), 1)
        rarity = {stem: _rarity(len(held), sum(stem in counts for counts in held.values())) for stem in wanted}
        hits = [
            Scored(row.chunk_id, sum(rarity[stem] * _weight(counts, stem, average) for stem in wanted & counts.keys()))
            for row, counts in held.items()
            if row.document_id in documents and wanted & counts.keys()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[: max(limit, 0)]

    def phrase(
        self, container_id: ContainerId, text: str, limit: int, documents: frozenset[DocumentId]
    ) -> list[Scored]:
        rows = self._with_phrase(container_id, text, documents)
        hits = [Scored(row.chunk_id, 1 / len(_words(row.text))) for row in rows]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[: max(limit, 0)]

    def holders(
        self, container_id: ContainerId, text: str, limit: int, documents: frozenset[DocumentId]
    ) -> list[DocumentId]:
        found = dict.fromkeys(row.document_id for row in self._with_phrase(container_id, text, documents))
        return list(found)[: max(limit, 0)]

    def _with_phrase(self, container_id: ContainerId, text: str, documents: frozenset[DocumentId]) -> list[KeywordRow]:
        with self._lock:
            wanted = self._stems(_words(text))
            rows = [row for row in self._rows[container_id].values() if row.document_id in documents]
            held = [(row, self._stems(_words(row.text))) for row in rows]
        runs = len(wanted)
        return [
            row
            for row, stems in held
            if runs and any(stems[start : start + runs] == wanted for start in range(len(stems) - runs + 1))
        ]

    def vocabulary(self, container_id: ContainerId) -> Mapping[str, int]:
        with self._lock:
            rows = list(self._rows[container_id].values())
        return dict(Counter(word for row in rows for word in set(_words(row.text))))

    def delete_document(self, container_id: ContainerId, document_id: DocumentId) -> None:
        with self._lock:
            kept = {key: row for key, row in self._rows[container_id].items() if row.document_id != document_id}
            self._rows[container_id] = kept

    def count(self, container_id: ContainerId, document_id: DocumentId | None = None) -> int:
        with self._lock:
            rows = list(self._rows[container_id].values())
        return sum(document_id is None or row.document_id == document_id for row in rows)

    def counts(self, container_id: ContainerId) -> Mapping[DocumentId, int]:
        with self._lock:
            return Counter(row.document_id for row in self._rows[container_id].values())

    def _stems(self, words: Sequence[str]) -> list[str]:
        return [self._stemmer.stemWord(_bare(word)) for word in words]


def _words(text: str) -> list[str]:
    found: list[str] = []
    for run in _WORD.findall(unicodedata.normalize("NFKC", text).lower()):
        parts = re.split(r"[-/.,']", run)
        found += [run, *parts] if len(parts) > 1 else parts
    return found


def _bare(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _rarity(passages: int, holding: int) -> float:
    return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))


def _weight(counts: Counter[str], stem: str, average: float) -> float:
    frequency = counts[stem]
    return frequency * (_K1 + 1) / (frequency + _K1 * (1 - _B + _B * counts.total() / average))
