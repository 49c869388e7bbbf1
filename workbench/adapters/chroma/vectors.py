"""The vector index.

Chroma keeps the vectors only; texts live in our own store. Its graph search is approximate: under a filter it may return
fewer hits than there are, so whenever hits are missing the allowed vectors are compared one by one.
"""

import hashlib
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from chromadb.api.models.Collection import Collection

from workbench.adapters.chroma.contents import Contents
from workbench.adapters.chroma.engine import Engine
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import Scored, Vector, VectorRow

MAX_BATCH = 5_461
"""Chroma's own limit of rows in one call."""


class ChromaVectors:
    """A :class:`~workbench.services.ports.VectorIndex` in a directory that this process alone works on.

    ``fingerprint`` names the embedder. It is part of every collection's name, so vectors of two models never meet: with
    another model the index looks empty until the documents are indexed again.
    """

    def __init__(self, directory: Path, fingerprint: str) -> None:
        self._engine = Engine(directory)
        self._fingerprint = fingerprint
        self._lock = threading.Lock()
        self._contents: dict[ContainerId, Contents] = {}

    def close(self) -> None:
        """Release the directory. The index cannot be used afterwards."""
        self._engine.close()

    def upsert(self, container_id: ContainerId, rows: Sequence[VectorRow]) -> None:
        if not rows:
            return
        unique = list({row.chunk_id: row for row in rows}.values())
        with self._engine.created(self._name(container_id)) as collection, self._lock:
            contents = self._known(container_id, collection)
            for start in range(0, len(unique), MAX_BATCH):
                batch = unique[start : start + MAX_BATCH]
                collection.upsert(
                    ids=[row.chunk_id for row in batch],
                    embeddings=np.asarray([row.vector for row in batch], dtype=np.float32),
                    metadatas=[{"document_id": row.document_id} for row in batch],
                )
                contents.add((row.chunk_id, row.document_id) for row in batch)

    def query(
        self, container_id: ContainerId, vector: Vector, limit: int, documents: frozenset[DocumentId]
    ) -> list[Scored]:
        if not documents or limit <= 0:
            return []
        with self._engine.existing(self._name(container_id)) as collection:
            if collection is None:
                return []
            with self._lock:
                contents = self._known(container_id, collection)
                allowed = contents.documents & documents
                everything = len(allowed) == len(contents.documents)
                available = min(limit, sum(contents.count(document_id) for document_id in allowed))
            if not available:
                return []
            where = None if everything else {"document_id": {"$in": sorted(allowed)}}
            hits = _search(collection, vector, available, where, allowed)
            if len(hits) < available:
                hits = _scan(collection, vector, available, where, allowed)
            return hits

    def delete_document(self, container_id: ContainerId, document_id: DocumentId) -> None:
        sum(self._of_former_models(container_id, document_id, delete=True))
        with self._engine.existing(self._name(container_id)) as collection, self._lock:
            if collection is None:
                return
            contents = self._known(container_id, collection)
            # Named one by one: an empty list of ids, or a filter that selects nothing, has meant everything before.
            chunk_ids = contents.chunks(document_id)
            for start in range(0, len(chunk_ids), MAX_BATCH):
                batch = chunk_ids[start : start + MAX_BATCH]
                collection.delete(ids=list(batch))
                contents.remove(batch)

    def former(self, container_id: ContainerId, document_id: DocumentId) -> int:
        return sum(self._of_former_models(container_id, document_id, delete=False))

    def count(self, container_id: ContainerId, document_id: DocumentId | None = None) -> int:
        with self._engine.existing(self._name(container_id)) as collection, self._lock:
            return 0 if collection is None else self._known(container_id, collection).count(document_id)

    def forget_other_models(self, containers: Sequence[ContainerId]) -> int:
        removed = self._engine.delete_others({self._name(container_id) for container_id in containers})
        with self._lock:
            self._contents = {known: held for known, held in self._contents.items() if known in containers}
        return removed

    def counts(self, container_id: ContainerId) -> Mapping[DocumentId, int]:
        with self._engine.existing(self._name(container_id)) as collection, self._lock:
            if collection is None:
                return {}
            contents = self._known(container_id, collection)
            return {document_id: contents.count(document_id) for document_id in contents.documents}

    def _of_former_models(self, container_id: ContainerId, document_id: DocumentId, *, delete: bool) -> Iterator[int]:
        """Yield the number of rows of a document in each collection that is none of the present model's."""
        with self._lock:
            present = {self._name(container) for container in (*self._contents, container_id)}
        for name in self._engine.names():
            if name in present:
                continue
            with self._engine.existing(name) as collection, self._lock:
                if collection is None:
                    continue
                ids = collection.get(where={"document_id": document_id}, include=[])["ids"]
                for start in range(0, len(ids) if delete else 0, MAX_BATCH):
                    collection.delete(ids=ids[start : start + MAX_BATCH])
            yield len(ids)

    def _name(self, container_id: ContainerId) -> str:
        # Ids and fingerprints may be longer than the 63 characters of a collection's name, or hold others than it may.
        return "c-" + hashlib.sha256(f"{container_id}\n{self._fingerprint}".encode()).hexdigest()[:60]

    def _known(self, container_id: ContainerId, collection: Collection) -> Contents:
        """Return what the collection holds; read once, then kept in step by every write (call with the lock held)."""
        if container_id not in self._contents:
            self._contents[container_id] = _read_contents(collection)
        return self._contents[container_id]


def _read_contents(collection: Collection) -> Contents:
    contents = Contents()
    total = collection.count()
    for offset in range(0, total, MAX_BATCH):
        page = collection.get(limit=MAX_BATCH, offset=offset, include=["metadatas"])
        contents.add(_owners(page["ids"], page["metadatas"] or []))
    return contents


def _owners(ids: Sequence[str], metadatas: Sequence[Mapping[str, Any]]) -> Iterable[tuple[ChunkId, DocumentId]]:
    for chunk_id, metadata in zip(ids, metadatas, strict=True):
        yield ChunkId(chunk_id), DocumentId(str(metadata["document_id"]))


def _search(
    collection: Collection, vector: Vector, limit: int, where: dict[str, Any] | None, allowed: frozenset[DocumentId]
) -> list[Scored]:
    found = collection.query(
        query_embeddings=np.asarray([vector], dtype=np.float32),
        n_results=limit,
        where=where,
        include=["metadatas", "distances"],
    )
    ids, metadatas, distances = found["ids"][0], (found["metadatas"] or [[]])[0], (found["distances"] or [[]])[0]
    hits = [
        Scored(chunk_id, 1.0 - float(distance))
        for (chunk_id, document_id), distance in zip(_owners(ids, metadatas), distances, strict=True)
        if document_id in allowed
    ]
    return _best(hits, limit)


def _scan(
    collection: Collection, vector: Vector, limit: int, where: dict[str, Any] | None, allowed: frozenset[DocumentId]
) -> list[Scored]:
    found = collection.get(where=where, include=["metadatas", "embeddings"])
    if not found["ids"]:
        return []
    rows = np.asarray(found["embeddings"], dtype=np.float32)
    query = np.asarray(vector, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(query)
    similarities = (rows @ query) / np.where(lengths > 0, lengths, 1.0)
    hits = [
        Scored(chunk_id, float(similarity))
        for (chunk_id, document_id), similarity in zip(
            _owners(found["ids"], found["metadatas"] or []), similarities, strict=True
        )
        if document_id in allowed
    ]
    return _best(hits, limit)


def _best(hits: list[Scored], limit: int) -> list[Scored]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:limit]
