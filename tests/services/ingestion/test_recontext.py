"""A supplier that is set later reaches the passages: the store and both indexes, and citations stay."""

from collections.abc import Sequence
from threading import Event

import pytest

from tests.services.ingestion.conftest import Bench
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.domain.documents import Document
from workbench.domain.errors import PinciteError
from workbench.domain.tags import Tag
from workbench.services.ingestion.jobs import Upload
from workbench.services.ingestion.recontext import Recontext
from workbench.services.labels import Labels
from workbench.services.ports import Vector

TERMS = b"Payment terms\n\nInvoices are due after thirty days.\n\nLate payments bear interest."
KARSEN = Tag(key="supplier", value="Karsen Energi")


def hits(bench: Bench, document: Document, words: str) -> int:
    return len(bench.keywords.query(document.container_id, words, 10, frozenset({document.id})))


def test_passages_are_found_by_a_supplier_that_was_set_later(bench: Bench) -> None:
    (document,) = bench.ingest(Upload("terms.txt", TERMS, (Tag(key="supplier", value="Old Name"),)))
    jobs = MemoryJobs(FixedClock())
    contexts = Recontext(bench.library, bench.store, bench.vectors, bench.keywords, HashingEmbedder(), jobs)
    jobs.resume()
    before = bench.store.document_chunks(document.id)
    assert (hits(bench, document, "Karsen"), hits(bench, document, "Old Name")) == (0, len(before))
    labels = Labels(bench.library, on_context=contexts.queue)
    labels.replace_tags(bench.access, document.id, [KARSEN])
    queued = [status.job_id for status in jobs.jobs("context")]
    assert jobs.wait(queued, timeout=10)
    after = bench.store.document_chunks(document.id)
    assert [(each.id, each.text, each.segments) for each in after] == [
        (each.id, each.text, each.segments) for each in before
    ]
    assert all("Karsen Energi" in each.context and "Old Name" not in each.context for each in after)
    assert (hits(bench, document, "Karsen"), hits(bench, document, "Old Name")) == (len(after), 0)
    assert bench.rows(bench.document(document.id)) == (len(after),) * 3
    jobs.close()


def test_nothing_is_written_where_nothing_changed_or_the_document_is_gone(bench: Bench) -> None:
    (document,) = bench.ingest(Upload("terms.txt", TERMS, (KARSEN,)))
    jobs = MemoryJobs(FixedClock())
    contexts = Recontext(bench.library, bench.store, bench.vectors, bench.keywords, HashingEmbedder(), jobs)
    assert contexts.run(document.id, lambda *_: None) == 0
    bench.store.delete_document(document.id)
    assert contexts.run(document.id, lambda *_: None) == 0
    jobs.close()


def test_passages_that_would_be_cut_otherwise_today_are_left_alone(bench: Bench) -> None:
    (document,) = bench.ingest(Upload("terms.txt", TERMS))
    chunks = bench.store.document_chunks(document.id)
    bench.store.save_chunks(document.id, [chunks[0].model_copy(update={"text": "cut by an earlier version"})])
    jobs = MemoryJobs(FixedClock())
    contexts = Recontext(bench.library, bench.store, bench.vectors, bench.keywords, HashingEmbedder(), jobs)
    with pytest.raises(PinciteError, match="can no longer be told apart"):
        contexts.run(document.id, lambda *_: None)
    jobs.close()


class HeldEmbedder(HashingEmbedder):
    """Waits in the middle of its work until the test lets it go on."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.open = Event(), Event()

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.reached.set()
        self.open.wait(20)
        return super().embed_passages(texts)


@pytest.mark.req("CHAT-3")
def test_the_work_on_a_deleted_document_is_waited_for_and_writes_nothing_after_it(bench: Bench) -> None:
    documents = bench.ingest(Upload("terms.txt", TERMS), Upload("other.txt", b"Parking\n\nAt the north gate."))
    embedder = HeldEmbedder()
    jobs = MemoryJobs(FixedClock(), workers=1)
    contexts = Recontext(bench.library, bench.store, bench.vectors, bench.keywords, embedder, jobs)
    labels = Labels(bench.library, on_context=contexts.queue)
    jobs.resume()
    first, second = documents
    for document in documents:
        labels.replace_tags(bench.access, document.id, [KARSEN])
    assert embedder.reached.wait(20)

    for document in documents:
        bench.store.delete_document(document.id)
        bench.vectors.delete_document(document.container_id, document.id)
        bench.keywords.delete_document(document.container_id, document.id)
    while_at_work = contexts.let_go(first.id, 0.0)
    queued = contexts.let_go(second.id, 0.0)
    embedder.open.set()

    assert not while_at_work
    assert queued
    assert contexts.let_go(first.id, 20)
    assert [status.argument for status in jobs.jobs("context")] == [first.id]
    assert [bench.vectors.count(each.container_id, each.id) for each in documents] == [0, 0]
    assert [bench.keywords.count(each.container_id, each.id) for each in documents] == [0, 0]
    jobs.close()
