"""Versions: a changed file of the same name takes the old one's place, once it is ready and not before."""

import threading
from collections.abc import Sequence

import pytest

from tests.services.ingestion.conftest import Bench, Make
from workbench.adapters.clock import SystemClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.adapters.pymupdf import PyMuPdfReader
from workbench.domain.documents import Document, DocumentState
from workbench.domain.errors import PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.pages import ReadDocument
from workbench.domain.scope import build_scope
from workbench.domain.tags import Tag
from workbench.services.ingestion.jobs import Upload, UploadStatus
from workbench.services.ports import Progress, Vector
from workbench.services.retrieval.search import Search

pytestmark = pytest.mark.req("LIB-8")

SUPPLIER = Tag(key="supplier", value="Halden")


def policy(limit: str, name: str = "policy.txt", tags: tuple[Tag, ...] = ()) -> Upload:
    return Upload(name, f"1. Travel\n\nThe limit for hotels is {limit} a night, whatever the city.".encode(), tags)


def found(bench: Bench, query: str) -> list[tuple[str, int]]:
    """Search and return the documents found, as names and versions."""
    search = Search(bench.store, bench.vectors, bench.keywords, HashingEmbedder())
    scope = build_scope(bench.access, [bench.container.id])
    hits = search.run(scope, query).kept
    documents = [bench.document(hit.chunk.document_id) for hit in hits]
    return [(document.display_name, document.version) for document in documents]


def submit(bench: Bench, upload: Upload) -> tuple[DocumentId, UploadStatus]:
    [outcome] = bench.ingestion.submit(bench.access, bench.container.id, [upload])
    assert outcome.document_id is not None
    return outcome.document_id, outcome.status


class HeldUp(HashingEmbedder):
    """Embeds passages that hold a word only once it is let go, or fails at them."""

    def __init__(self) -> None:
        self.gates: dict[str, threading.Event] = {}
        self.entered: dict[str, threading.Event] = {}
        self.failing: set[str] = set()

    def hold(self, word: str) -> None:
        self.gates[word], self.entered[word] = threading.Event(), threading.Event()

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        for word, gate in self.gates.items():
            if any(word in text for text in texts):
                self.entered[word].set()
                assert gate.wait(30)
        if any(word in text for word in self.failing for text in texts):
            raise RuntimeError("no vectors today")
        return super().embed_passages(texts)


class SlowReader(PyMuPdfReader):
    """Reads a file that holds a word only once the gate is open."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word.encode()
        self.entered, self.gate = threading.Event(), threading.Event()

    def read(self, data: bytes, name: str, progress: Progress) -> ReadDocument:
        if self.word in data:
            self.entered.set()
            assert self.gate.wait(30)
        return super().read(data, name, progress)


def test_a_changed_file_of_the_same_name_replaces_the_old_one_in_every_search(bench: Bench) -> None:
    [old] = bench.ingest(policy("150 euros", tags=(SUPPLIER,)))
    document_id, status = submit(bench, policy("190 euros", name="POLICY.txt"))
    assert bench.ingestion.wait([document_id], timeout=60)
    new, old = bench.document(document_id), bench.document(old.id)
    assert status is UploadStatus.NEW_VERSION
    assert (new.version, new.series, new.tags, new.state) == (2, old.id, (SUPPLIER,), DocumentState.READY)
    assert (old.replaced_by, old.searchable) == (new.id, False)
    assert found(bench, "limit for hotels") == [("POLICY.txt", 2)]
    assert bench.rows(old) == (0, 0, old.chunk_count)
    assert bench.rows(new) == (new.chunk_count,) * 3


def test_what_was_cited_of_a_replaced_version_stays_readable(bench: Bench) -> None:
    [old] = bench.ingest(policy("150 euros"))
    bench.ingest(policy("190 euros"))
    assert "150 euros" in bench.library.page(bench.access, old.id, 1).text
    assert [chunk.document_id for chunk in bench.library.chunks(bench.access, old.id)] == [old.id]
    assert bench.library.canonical_pdf(bench.access, old.id)[1].read_bytes().startswith(b"%PDF")
    assert bench.library.original(bench.access, old.id)[1].read_bytes() == policy("150 euros").data


def test_tags_that_come_with_a_new_version_are_its_own(bench: Bench) -> None:
    region = Tag(key="region", value="Nordics")
    bench.ingest(policy("150 euros", tags=(SUPPLIER,)))
    [new] = bench.ingest(policy("190 euros", tags=(region,)))
    assert new.tags == (region,)


def test_a_new_version_of_a_hidden_document_is_hidden(bench: Bench) -> None:
    [old] = bench.ingest(policy("150 euros"))
    bench.library.change(old.id, hidden=True)
    [new] = bench.ingest(policy("190 euros"))
    assert (new.hidden, new.searchable) == (True, False)


def test_names_are_the_same_whatever_their_unicode_form_and_conversion(bench: Bench) -> None:
    [old] = bench.ingest(policy("150 euros", name="re\u0301gime.md.pdf"))
    _, status = submit(bench, policy("190 euros", name="R\u00c9GIME.md"))
    assert status is UploadStatus.NEW_VERSION
    assert old.display_name == "r\u00e9gime.md"


def test_the_same_name_in_two_containers_is_two_documents(bench: Bench) -> None:
    [old] = bench.ingest(policy("150 euros"))
    other = bench.library.create_container(bench.access, "Legal")
    [outcome] = bench.ingestion.submit(bench.access, other.id, [policy("190 euros")])
    assert outcome.status is UploadStatus.QUEUED
    assert outcome.document_id is not None
    assert bench.ingestion.wait([outcome.document_id], timeout=60)
    assert bench.document(outcome.document_id).version == 1
    assert bench.document(old.id).searchable


def test_files_without_a_name_are_never_versions_of_each_other(bench: Bench) -> None:
    documents = bench.ingest(policy("150 euros", name="\u202e"), policy("190 euros", name=".."))
    assert [(document.name, document.version) for document in documents] == [("unnamed", 1), ("unnamed", 1)]


def test_the_bytes_of_an_old_version_again_are_the_newest_version(bench: Bench) -> None:
    """Who uploads the old file again wants the old text back: it is current again, and nothing is lost."""
    [first] = bench.ingest(policy("150 euros"))
    bench.ingest(policy("190 euros"))
    document_id, status = submit(bench, policy("150 euros"))
    assert bench.ingestion.wait([document_id], timeout=60)
    assert (status, bench.document(document_id).version) == (UploadStatus.NEW_VERSION, 3)
    assert document_id != first.id
    assert found(bench, "limit for hotels") == [("policy.txt", 3)]
    assert [each.version for each in bench.library.versions(bench.access, first.id)] == [3, 2, 1]


def test_the_old_version_is_found_until_the_new_one_is_ready(make: Make) -> None:
    embedder = HeldUp()
    embedder.hold("190 euros")
    bench = make(embedder=embedder)
    bench.ingest(policy("150 euros"))
    document_id, _ = submit(bench, policy("190 euros"))
    assert embedder.entered["190 euros"].wait(30)
    assert found(bench, "limit for hotels") == [("policy.txt", 1)]
    embedder.gates["190 euros"].set()
    assert bench.ingestion.wait([document_id], timeout=60)
    assert found(bench, "limit for hotels") == [("policy.txt", 2)]


def test_a_version_that_fails_leaves_the_old_one_in_place(make: Make) -> None:
    embedder = HeldUp()
    bench = make(embedder=embedder)
    bench.ingest(policy("150 euros"))
    embedder.failing.add("190 euros")
    [failed] = bench.ingest(policy("190 euros"))
    assert (failed.state, failed.version) == (DocumentState.FAILED, 2)
    assert found(bench, "limit for hotels") == [("policy.txt", 1)]
    [third] = bench.ingest(policy("210 euros"))
    assert third.version == 3
    assert found(bench, "limit for hotels") == [("policy.txt", 3)]
    assert {each.replaced_by for each in bench.library.versions(bench.access, third.id)} == {None, third.id}


def finishing_late(make: Make) -> tuple[Bench, list[Document]]:
    """Return three versions of which the third was ready while the second was still read."""
    embedder = HashingEmbedder()
    slow = SlowReader("190 euros")
    bench = make(embedder=embedder, reader=slow, jobs=MemoryJobs(SystemClock(), workers=2))
    [first] = bench.ingest(policy("150 euros"))
    second, _ = submit(bench, policy("190 euros"))
    assert slow.entered.wait(30)
    [third] = bench.ingest(policy("210 euros"))
    assert found(bench, "limit for hotels") == [("policy.txt", 3)]
    slow.gate.set()
    assert bench.ingestion.wait([second], timeout=60)
    return bench, [bench.document(each) for each in (first.id, second, third.id)]


def test_a_version_that_is_ready_after_a_later_one_is_never_found(make: Make) -> None:
    bench, (first, second, third) = finishing_late(make)
    assert [each.version for each in (first, second, third)] == [1, 2, 3]
    assert [each.replaced_by for each in (first, second, third)] == [third.id, third.id, None]
    assert (second.state, bench.rows(second)) == (DocumentState.READY, (0, 0, second.chunk_count))
    assert found(bench, "limit for hotels") == [("policy.txt", 3)]


def test_only_what_ended_early_can_be_retried(bench: Bench) -> None:
    [document] = bench.ingest(policy("150 euros"))
    with pytest.raises(PinciteError, match="nothing to retry"):
        bench.ingestion.retry(bench.access, document.id)
