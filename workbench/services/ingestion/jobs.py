"""Ingestion as jobs: uploads are taken in at once, worked on in the background, and taken up again after a crash."""

import hashlib
import logging
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import ContainerId, DocumentId, new_id
from workbench.domain.jobs import JobState, JobStatus
from workbench.domain.rights import Access, Action, require
from workbench.services.ingestion.names import safe_name
from workbench.services.ingestion.pipeline import Pipeline
from workbench.services.ingestion.samples import CONTAINER, samples
from workbench.services.ingestion.startup import StartUpCheck
from workbench.services.ingestion.uploads import (
    FileProgress,
    Upload,
    UploadOutcome,
    UploadStatus,
    overall,
)
from workbench.services.ingestion.versions import ENDED_EARLY, current_of_name, next_version, same_bytes
from workbench.services.library import Library
from workbench.services.ports import (
    Blobs,
    Clock,
    DocumentReader,
    Embedder,
    Jobs,
    KeywordIndex,
    LanguageDetector,
    LibraryStore,
    TableStore,
    VectorIndex,
)

__all__ = ["FileProgress", "Ingestion", "Upload", "UploadOutcome", "UploadStatus", "overall"]

log = logging.getLogger(__name__)

INGEST, REINDEX = "ingest", "reindex"
_STAGES = {
    "read": DocumentState.READING,
    "chunk": DocumentState.CHUNKING,
    "embed": DocumentState.EMBEDDING,
    "index": DocumentState.INDEXING,
}
_LET_GO_SECONDS = 30.0


class Ingestion:
    """Takes uploads in and has them worked off as jobs. ``jobs`` begins to work once its own ``resume`` is called."""

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
        tables: TableStore,
        clock: Clock,
        jobs: Jobs,
    ) -> None:
        self._library = library
        self._store = store
        self._blobs = blobs
        self._clock = clock
        self._jobs = jobs
        self._pipeline = Pipeline(
            library=library,
            store=store,
            vectors=vectors,
            keywords=keywords,
            embedder=embedder,
            blobs=blobs,
            reader=reader,
            languages=languages,
            tables=tables,
        )
        jobs.register(INGEST, self._pipeline.ingest)
        jobs.register(REINDEX, self._pipeline.reindex)
        self._check = StartUpCheck(store, vectors, keywords, rebuild=self._rebuild, clear=self._pipeline.clear)
        self._taking_in = threading.Lock()
        self._started = threading.Event()
        self._started.set()
        self._starting: threading.Thread | None = None

    # --- taking in ---------------------------------------------------------------------------------------------------

    def submit(self, access: Access, container_id: ContainerId, uploads: Sequence[Upload]) -> list[UploadOutcome]:
        """Take files into a container and queue them.

        Raises NotFound where the container is missing or not the user's, NotAllowed where the user may only read there.

        The same bytes again in the same container are the document that is already there; if that one failed or was
        cancelled, it is tried again under its new name and tags. Other bytes under a name that the container has are a new
        version of that document: it takes the old one's place once it is ready, and has its tags unless it brings some.
        """
        self._library.container(access, container_id)
        require(access, container_id, Action.EDIT)
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

    def _take_in(self, container_id: ContainerId, upload: Upload) -> UploadOutcome:
        name = safe_name(upload.name)
        try:
            with self._taking_in:
                return self._taken(container_id, upload, name)
        except OSError as error:
            log.exception("a file could not be stored")
            reason = (
                f"{name} could not be stored: {error.strerror or error}. Check the free space of the data directory."
            )
            return UploadOutcome(name, None, UploadStatus.REFUSED, reason)

    def _taken(self, container_id: ContainerId, upload: Upload, name: str) -> UploadOutcome:
        """Decide which document a file is; raise OSError where there is no room for it."""
        content_hash = hashlib.sha256(upload.data).hexdigest()
        held = self._store.documents([container_id])
        known = self._with_file(same_bytes(held, content_hash), upload.data)
        if known is not None and known.state not in ENDED_EARLY:
            return UploadOutcome(name, known.id, UploadStatus.ALREADY_THERE)
        current = None if known else current_of_name(held, name)
        document = self._document(container_id, upload, name, content_hash)
        status = UploadStatus.QUEUED
        if known is not None:
            kept = {"id": known.id, "version": known.version, "first_version": known.first_version}
            document, status = document.model_copy(update=kept), UploadStatus.RETRIED
            self._jobs.wait([_job_id(known.id)], _LET_GO_SECONDS)
        elif current is not None:
            document, status = _version_of(current, document, next_version(held, current)), UploadStatus.NEW_VERSION
        self._library.add(document, upload.data)
        self._begin(document.id)
        return UploadOutcome(name, document.id, status)

    def _with_file(self, known: Document | None, data: bytes) -> Document | None:
        """Return what a document is now that its file is certainly there: an earlier upload may have been broken off."""
        if known is None:
            return None
        with self._library.records:
            known = self._store.document(known.id)
            if known is not None and known.state.working:
                self._blobs.put(data)
        return known

    def _document(self, container_id: ContainerId, upload: Upload, name: str, content_hash: str) -> Document:
        return Document(
            id=DocumentId(new_id("doc")),
            container_id=container_id,
            name=name,
            size=len(upload.data),
            content_hash=content_hash,
            tags=tuple(dict.fromkeys(upload.tags)),
            dated=upload.dated,
            language=upload.language,
            uploaded_at=self._clock.now(),
        )

    # --- following ---------------------------------------------------------------------------------------------------

    def progress(self, access: Access, document_ids: Iterable[DocumentId]) -> list[FileProgress]:
        """Return where documents stand; those that are gone or not the user's are left out. See :func:`overall`."""
        found = [self._store.document(document_id) for document_id in document_ids]
        return [self._progress(document) for document in found if document and access.may_see(document.container_id)]

    def wait(self, document_ids: Iterable[DocumentId], timeout: float | None = None) -> bool:
        """Wait until no work on the documents is left, at most ``timeout`` seconds; tell whether that is so."""
        ids = list(document_ids)
        if not self._started.wait(timeout):
            return False
        return self._jobs.wait([job_id for each in ids for job_id in (_job_id(each), _job_id(each, REINDEX))], timeout)

    def jobs(self, access: Access, document_id: DocumentId) -> list[JobStatus]:
        """Return every attempt at a document, the newest first; raise NotFound where it is missing or not the user's."""
        document = self._library.document(access, document_id)
        found = [each for kind in (INGEST, REINDEX) for each in self._jobs.jobs(job_id=_job_id(document.id, kind))]
        return sorted(found, key=lambda status: status.queued_at, reverse=True)

    def _progress(self, document: Document) -> FileProgress:
        job = self._jobs.progress(_job_id(document.id)) or self._jobs.progress(_job_id(document.id, REINDEX))
        in_step = job is not None and _STAGES.get(job.step) is document.state
        return FileProgress(
            document_id=document.id,
            name=document.display_name,
            state=document.state,
            stage=document.state.value,
            done=job.done if job and in_step else 0,
            total=job.total if job and in_step else 0,
            error=document.error,
        )

    # --- cancelling and trying again ---------------------------------------------------------------------------------

    def cancel(self, access: Access, document_id: DocumentId) -> Document:
        """Stop the work on a document and remove what it has made; its record and file stay, to be retried or deleted.

        A document that is not in work is returned as it is. Raises NotFound where it is missing or not the user's, NotAllowed
        where the user may only read there.
        """
        document = self._library.document_for(access, document_id, Action.EDIT)
        with self._library.records:
            document = self._store.document(document_id) or document
            if not document.state.working:
                return document
            document = self._library.change(document_id, state=DocumentState.CANCELLED, error="") or document
        for kind in (INGEST, REINDEX):
            self._jobs.cancel(_job_id(document_id, kind))
        # A step that is at work clears up after itself; of a job that never began there is nothing else that would.
        self._pipeline.clear(document)
        return self._store.document(document_id) or document

    def retry(self, access: Access, document_id: DocumentId) -> Document:
        """Work on a failed or cancelled document again, from the file that was kept; return its new state.

        Raises NotFound and NotAllowed as ``cancel`` does, PinciteError where it is in work, is ready or has no file.
        """
        document = self._library.document_for(access, document_id, Action.EDIT)
        if document.state not in ENDED_EARLY:
            raise PinciteError(
                f"{document.display_name} is {document.state.value}: there is nothing to retry.",
                "Look at the list of documents again.",
            )
        try:
            self._blobs.path(document.content_hash)
        except NotFound as error:
            raise PinciteError(
                f"The file of {document.display_name} was not kept, because it could not be read.", "Upload it again."
            ) from error
        with self._taking_in:
            self._jobs.wait([_job_id(document_id)], _LET_GO_SECONDS)
            changed = self._library.change(document_id, state=DocumentState.QUEUED, error="")
            self._begin(document_id)
        return changed or document

    def let_go(self, document_id: DocumentId, timeout: float) -> bool:
        """End the work on a deleted document and forget its jobs; tell whether it ended within ``timeout`` seconds."""
        job_ids = [_job_id(document_id, kind) for kind in (INGEST, REINDEX)]
        for job_id in job_ids:
            self._jobs.cancel(job_id)
        if not self._jobs.wait(job_ids, timeout):
            return False
        for job_id in job_ids:
            self._jobs.forget(job_id)
        return True

    # --- beginning and ending ----------------------------------------------------------------------------------------

    def resume(self) -> list[DocumentId]:
        """Take up what an ended process left unfinished, and return the ids. To be called once, at the start.

        In the background the indexes are compared with the documents, and what does not match is mended.
        """
        every = self._store.documents([container.id for container in self._store.containers()])
        unfinished = [document for document in reversed(every) if document.state.working]
        if unfinished:
            log.warning("taking up %d documents of an earlier run", len(unfinished))
        if every:
            self._started.clear()
            self._starting = threading.Thread(
                target=self._take_up, args=(unfinished,), name="ingestion-start", daemon=True
            )
            self._starting.start()
        return [document.id for document in unfinished]

    def close(self) -> None:
        """Stop at the next report of the steps at work; what is unfinished is taken up at the next start."""
        self._check.stop()
        self._jobs.close()
        if self._starting is not None:
            self._starting.join(_LET_GO_SECONDS)

    def _take_up(self, unfinished: Sequence[Document]) -> None:
        try:
            for document in unfinished:
                self._go_on(document)
        except PinciteError:
            log.exception("the work of an earlier run could not be taken up")
        finally:
            self._started.set()
        self._check.run()

    def _go_on(self, document: Document) -> None:
        """See to it that a document in work has a job that is. Where the process ended between the two, it has none."""
        kinds = (INGEST, REINDEX)
        held = [status for kind in kinds if (status := self._jobs.status(_job_id(document.id, kind))) is not None]
        if any(not status.state.ended for status in held):
            return
        current = self._store.document(document.id)
        if current is None or not current.state.working:  # its job has come to its end meanwhile
            return
        newest = max(held, key=lambda status: status.queued_at, default=None)
        if newest is not None and newest.state is JobState.FAILED:
            self._pipeline.fail(document.id, f"{document.name} could not be read in. {newest.error}")
            return
        self._library.change(document.id, state=DocumentState.QUEUED)
        self._begin(document.id)

    def _begin(self, document_id: DocumentId, kind: str = INGEST) -> None:
        """Queue a job for a document that has none at work."""
        job_id = _job_id(document_id, kind)
        if self._jobs.status(job_id) is None:
            self._jobs.enqueue(kind, job_id, document_id)
        else:
            self._jobs.retry(job_id)

    def _rebuild(self, document: Document) -> None:
        """Take a ready document out of the search and index it again: from its passages where they are all there."""
        whole = len(self._store.document_chunks(document.id)) == document.chunk_count
        state = DocumentState.EMBEDDING if whole else DocumentState.QUEUED
        if self._library.change(document.id, state=state) is not None:
            self._begin(document.id, REINDEX if whole else INGEST)


def _version_of(current: Document, document: Document, version: int) -> Document:
    """Return a document as the next version of another: of its series, hidden like it, with its tags unless it has some."""
    return document.model_copy(
        update={
            "version": version,
            "first_version": current.series,
            "hidden": current.hidden,
            "tags": document.tags or current.tags,
            "dismissed": current.dismissed,
        }
    )


def _job_id(document_id: DocumentId, kind: str = INGEST) -> str:
    return f"{kind}:{document_id}"
