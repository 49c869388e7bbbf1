"""The pipeline: a document is searchable when all of it is, and leaves nothing behind when it fails."""

import logging
from collections.abc import Callable, Sequence

import pymupdf
import pytest

from tests.services.ingestion.conftest import Bench, Make
from workbench.adapters.fakes.fixed_language import FixedLanguage
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.pymupdf import PyMuPdfReader
from workbench.domain.chunks import Chunk
from workbench.domain.documents import Document, DocumentState
from workbench.domain.errors import NotFound
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.pages import ReadDocument
from workbench.domain.tags import Tag
from workbench.services.ingestion.jobs import Upload
from workbench.services.ingestion.pipeline import BATCH
from workbench.services.ports import KeywordRow, Progress, Vector

CLAUSE = "The Supplier shall deliver the part within thirty days of the order of the Customer."
TEXT = "\n\n".join(f"{n}. Clause number\n\n{CLAUSE} {CLAUSE} {CLAUSE}" for n in range(1, 25))
LONG = Upload("long.txt", TEXT.encode(), (Tag(key="supplier", value="Halden"),))


def pdf(*pages: str, **options: object) -> bytes:
    with pymupdf.open() as document:
        for text in pages:
            document.new_page().insert_text((72, 100), text)
        return document.tobytes(**options)


class FailingEmbedder(HashingEmbedder):
    """Fails for good at the second batch."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.sizes: list[int] = []

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.sizes.append(len(texts))
        if len(self.sizes) == 2:
            raise self.error
        return super().embed_passages(texts)


class ForgetfulKeywords(MemoryKeywords):
    """Loses the last row of every batch."""

    def upsert(self, container_id: ContainerId, rows: Sequence[KeywordRow]) -> None:
        super().upsert(container_id, rows[:-1])


class Interfering(HashingEmbedder):
    """Does something else at the first batch, as another thread would."""

    act: Callable[[], None] = staticmethod(lambda: None)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        act, self.act = self.act, lambda: None
        act()
        return super().embed_passages(texts)


@pytest.mark.req("LIB-6")
def test_a_ready_document_is_whole_in_both_indexes(bench: Bench) -> None:
    [document] = bench.ingest(LONG)
    assert document.state is DocumentState.READY
    assert document.chunk_count > BATCH
    assert bench.rows(document) == (document.chunk_count,) * 3
    assert document.page_count == len(bench.library.page_outlines(bench.access, document.id))


@pytest.mark.req("FIND-6")
def test_the_supplier_and_the_section_travel_with_each_chunk(bench: Bench) -> None:
    [document] = bench.ingest(LONG)
    contexts = [chunk.context for chunk in bench.store.document_chunks(document.id)]
    assert all(context.startswith("long.txt | Supplier: Halden | Section ") for context in contexts)


@pytest.mark.req("LIB-4")
def test_text_is_shown_as_a_pdf_and_kept_as_it_came(bench: Bench) -> None:
    [document] = bench.ingest(LONG)
    _, shown = bench.library.canonical_pdf(bench.access, document.id)
    _, original = bench.library.original(bench.access, document.id)
    assert shown.read_bytes().startswith(b"%PDF")
    assert original.read_bytes() == LONG.data
    assert bench.library.page_image(bench.access, document.id, document.page_count, 300).data


@pytest.mark.req("LIB-4")
def test_a_pdf_is_its_own_canonical_pdf(bench: Bench) -> None:
    [document] = bench.ingest(Upload("a.pdf", pdf("One page.")))
    assert document.canonical_hash == document.content_hash


@pytest.mark.req("LIB-6")
def test_pages_without_text_are_reported(bench: Bench) -> None:
    [document] = bench.ingest(Upload("a.pdf", pdf("Text.", "", "More.")))
    assert (document.state, document.pages_without_text) == (DocumentState.READY, (2,))


@pytest.mark.req("LIB-9")
def test_a_bad_file_fails_with_its_reason_and_the_others_go_on(bench: Bench) -> None:
    locked = pdf("secret", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")
    good, bad, empty = bench.ingest(Upload("a.pdf", pdf("Good.")), Upload("b.pdf", locked), Upload("c.pdf", b""))
    assert [each.state for each in (good, bad, empty)] == [
        DocumentState.READY,
        DocumentState.FAILED,
        DocumentState.FAILED,
    ]
    assert bad.error == "b.pdf needs a password to open. Save a copy without a password and upload that."
    assert "c.pdf has no content" in empty.error
    assert bench.rows(bad) == (0, 0, 0)
    assert bench.library.page_outlines(bench.access, bad.id) == []
    with pytest.raises(NotFound):
        bench.library.original(bench.access, bad.id)


@pytest.mark.req("LIB-6", "LIB-9")
def test_an_unexpected_failure_is_told_logged_and_leaves_no_rows(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    bench = make(embedder=FailingEmbedder(ZeroDivisionError("inside a library")))
    with caplog.at_level(logging.ERROR):
        [document] = bench.ingest(LONG)
    assert document.state is DocumentState.FAILED
    assert "long.txt could not be read in: ZeroDivisionError in the step embedding" in document.error
    assert "inside a library" in caplog.text
    assert bench.rows(document) == (0, 0, 0)
    assert (document.page_count, document.chunk_count) == (0, 0)
    assert bench.library.original(bench.access, document.id)[1].read_bytes() == LONG.data
    [after] = bench.ingest(Upload("next.pdf", pdf("The worker goes on.")))
    assert after.state is DocumentState.READY


@pytest.mark.req("LIB-6")
def test_an_index_that_lost_a_row_is_noticed(make: Make) -> None:
    bench = make(keywords=ForgetfulKeywords())
    [document] = bench.ingest(LONG)
    assert document.state is DocumentState.FAILED
    assert "keyword index" in document.error
    assert bench.rows(document) == (0, 0, 0)


@pytest.mark.req("LIB-8")
def test_a_failed_document_is_tried_again_with_the_same_bytes(make: Make) -> None:
    bench = make(embedder=FailingEmbedder(RuntimeError("once")))
    [failed] = bench.ingest(LONG)
    outcome = bench.ingestion.submit(bench.access, bench.container.id, [LONG])[0]
    assert (outcome.document_id, outcome.status) == (failed.id, "retried")
    assert bench.ingestion.wait([failed.id], timeout=60)
    document = bench.document(failed.id)
    assert (document.state, document.error) == (DocumentState.READY, "")
    assert bench.rows(document) == (document.chunk_count,) * 3


@pytest.mark.req("LIB-6")
def test_embedding_goes_in_batches(make: Make) -> None:
    embedder = FailingEmbedder(RuntimeError("at the second"))
    make(embedder=embedder).ingest(LONG)
    assert embedder.sizes[0] == BATCH
    assert len(embedder.sizes) == 2
    assert embedder.sizes[1] <= BATCH


@pytest.mark.req("LIB-6")
def test_nothing_of_a_document_in_work_is_searchable_and_progress_is_seen(make: Make) -> None:
    embedder = Interfering()
    bench = make(embedder=embedder)
    seen: list[tuple[bool, str, int, int]] = []

    def look() -> None:
        [document] = bench.library.documents(bench.access, [bench.container.id])
        [progress] = bench.ingestion.progress(bench.access, [document.id])
        seen.append((document.searchable, progress.stage, progress.done, progress.total))

    embedder.act = look
    [document] = bench.ingest(LONG)
    assert seen == [(False, "embedding", 0, document.chunk_count)]


@pytest.mark.req("LIB-6")
def test_a_document_deleted_in_the_middle_stays_deleted(make: Make) -> None:
    embedder, blobs = Interfering(), MemoryBlobs()
    bench = make(embedder=embedder, blobs=blobs)
    gone: list[Document] = []

    def delete() -> None:
        [document] = bench.library.documents(bench.access, [bench.container.id])
        gone.append(document)
        bench.library.remove(document.id)

    embedder.act = delete
    outcomes = bench.ingestion.submit(bench.access, bench.container.id, [LONG])
    assert bench.ingestion.wait([DocumentId(str(outcomes[0].document_id))], timeout=60)
    assert bench.library.documents(bench.access, [bench.container.id]) == []
    assert bench.vectors.count(bench.container.id) == bench.keywords.count(bench.container.id) == 0
    for used in (gone[0].content_hash, gone[0].canonical_hash):
        with pytest.raises(NotFound):
            blobs.path(used)


@pytest.mark.req("LIB-6")
def test_tags_changed_during_the_work_are_kept(make: Make) -> None:
    embedder = Interfering()
    bench = make(embedder=embedder)

    def retag() -> None:
        [document] = bench.library.documents(bench.access, [bench.container.id])
        bench.library.edit(bench.access, document.id, lambda _: {"tags": (Tag(key="region", value="Nordics"),)})

    embedder.act = retag
    [document] = bench.ingest(LONG)
    assert document.tags == (Tag(key="region", value="Nordics"),)
    assert document.state is DocumentState.READY


class CountingReader(PyMuPdfReader):
    """Counts its calls."""

    calls = 0

    def read(self, data: bytes, name: str, progress: Progress) -> ReadDocument:
        self.calls += 1
        return super().read(data, name, progress)


@pytest.mark.req("LIB-6")
@pytest.mark.parametrize("state", [state for state in DocumentState if state.working])
def test_work_that_a_killed_process_left_is_taken_up(make: Make, state: DocumentState) -> None:
    bench = make()
    [document] = bench.ingest(LONG)
    # As the process left it: in some step, with rows of its own and of a chunk that will not exist.
    stale = Chunk.model_validate(
        {**bench.store.document_chunks(document.id)[0].model_dump(), "id": f"{document.id}:99999", "ordinal": 99999}
    )
    bench.keywords.upsert(document.container_id, [KeywordRow(stale.id, document.id, "stale")])
    bench.library.change(document.id, state=state)
    assert bench.ingestion.resume() == [document.id]
    assert bench.ingestion.wait([document.id], timeout=60)
    again = bench.document(document.id)
    assert again.state is DocumentState.READY
    assert bench.rows(again) == (document.chunk_count,) * 3


@pytest.mark.req("LIB-6")
def test_work_whose_file_is_gone_fails_in_words(bench: Bench) -> None:
    [document] = bench.ingest(LONG)
    bench.blobs.delete(document.content_hash)
    bench.library.change(document.id, state=DocumentState.READING)
    bench.ingestion.resume()
    bench.ingestion.wait([document.id], timeout=60)
    assert bench.document(document.id).error == "The file of long.txt is gone. Upload it again."


@pytest.mark.req("LIB-6")
def test_ready_and_failed_documents_are_not_taken_up(make: Make) -> None:
    reader = CountingReader()
    bench = make(reader=reader)
    bench.ingest(LONG, Upload("b.pdf", b""))
    assert bench.ingestion.resume() == []
    assert reader.calls == 2


@pytest.mark.req("ASK-10")
def test_the_language_is_detected_from_the_first_pages_where_the_upload_does_not_say(make: Make) -> None:
    detector = FixedLanguage("de")
    bench = make(languages=detector)
    detected, told = bench.ingest(
        Upload("a.pdf", pdf("Der erste Satz.", "Der zweite Satz.")),
        Upload("b.pdf", pdf("Encore une phrase."), language="fr"),
    )
    assert (detected.language, told.language) == ("de", "fr")
    assert [" ".join(text.split()) for text in detector.texts] == ["Der erste Satz. Der zweite Satz."]


@pytest.mark.req("ASK-10")
def test_where_the_detector_is_not_sure_the_language_stays_open(make: Make) -> None:
    (document,) = make(languages=FixedLanguage(None)).ingest(LONG)
    assert document.language is None


def test_a_long_document_is_not_given_whole_to_the_detector(make: Make) -> None:
    detector = FixedLanguage("en")
    make(languages=detector).ingest(Upload("long.txt", (TEXT * 10).encode()))
    assert 0 < len(detector.texts[0]) <= 6000
