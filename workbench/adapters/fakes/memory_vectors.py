"""A vector index in memory."""

import math
import threading
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import Scored, Vector, VectorRow


class MemoryVectors:
    """A :class:`~workbench.services.ports.VectorIndex` that compares every vector."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: defaultdict[ContainerId, dict[ChunkId, VectorRow]] = defaultdict(dict)

    def upsert(self, container_id: ContainerId, rows: Sequence[VectorRow]) -> None:
        with self._lock:
            self._rows[container_id].update({row.chunk_id: row for row in rows})

    def query(
        self, container_id: ContainerId, vector: Vector, limit: int, documents: frozenset[DocumentId]
    ) -> list[Scored]:
        hits = [
            Scored(row.chunk_id, _cosine(row.vector, vector))
            for row in self._held(container_id)
            if row.document_id in documents
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[: max(limit, 0)]

    def delete_document(self, container_id: ContainerId, document_id: DocumentId) -> None:
        with self._lock:
            kept = {key: row for key, row in self._rows[container_id].items() if row.document_id != document_id}
            self._rows[container_id] = kept

    def count(self, container_id: ContainerId, document_id: DocumentId | None = None) -> int:
        return sum(document_id is None or row.document_id == document_id for row in self._held(container_id))

    def former(self, container_id: ContainerId, document_id: DocumentId) -> int:
        """There is one model here."""
        return 0

    def forget_other_models(self, containers: Sequence[ContainerId]) -> int:
        """There is one model here, so only other containers are forgotten."""
        with self._lock:
            gone = [container for container in self._rows if container not in containers]
            for container in gone:
                del self._rows[container]
        return len(gone)

    def counts(self, container_id: ContainerId) -> Mapping[DocumentId, int]:
        return Counter(row.document_id for row in self._held(container_id))

    def _held(self, container_id: ContainerId) -> list[VectorRow]:
        with self._lock:
            return list(self._rows[container_id].values())


def _cosine(left: Vector, right: Vector) -> float:
    lengths = math.hypot(*left) * math.hypot(*right)
    return sum(a * b for a, b in zip(left, right, strict=True)) / lengths if lengths else 0.0
