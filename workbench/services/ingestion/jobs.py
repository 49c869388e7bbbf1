"""Ingestion as jobs: uploads are taken in at once, worked on in the background, and taken up again after a crash."""

import hashlib
import logging
import threading
from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.errors import NotFound
from workbench.domain.ids import ContainerId, DocumentId, new_id
from workbench.domain.scope import Access
from workbench.domain.tags import Tag
from workbench.services.ingestion.names import safe_name
from workbench.services.ingestion.pipeline import Pipeline
from workbench.services.ingestion.samples import CONTAINER, samples
from workbench.services.ingestion.workers import Workers
from workbench.services.library import Library
from workbench.services.ports import (
    Blobs,
    Clock,
    DocumentReader,
    Embedder,
    KeywordIndex,
    LanguageDetector,
    LibraryStore,
    VectorIndex,
)

log = logging.getLogger(__name__)


class Upload(NamedTuple):
    """A file as it came: its name for display, its bytes, and what is known about it."""

    name: str
    data: bytes
    tags: tuple[Tag, ...] = ()
    dated: date | None = None
    language: str | None = None


class UploadStatus(StrEnum):
    QUEUED = "queued"
    RETRIED = "retried"
    ALREADY_THERE = "already there"
    REFUSED = "refused"


class UploadOutcome(NamedTuple):
    """What became of an upload: the document it is now, new or not, or why it could not even be stored.

    Whether the file can be read is not known yet; its progress tells.
    """

    name: str
    document_id: DocumentId | None
    status: UploadStatus
    error: str = ""


class FileProgress(NamedTuple):
    """Where a document stands. ``done`` of ``total`` counts pages or passages of the stage; 0 of 0 before it is known."""

    document_id: DocumentId
    name: str
    state: DocumentState
    stage: str
    done: int
    total: int
    error: str


class _Job:
    """A document in work: how far it is, and whether it has ended."""

    def __init__(self) -> None:
        self.done = 0
        self.total = 0
        self.state = DocumentState.QUEUED
        self.ended = threading.Event()

    def report(self, state: DocumentState, done: int, total: int) -> None:
        self.state, self.done, self.total = state, done, total


class Ingestion:
    """Takes uploads in and works them off on ``workers`` threads of its own."""

    def __init__(
        self,
        *,
        library: Library,
        store: LibraryStore,
        vectors: VectorIndex,
        keywords: KeywordIndex,
        embedder: Embedder,
        blobs: Blobs,
        reader: DocumentReader,
        languages: LanguageDetector,
        clock: Clock,
        workers: int = 1,
    ) -> None:
        self._library = library
        self._store = store
        self._blobs = blobs
        self._clock = clock
        self._pipeline = Pipeline(
            library=library,
            store=store,
            vectors=vectors,
            keywords=keywords,
            embedder=embedder,
            blobs=blobs,
            reader=reader,
            languages=languages,
        )
        self._workers = Workers(workers, "ingestion")
        self._taking_in = threading.Lock()
        self._jobs: dict[DocumentId, _Job] = {}

    def submit(self, access: Access, container_id: ContainerId, uploads: Sequence[Upload]) -> list[UploadOutcome]:
        """Take files into a container and queue them; raise NotFound where the container is not the user's.

        The same bytes again in the same container are the document that is already there; if that one failed, it is tried
        again under its new name and tags.
        """
        self._library.container(access, container_id)
        return [self._take_in(container_id, upload) for upload in uploads]

    def load_samples(self, access: Access, directory: Path) -> tuple[Container, list[UploadOutcome]]:
        """Take in the sample contracts of a folder, into a container of their own; doing it again changes nothing."""
        container = self._library.ensure_container(access, CONTAINER)
        access = self._library.access(access.user_id)
        uploads = [
            Upload(sample.file, data, sample.labels, sample.date, sample.language)
            for sample, data in samples(directory)
        ]
        return container, self.submit(access, container.id, uploads)

    def progress(self, access: Access, document_ids: Iterable[DocumentId]) -> list[FileProgress]:
        """Return where documents stand; those that are gone or not the user's are left out."""
        found = [self._store.document(document_id) for document_id in document_ids]
        return [self._progress(document) for document in found if document and access.may_see(document.container_id)]

    def wait(self, document_ids: Iterable[DocumentId], timeout: float | None = None) -> bool:
        """Wait until the documents are ready or failed, at most ``timeout`` seconds each; tell whether they are."""
        jobs = [self._jobs.get(document_id) for document_id in document_ids]
        return all(job.ended.wait(timeout) for job in jobs if job is not None)

    def resume(self) -> list[DocumentId]:
        """Take up what an ended process left unfinished, and return the ids. To be called once, at the start."""
        every = self._store.documents([container.id for container in self._store.containers()])
        unfinished = [document for document in reversed(every) if document.state.working]
        if unfinished:
            log.warning("taking up %d documents of an earlier run", len(unfinished))
        for document in unfinished:
            self._library.change(document.id, state=DocumentState.QUEUED)
            self._queue(document.id)
        return [document.id for document in unfinished]

    def close(self) -> None:
        """Stop after the document in work; what is still queued is taken up at the next start."""
        self._workers.close()

    def _take_in(self, container_id: ContainerId, upload: Upload) -> UploadOutcome:
        name = safe_name(upload.name)
        content_hash = hashlib.sha256(upload.data).hexdigest()
        with self._taking_in:
            known = self._store.document_with_hash(container_id, content_hash)
            if known is not None and known.state is not DocumentState.FAILED:
                return UploadOutcome(name, known.id, UploadStatus.ALREADY_THERE)
            document = Document(
                id=known.id if known else DocumentId(new_id("doc")),
                container_id=container_id,
                name=name,
                size=len(upload.data),
                content_hash=content_hash,
                tags=tuple(dict.fromkeys(upload.tags)),
                dated=upload.dated,
                language=upload.language,
                uploaded_at=self._clock.now(),
            )
            try:
                self._library.add(document, upload.data)
            except OSError as error:
                log.exception("%s could not be stored", document.id)
                return UploadOutcome(
                    name,
                    None,
                    UploadStatus.REFUSED,
                    f"{name} could not be stored: {error.strerror or error}. Check the free space of the data directory.",
                )
            self._queue(document.id)
        return UploadOutcome(name, document.id, UploadStatus.RETRIED if known else UploadStatus.QUEUED)

    def _queue(self, document_id: DocumentId) -> None:
        job = _Job()
        self._jobs[document_id] = job
        self._workers.submit(lambda: self._work(document_id, job))

    def _work(self, document_id: DocumentId, job: _Job) -> None:
        try:
            document = self._store.document(document_id)
            if document is None:
                return
            try:
                data = self._blobs.path(document.content_hash).read_bytes()
            except (NotFound, OSError):
                log.exception("the file of %s cannot be read", document_id)
                self._pipeline.fail(document, f"The file of {document.name} is gone. Upload it again.")
                return
            self._pipeline.ingest(document, data, job.report)
        except Exception:
            # Not even the failure could be stored (a full disk, say). The worker goes on; the record stays as it was and is
            # taken up at the next start.
            log.exception("ingestion of %s broke off", document_id)
        finally:
            with self._taking_in:
                # A failed document may have been queued anew already.
                if self._jobs.get(document_id) is job:
                    del self._jobs[document_id]
            job.ended.set()

    def _progress(self, document: Document) -> FileProgress:
        job = self._jobs.get(document.id)
        in_step = job is not None and job.state is document.state
        return FileProgress(
            document_id=document.id,
            name=document.display_name,
            state=document.state,
            stage=document.state.value,
            done=job.done if job and in_step else 0,
            total=job.total if job and in_step else 0,
            error=document.error,
        )
