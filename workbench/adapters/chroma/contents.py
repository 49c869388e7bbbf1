"""What a collection holds: its chunks and whose they are."""

from collections import defaultdict
from collections.abc import Iterable

from workbench.domain.ids import ChunkId, DocumentId


class Contents:
    """The chunks of one collection by document. It answers what Chroma would have to read every row for."""

    def __init__(self) -> None:
        self._owner: dict[ChunkId, DocumentId] = {}
        self._held: defaultdict[DocumentId, set[ChunkId]] = defaultdict(set)

    @property
    def documents(self) -> frozenset[DocumentId]:
        return frozenset(self._held)

    def count(self, document_id: DocumentId | None = None) -> int:
        """Return how many chunks the document, or with None the collection, has."""
        return len(self._owner) if document_id is None else len(self._held.get(document_id, ()))

    def chunks(self, document_id: DocumentId) -> list[ChunkId]:
        return sorted(self._held.get(document_id, ()))

    def add(self, rows: Iterable[tuple[ChunkId, DocumentId]]) -> None:
        rows = list(rows)
        self.remove(chunk_id for chunk_id, _ in rows)
        for chunk_id, document_id in rows:
            self._owner[chunk_id] = document_id
            self._held[document_id].add(chunk_id)

    def remove(self, chunk_ids: Iterable[ChunkId]) -> None:
        for chunk_id in chunk_ids:
            document_id = self._owner.pop(chunk_id, None)
            if document_id is None:
                continue
            self._held[document_id].discard(chunk_id)
            if not self._held[document_id]:
                del self._held[document_id]
