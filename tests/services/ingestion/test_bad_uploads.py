"""What goes wrong with uploads: some of many, files that look alike, hostile names, stores that give up in the middle."""

import itertools
from collections.abc import Sequence
from pathlib import Path

import pymupdf
import pytest

from tests.services.ingestion.conftest import USER, Bench, Make
from workbench.adapters.blobs.local import LocalBlobs
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.domain.documents import DocumentState
from workbench.domain.ids import ContainerId
from workbench.domain.scope import build_scope
from workbench.services.ingestion.jobs import Upload, UploadStatus
from workbench.services.ports import KeywordRow, Vector
from workbench.services.retrieval.search import Search

READY, FAILED = DocumentState.READY, DocumentState.FAILED


def picture(shade: float) -> bytes:
    """A scan: a page that is one grey picture, without a text layer."""
    with pymupdf.open() as document:
        pixmap = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 40))
        pixmap.clear_with(int(255 * shade))
        document.new_page().insert_image(pymupdf.Rect(50, 50, 300, 300), pixmap=pixmap)
        return bytes(document.tobytes())


def locked() -> bytes:
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 100), "secret")
        return bytes(document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y"))


@pytest.mark.req("LIB-9")
def test_of_many_files_each_says_what_became_of_it_also_later(bench: Bench) -> None:
    files = [
        Upload("lease.txt", b"The rent is due on the first."),
        Upload("locked.pdf", locked()),
        Upload("addendum.txt", b"The rent is raised by two percent."),
        Upload("nothing.txt", b""),
        Upload("keys.txt", b"Three keys were handed over."),
    ]
    bench.ingest(*files)
    # As another tab, or the next process, sees it: from the store alone.
    seen = {each.name: (each.state, each.error) for each in bench.library.documents(bench.access, [bench.container.id])}
    assert {name for name, (state, _) in seen.items() if state is READY} == {"lease.txt", "addendum.txt", "keys.txt"}
    assert "locked.pdf needs a password" in seen["locked.pdf"][1]
    assert "nothing.txt has no content" in seen["nothing.txt"][1]


@pytest.mark.req("LIB-8")
def test_only_the_same_bytes_are_the_same_file(bench: Bench) -> None:
    """Two scans without text, and one text in two formats: what can be read of them is equal, and still they are two."""
    text = b"The same words in two files."
    files = [
        Upload("scan-1.pdf", picture(0.2)),
        Upload("scan-2.pdf", picture(0.7)),
        Upload("note.txt", text),
        Upload("note.md", text + b"\n"),
    ]
    outcomes = bench.ingestion.submit(bench.access, bench.container.id, files)
    assert [outcome.status for outcome in outcomes] == [UploadStatus.QUEUED] * 4
    assert len({outcome.document_id for outcome in outcomes}) == 4


@pytest.mark.req("LIB-9")
def test_a_file_that_fails_is_answered_by_nothing_else(bench: Bench) -> None:
    """Its text is missing: neither an earlier upload nor another container's takes its place."""
    other = bench.library.create_container(bench.access, "Board")
    bench.ingestion.submit(bench.access, other.id, [Upload("board.txt", b"The bonus of the chair is 90 percent.")])
    [bad] = bench.ingest(Upload("mine.pdf", locked()))
    assert (bad.state, bad.name) == (FAILED, "mine.pdf")
    search = Search(bench.store, bench.vectors, bench.keywords, HashingEmbedder())
    outcome = search.run(build_scope(bench.library.access(USER), [bench.container.id]), "What does my file say?")
    assert (outcome.kept, outcome.documents) == ([], {})
    assert bench.library.page_outlines(bench.access, bad.id) == []


NAMES = [
    "計画書 2024.pdf",
    "„Vertrag“ Nr. 7.txt",
    "a:b.txt",
    "CON.txt",
    "trailing. ",
    "-rf.txt",
    "%2e%2e%2fout.txt",
    "name .pdf",
    "x" * 180 + ".txt",
]


@pytest.mark.req("LIB-9")
def test_awkward_names_are_shown_as_they_are(bench: Bench) -> None:
    uploads = [Upload(name, f"File number {number}.".encode()) for number, name in enumerate(NAMES)]
    documents = bench.ingest(*uploads)
    assert [document.state for document in documents] == [READY] * len(NAMES)
    assert [document.name for document in documents] == [" ".join(name.split()) for name in NAMES]


@pytest.mark.req("LIB-9")
@pytest.mark.parametrize(
    "name", ["../out.txt", "..\\out.txt", "/tmp/out.txt", "a/../../out.txt", "out.txt\x00.pdf", "../../../etc/passwd"]
)
def test_a_name_never_leads_out_of_the_data_directory(make: Make, tmp_path: Path, name: str) -> None:
    home = tmp_path / "deep" / "home"
    bench = make(blobs=LocalBlobs(home / "files"))
    hostile = bench.library.create_container(bench.access, "../../outside")
    [outcome] = bench.ingestion.submit(bench.access, hostile.id, [Upload(name, b"Some text.")])
    assert outcome.document_id is not None
    assert bench.ingestion.wait([outcome.document_id], timeout=60)
    document = bench.document(outcome.document_id)
    assert document.state is READY
    files = [file.relative_to(tmp_path) for file in tmp_path.rglob("*") if file.is_file()]
    assert {file.name for file in files} == {document.content_hash, document.canonical_hash}
    assert all(file.parts[:3] == ("deep", "home", "files") for file in files)
    bench.library.remove_file("../../outside")
    assert bench.library.original(bench.access, document.id)[1].read_bytes() == b"Some text."


class GivesUp(HashingEmbedder):
    """Refuses the third batch for good, as a provider over its limit does."""

    def __init__(self) -> None:
        self._batches = itertools.count(1)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        if next(self._batches) == 3:
            raise RuntimeError("429: too many requests")
        return super().embed_passages(texts)


@pytest.mark.req("LIB-6")
def test_a_batch_that_is_refused_fails_the_document_instead_of_leaving_a_gap(make: Make) -> None:
    text = "\n\n".join(f"{n}. Part\n\n" + "Each party keeps its own records of the work. " * 20 for n in range(1, 101))
    bench = make(embedder=GivesUp())
    [document] = bench.ingest(Upload("long.txt", text.encode()))
    assert (document.state, document.chunk_count, document.searchable) == (FAILED, 0, False)
    assert "RuntimeError in the step embedding" in document.error
    assert bench.rows(document) == (0, 0, 0)
    bench.ingestion.retry(bench.access, document.id)
    assert bench.ingestion.wait([document.id], timeout=60)
    document = bench.document(document.id)
    assert document.state is READY
    assert bench.rows(document) == (document.chunk_count,) * 3
    assert document.chunk_count > 48


class Choosy(MemoryKeywords):
    """Refuses many rows in one call, as stores do."""

    def upsert(self, container_id: ContainerId, rows: Sequence[KeywordRow]) -> None:
        if len(rows) > 20:
            raise ValueError(f"{len(rows)} rows are more than one call may hold")
        super().upsert(container_id, rows)


@pytest.mark.req("LIB-6")
def test_rows_go_to_the_stores_in_portions(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.services.ingestion.pipeline._INDEX_BATCH", 20)
    text = "\n\n".join(f"{n}. Part\n\n" + "Each party keeps its own records of the work. " * 20 for n in range(1, 61))
    bench = make(keywords=Choosy())
    [document] = bench.ingest(Upload("long.txt", text.encode()))
    assert document.state is READY, document.error
    assert document.chunk_count > 40
    assert bench.rows(document) == (document.chunk_count,) * 3
