"""Cancelling and retrying: a cancelled document leaves a record and nothing else, and can be taken up again."""

import threading
from collections.abc import Sequence

import pytest

from tests.services.ingestion.conftest import USER, Bench, Make
from workbench.adapters.clock import SystemClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.domain.documents import Document, DocumentState
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.jobs import JobState
from workbench.domain.scope import Access
from workbench.services.ingestion.jobs import Upload, UploadStatus, overall
from workbench.services.ports import Vector

pytestmark = pytest.mark.req("LIB-7")

STRANGER = Access(user_id=USER, containers=frozenset())
TEXT = "\n\n".join(f"{n}. Delivery\n\n" + "The Supplier delivers within thirty days. " * 25 for n in range(1, 61))
LONG = Upload("long.txt", TEXT.encode())
SHORT = Upload("short.txt", b"Payment is due within 30 days.")


class Stalling(HashingEmbedder):
    """Waits at its n-th batch until it is let go."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.batches: list[int] = []
        self.entered, self.gate = threading.Event(), threading.Event()

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.batches.append(len(texts))
        if len(self.batches) == self.at:
            self.entered.set()
            assert self.gate.wait(30)
        return super().embed_passages(texts)


def stalled(make: Make, at: int = 2, blobs: MemoryBlobs | None = None) -> tuple[Bench, Stalling, DocumentId]:
    """Return a bench whose document is in the middle of embedding."""
    embedder = Stalling(at)
    bench = make(embedder=embedder, blobs=blobs or MemoryBlobs())
    [outcome] = bench.ingestion.submit(bench.access, bench.container.id, [LONG])
    assert outcome.document_id is not None
    assert embedder.entered.wait(30)
    return bench, embedder, outcome.document_id


def cancelled(make: Make, blobs: MemoryBlobs | None = None) -> tuple[Bench, Document]:
    bench, embedder, document_id = stalled(make, blobs=blobs)
    assert bench.ingestion.cancel(bench.access, document_id).state is DocumentState.CANCELLED
    embedder.gate.set()
    assert bench.ingestion.wait([document_id], timeout=60)
    return bench, bench.document(document_id)


def test_a_cancelled_document_leaves_a_record_and_its_file_only(make: Make) -> None:
    blobs = MemoryBlobs()
    bench, document = cancelled(make, blobs)
    assert (document.state, document.error, document.page_count, document.chunk_count) == ("cancelled", "", 0, 0)
    assert bench.rows(document) == (0, 0, 0)
    assert bench.library.page_outlines(bench.access, document.id) == []
    assert blobs.path(document.content_hash).read_bytes() == LONG.data
    assert document.canonical_hash == ""
    assert not document.searchable


def test_a_cancelled_document_is_retried_from_its_file(make: Make) -> None:
    bench, document = cancelled(make)
    assert bench.ingestion.retry(bench.access, document.id).state is DocumentState.QUEUED
    assert bench.ingestion.wait([document.id], timeout=60)
    document = bench.document(document.id)
    assert document.state is DocumentState.READY
    assert bench.rows(document) == (document.chunk_count,) * 3
    states = [(status.attempt, status.state) for status in bench.ingestion.jobs(bench.access, document.id)]
    assert states == [(2, JobState.DONE), (1, JobState.CANCELLED)]


def test_a_cancelled_document_is_retried_by_its_bytes_too(make: Make) -> None:
    bench, document = cancelled(make)
    [outcome] = bench.ingestion.submit(bench.access, bench.container.id, [LONG])
    assert (outcome.document_id, outcome.status) == (document.id, UploadStatus.RETRIED)
    assert bench.ingestion.wait([document.id], timeout=60)
    assert bench.document(document.id).state is DocumentState.READY


def test_a_document_that_waits_is_cancelled_before_it_begins(make: Make) -> None:
    bench, embedder, first = stalled(make)
    [outcome] = bench.ingestion.submit(bench.access, bench.container.id, [SHORT])
    assert outcome.document_id is not None
    bench.ingestion.cancel(bench.access, outcome.document_id)
    embedder.gate.set()
    assert bench.ingestion.wait([first, outcome.document_id], timeout=60)
    assert bench.document(first).state is DocumentState.READY
    assert bench.document(outcome.document_id).state is DocumentState.CANCELLED


def test_what_has_ended_cannot_be_cancelled(bench: Bench) -> None:
    [document] = bench.ingest(SHORT)
    assert bench.ingestion.cancel(bench.access, document.id) == document
    assert bench.document(document.id).searchable


def test_a_file_that_was_not_kept_has_to_be_uploaded_again(bench: Bench) -> None:
    [empty] = bench.ingest(SHORT._replace(data=b""))
    with pytest.raises(PinciteError, match="was not kept, because it could not be read") as refused:
        bench.ingestion.retry(bench.access, empty.id)
    assert "Upload it again" in refused.value.advice


@pytest.mark.parametrize("act", ["cancel", "retry", "jobs"])
def test_another_ones_document_is_not_found(bench: Bench, act: str) -> None:
    [document] = bench.ingest(SHORT)
    with pytest.raises(NotFound):
        getattr(bench.ingestion, act)(STRANGER, document.id)


def test_progress_counts_passages_and_adds_up(make: Make) -> None:
    bench, embedder, first = stalled(make)
    [outcome] = bench.ingestion.submit(bench.access, bench.container.id, [SHORT])
    assert outcome.document_id is not None
    files = bench.ingestion.progress(bench.access, [first, outcome.document_id])
    total = bench.document(first).chunk_count
    assert [(file.stage, file.done, file.total) for file in files] == [("embedding", 16, total), ("queued", 0, 0)]
    assert 0.2 < files[0].fraction < 0.95
    assert overall(files) == pytest.approx(files[0].fraction / 2)
    embedder.gate.set()
    assert bench.ingestion.wait([first, outcome.document_id], timeout=60)
    assert overall(bench.ingestion.progress(bench.access, [first, outcome.document_id])) == 1.0


def test_embedding_goes_on_where_an_ended_process_stopped(make: Make) -> None:
    """The vectors of the batches that were written are not computed again."""
    jobs = MemoryJobs(SystemClock(), workers=1)
    embedder = Stalling(at=3)
    first = make(embedder=embedder, jobs=jobs)
    [outcome] = first.ingestion.submit(first.access, first.container.id, [LONG])
    assert outcome.document_id is not None
    assert embedder.entered.wait(30)
    threading.Timer(0.05, embedder.gate.set).start()
    first.ingestion.close()
    document = first.document(outcome.document_id)
    written = first.rows(document)[0]
    assert (document.state, document.searchable, written) == (DocumentState.EMBEDDING, False, 3 * 16)

    again = Stalling(at=0)
    second = make(
        store=first.store,
        vectors=first.vectors,
        keywords=first.keywords,
        blobs=first.blobs,
        embedder=again,
        jobs=MemoryJobs(SystemClock(), workers=1, earlier=jobs),
    )
    second.ingestion.resume()
    assert second.ingestion.wait([document.id], timeout=60)
    document = second.document(document.id)
    assert document.state is DocumentState.READY
    assert sum(again.batches) == document.chunk_count - written
    assert second.rows(document) == (document.chunk_count,) * 3
