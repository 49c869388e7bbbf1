"""One search: scope -> candidates -> fusion -> cut-off, over the ports. It knows nothing of turns or models."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench.domain.documents import Document
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.domain.scope import Scope
from workbench.services.ports import Embedder, KeywordIndex, LibraryStore, Scored, VectorIndex
from workbench.services.retrieval.naming import strip_names
from workbench.services.retrieval.ranking import Cutoff, Fused, Ranked, cut, fuse, merged

CANDIDATES = 100
"""How many candidates each engine gives; min-max fusion was measured at this depth."""

VECTOR_WEIGHT = 0.5


class SearchOutcome(NamedTuple):
    """What a search found. ``query`` is the text that ran; ``documents`` those in scope by id; ``note`` says in words why
    nothing was found, and is empty otherwise."""

    query: str
    documents: dict[DocumentId, Document]
    containers: dict[ContainerId, str]
    candidates: int
    kept: list[Ranked]
    cut: list[Ranked]
    note: str = ""


class Search:
    """Hybrid retrieval inside a scope."""

    def __init__(
        self,
        store: LibraryStore,
        vectors: VectorIndex,
        keywords: KeywordIndex,
        embedder: Embedder,
        cutoff: Cutoff | None = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._keywords = keywords
        self._embedder = embedder
        self._cutoff = cutoff or Cutoff()

    @property
    def passages(self) -> int:
        """How many passages a search gives at most, where nothing else is asked for."""
        return self._cutoff.at_most

    def documents(self, scope: Scope) -> list[Document]:
        """Return the searchable documents of the scope, newest first."""
        return [document for document in self._store.documents(scope.containers) if scope.admits(document)]

    def run(self, scope: Scope, query: str, at_most: int | None = None) -> SearchOutcome:
        """Search the scope for ``query``; ``at_most`` replaces the number of passages kept.

        The outcome is empty, with a note, where the scope holds no document or nothing fits.
        """
        documents = {document.id: document for document in self.documents(scope)}
        containers = {c.id: c for c in self._store.containers() if c.id in scope.containers}
        names = {container.id: container.name for container in containers.values()}
        if any(filters.document_ids is not None for filters in scope.filters):
            query = strip_names(query, documents.values(), containers.values())
        if not documents:
            note = "No searchable document is in scope: the filters exclude all of them, or none is ready yet."
            return SearchOutcome(query, documents, names, 0, [], [], note)
        if not query.strip():
            return SearchOutcome(query, documents, names, 0, [], [], "The query is empty.")
        fused = self._candidates(documents, query)
        cutoff = self._cutoff if at_most is None else self._cutoff._replace(at_most=at_most)
        kept, dropped = cut(fused, cutoff)
        note = "" if kept else "Nothing in scope comes close to this query: all candidates are below the threshold."
        reasons = {hit.chunk_id: reason for hit, reason in dropped}
        return SearchOutcome(
            query,
            documents,
            names,
            len(fused),
            self._load(kept, {}),
            self._load([h for h, _ in dropped], reasons),
            note,
        )

    def _candidates(self, documents: dict[DocumentId, Document], query: str) -> list[Fused]:
        by_container: dict[ContainerId, set[DocumentId]] = {}
        for document in documents.values():
            by_container.setdefault(document.container_id, set()).add(document.id)
        vector = self._embedder.embed_query(query)

        def ask(engine: Callable[[ContainerId, frozenset[DocumentId]], list[Scored]]) -> list[Scored]:
            return merged((engine(c, frozenset(ids)) for c, ids in by_container.items()), CANDIDATES)

        near = ask(lambda container, ids: self._vectors.query(container, vector, CANDIDATES, ids))
        worded = ask(lambda container, ids: self._keywords.query(container, query, CANDIDATES, ids))
        return fuse(near, worded, VECTOR_WEIGHT)

    def _load(self, hits: Sequence[Fused], reasons: dict[ChunkId, str]) -> list[Ranked]:
        chunks = {chunk.id: chunk for chunk in self._store.chunks([hit.chunk_id for hit in hits])}
        return [
            Ranked(chunks[hit.chunk_id], hit.score, reasons.get(hit.chunk_id, ""))
            for hit in hits
            if hit.chunk_id in chunks
        ]
