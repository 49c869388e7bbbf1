"""Another embedding model: which documents have no vectors of it yet, and the job that makes them."""

import threading
from collections.abc import Iterable, Iterator, Sequence

from workbench.domain.chunks import Chunk
from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.jobs import JobProgress, JobStatus
from workbench.domain.values import Value
from workbench.services.ports import Embedder, Jobs, JobStep, LibraryStore, Progress, VectorIndex, VectorRow

KIND = "embed-anew"
BATCH = 16


class ContainerVectors(Value):
    """A container's documents, and how many of them have no vectors of the present model."""

    container_id: ContainerId
    name: str
    documents: int
    missing: int


class IndexStatus(Value):
    """Whether the vectors are those of the present embedding model. ``model`` is its fingerprint; ``containers`` are those
    in which documents lack vectors; ``job`` is the newest attempt to make them."""

    model: str
    containers: tuple[ContainerVectors, ...] = ()
    job: JobStatus | None = None
    progress: JobProgress | None = None

    @property
    def missing(self) -> int:
        return sum(container.missing for container in self.containers)

    @property
    def running(self) -> bool:
        return self.job is not None and not self.job.state.ended


class Reindex:
    """Brings the vector index to the present embedding model.

    Vectors of different models are kept apart by the index and never compared. While the job runs the search goes on: what
    has no vectors yet is found by words. ``Jobs`` must not have been resumed when this is built.
    """

    def __init__(self, store: LibraryStore, vectors: VectorIndex, embedder: Embedder, jobs: Jobs) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder
        self._jobs = jobs
        self._lock = threading.Lock()
        self._missing: dict[ContainerId, frozenset[DocumentId]] = {}
        jobs.register(KIND, [JobStep("embed", self._embed), JobStep("forget", self._forget)])

    def status(self) -> IndexStatus:
        """Count the documents without vectors, container by container."""
        found = []
        for container in self._store.containers():
            searchable = self._searchable(container.id)
            missing = self._look_up(container.id)
            if missing:
                found.append(
                    ContainerVectors(
                        container_id=container.id, name=container.name, documents=len(searchable), missing=len(missing)
                    )
                )
        return IndexStatus(
            model=self._embedder.fingerprint,
            containers=tuple(found),
            job=self._jobs.status(self._job_id),
            progress=self._jobs.progress(self._job_id),
        )

    def start(self) -> None:
        """Queue the job, or do nothing where it is queued or runs."""
        held = self._jobs.status(self._job_id)
        if held is None:
            self._jobs.enqueue(KIND, self._job_id, self._embedder.fingerprint)
        elif held.state.ended:
            self._jobs.retry(self._job_id)

    def missing(self, containers: Iterable[ContainerId]) -> frozenset[DocumentId]:
        """Return the documents of the containers without vectors of the present model. Quick where there are none."""
        found: frozenset[DocumentId] = frozenset()
        for container_id in containers:
            with self._lock:
                known = self._missing.get(container_id)
            # What is known to be whole stays so: every new document is embedded by the present model.
            found |= self._look_up(container_id) if known is None or known else frozenset()
        return found

    # --- the job -----------------------------------------------------------------------------------------------------

    def _embed(self, _: str, report: Progress) -> None:
        documents = [
            document
            for container in self._store.containers()
            for document in self._searchable(container.id)
            if document.id in self._look_up(container.id)
        ]
        done, total = 0, sum(document.chunk_count for document in documents)
        report(done, total)
        for document in documents:
            for batch in _batches(self._store.document_chunks(document.id)):
                vectors = self._embedder.embed_passages([chunk.indexed_text for chunk in batch])
                report(done, total)
                if self._store.document(document.id) is None:
                    break  # deleted meanwhile: no row of it may come back
                rows = [VectorRow(one.id, document.id, vector) for one, vector in zip(batch, vectors, strict=True)]
                self._vectors.upsert(document.container_id, rows)
                done += len(batch)
                report(done, total)
            if self._store.document(document.id) is None:
                self._vectors.delete_document(document.container_id, document.id)

    def _forget(self, _: str, report: Progress) -> None:
        """Remove the vectors of other models, once there is nothing that only they know."""
        report(0, 1)
        containers = [container.id for container in self._store.containers()]
        if not any(self._look_up(container_id) for container_id in containers):
            self._vectors.forget_other_models(containers)
        report(1, 1)

    # --- looking up --------------------------------------------------------------------------------------------------

    @property
    def _job_id(self) -> str:
        return f"{KIND}:{self._embedder.fingerprint}"

    def _searchable(self, container_id: ContainerId) -> list[Document]:
        return [
            document
            for document in self._store.documents([container_id])
            if document.state is DocumentState.READY and document.replaced_by is None and document.chunk_count
        ]

    def _look_up(self, container_id: ContainerId) -> frozenset[DocumentId]:
        held = self._vectors.counts(container_id)
        missing = frozenset(
            document.id
            for document in self._searchable(container_id)
            if held.get(document.id, 0) < document.chunk_count
        )
        with self._lock:
            self._missing[container_id] = missing
        return missing


def _batches(chunks: Sequence[Chunk]) -> Iterator[Sequence[Chunk]]:
    for start in range(0, len(chunks), BATCH):
        yield chunks[start : start + BATCH]
