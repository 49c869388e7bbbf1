"""The check at the start: rows that no document accounts for go, rows that are missing come back."""

import logging
import time

import pytest

from tests.services.ingestion.conftest import Bench, Make
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ingestion.jobs import Upload
from workbench.services.ingestion.startup import StartUpCheck
from workbench.services.ports import KeywordRow, VectorRow

pytestmark = pytest.mark.req("LIB-7")

TEXT = "\n\n".join(f"{n}. Delivery\n\n" + "The Supplier delivers within thirty days. " * 25 for n in range(1, 13))
FILE = Upload("terms.txt", TEXT.encode())
GONE = DocumentId("doc_gone")


def restart(bench: Bench) -> None:
    """Have the check run as at a start, and wait for what it begins."""
    bench.ingestion.resume()
    deadline = time.monotonic() + 30
    starting = bench.ingestion._starting
    assert starting is not None
    starting.join(deadline - time.monotonic())
    assert bench.ingestion.wait([each.id for each in bench.store.documents([bench.container.id])], timeout=60)


def test_a_library_in_order_is_left_alone(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    [document] = bench.ingest(FILE)
    with caplog.at_level(logging.WARNING):
        restart(bench)
    assert bench.document(document.id) == document
    assert len(bench.ingestion.jobs(bench.access, document.id)) == 1
    assert caplog.text == ""


def test_a_ready_document_without_its_words_is_indexed_again(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    other, document = bench.ingest(FILE._replace(name="other.txt", data=b"Another file."), FILE)
    bench.keywords.delete_document(document.container_id, document.id)
    with caplog.at_level(logging.WARNING):
        restart(bench)
    assert f"{document.id} is indexed again" in caplog.text
    assert bench.document(document.id).state is DocumentState.READY
    assert bench.rows(document) == (document.chunk_count,) * 3
    assert bench.document(other.id) == other


def test_a_ready_document_with_some_of_its_vectors_is_indexed_again(bench: Bench) -> None:
    [document] = bench.ingest(FILE)
    first = bench.store.document_chunks(document.id)[0]
    bench.vectors.delete_document(document.container_id, document.id)
    vector = HashingEmbedder().embed_query(first.indexed_text)
    bench.vectors.upsert(document.container_id, [VectorRow(first.id, document.id, vector)])
    restart(bench)
    assert bench.document(document.id).state is DocumentState.READY
    assert bench.rows(document) == (document.chunk_count,) * 3


def test_a_ready_document_without_its_passages_is_read_again(bench: Bench) -> None:
    [document] = bench.ingest(FILE)
    bench.store.save_chunks(document.id, bench.store.document_chunks(document.id)[:1])
    bench.keywords.delete_document(document.container_id, document.id)
    restart(bench)
    assert bench.document(document.id).state is DocumentState.READY
    assert bench.rows(document) == (document.chunk_count,) * 3


def test_rows_of_a_document_that_is_gone_are_removed(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    [document] = bench.ingest(FILE)
    vector = HashingEmbedder().embed_query("stale")
    bench.vectors.upsert(bench.container.id, [VectorRow(ChunkId("doc_gone:1"), GONE, vector)])
    bench.keywords.upsert(bench.container.id, [KeywordRow(ChunkId("doc_gone:1"), GONE, "stale")])
    with caplog.at_level(logging.WARNING):
        restart(bench)
    assert (bench.vectors.count(bench.container.id, GONE), bench.keywords.count(bench.container.id, GONE)) == (0, 0)
    assert bench.rows(document) == (document.chunk_count,) * 3
    assert "rows of doc_gone are removed" in caplog.text


@pytest.mark.parametrize("state", [DocumentState.FAILED, DocumentState.CANCELLED])
def test_rows_of_what_is_not_to_be_found_are_removed(bench: Bench, state: DocumentState) -> None:
    [document] = bench.ingest(FILE)
    bench.library.change(document.id, state=state)
    restart(bench)
    assert bench.rows(document) == (0, 0, 0)
    assert bench.document(document.id).state is state


def test_rows_of_a_replaced_version_are_removed_and_its_pages_kept(bench: Bench) -> None:
    [old] = bench.ingest(FILE)
    bench.ingest(FILE._replace(data=FILE.data + b" Changed."))
    rows = [KeywordRow(chunk.id, old.id, chunk.text) for chunk in bench.store.document_chunks(old.id)]
    bench.keywords.upsert(bench.container.id, rows)
    restart(bench)
    assert bench.rows(old) == (0, 0, old.chunk_count)
    assert bench.library.page(bench.access, old.id, 1).text


def test_another_embedding_model_is_no_reason_to_index_everything(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    """With another model the vector index looks empty: the user is asked before hours of work begin."""
    bench = make()
    [document] = bench.ingest(FILE)
    bench.vectors.delete_document(document.container_id, document.id)
    with caplog.at_level(logging.WARNING):
        restart(bench)
    assert bench.document(document.id) == document
    assert "are known to this embedding model" in caplog.text


class CountingVectors(MemoryVectors):
    """Counts the questions it is asked."""

    asked = 0

    def counts(self, container_id: ContainerId) -> dict[DocumentId, int]:
        self.asked += 1
        return {DocumentId(f"doc_{number}"): 3 for number in range(1000)}

    def count(self, container_id: ContainerId, document_id: DocumentId | None = None) -> int:
        self.asked += 1
        return 3


class CountingKeywords(MemoryKeywords):
    def counts(self, container_id: ContainerId) -> dict[DocumentId, int]:
        return {DocumentId(f"doc_{number}"): 3 for number in range(1000)}


def test_a_thousand_documents_cost_one_question_an_index(bench: Bench) -> None:
    store, vectors = MemoryLibraryStore(), CountingVectors()
    now = bench.container.created_at
    container = Container(id=ContainerId("con_1"), name="Many", created_at=now)
    store.add_container(container)
    for number in range(1000):
        store.save_document(
            Document(
                id=DocumentId(f"doc_{number}"),
                container_id=container.id,
                name=f"{number}.txt",
                state=DocumentState.READY,
                chunk_count=3,
                uploaded_at=now,
            )
        )
    mended: list[Document] = []
    StartUpCheck(store, vectors, CountingKeywords(), rebuild=mended.append, clear=mended.append).run()
    assert (mended, vectors.asked) == ([], 1)
