"""Another embedding model: noticed, offered, made up for by a job, and never mixed with the old one."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.documents import Container, Document, DocumentState
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.jobs import JobState
from workbench.domain.scope import Access, build_scope
from workbench.services.ports import KeywordRow, Vector, VectorRow
from workbench.services.retrieval.reindex import Reindex
from workbench.services.retrieval.search import Search

pytestmark = pytest.mark.req("FIND-9")

BOX = ContainerId("box")
TEXTS = {"orbex": ["payment within thirty days", "notice in writing"], "nordwand": ["liability is capped"]}
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class OtherEmbedder(HashingEmbedder):
    """The second model: its vectors point elsewhere."""

    fingerprint = "other-64"

    def __init__(self) -> None:
        self.passages: list[str] = []
        self.failing = False

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        if self.failing:
            raise RuntimeError("out of memory")
        self.passages += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        return [-value for value in super().embed_query(text)]


class Library:
    """A library indexed by the first model, opened with the second one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store, self.keywords, self.embedder = MemoryLibraryStore(), MemoryKeywords(), OtherEmbedder()
        self.store.add_container(Container(id=BOX, name="Contracts", created_at=NOW))
        old = ChromaVectors(folder, HashingEmbedder.fingerprint)
        for name, texts in TEXTS.items():
            chunks = self._put(name, texts)
            vectors = HashingEmbedder().embed_passages(texts)
            old.upsert(BOX, [VectorRow(c.id, c.document_id, v) for c, v in zip(chunks, vectors, strict=True)])
        old.close()
        self.vectors = ChromaVectors(folder, self.embedder.fingerprint)
        self.jobs = MemoryJobs(FixedClock())
        self.reindex = Reindex(self.store, self.vectors, self.embedder, self.jobs)
        self.jobs.resume()
        self.search = Search(self.store, self.vectors, self.keywords, self.embedder, unindexed=self.reindex.missing)
        self.scope = build_scope(Access(user_id=UserId("u"), containers=frozenset([BOX])), [BOX])

    def _put(self, name: str, texts: Sequence[str]) -> list[Chunk]:
        owner = DocumentId(name)
        document = Document(
            id=owner,
            container_id=BOX,
            name=f"{name}.pdf",
            state=DocumentState.READY,
            chunk_count=len(texts),
            uploaded_at=NOW,
        )
        self.store.save_document(document)
        chunks = [
            Chunk(
                id=chunk_id(owner, n),
                document_id=owner,
                container_id=BOX,
                ordinal=n,
                text=text,
                segments=(Segment(page=n + 1, start=0, end=len(text)),),
            )
            for n, text in enumerate(texts)
        ]
        self.store.save_chunks(owner, chunks)
        self.keywords.upsert(BOX, [KeywordRow(c.id, owner, c.text) for c in chunks])
        return chunks

    def run_job(self) -> JobState:
        self.reindex.start()
        job = self.reindex.status().job
        assert job is not None
        assert self.jobs.wait([job.job_id], 20)
        ended = self.jobs.status(job.job_id)
        assert ended is not None
        return ended.state


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    opened = Library(tmp_path / "vectors")
    yield opened
    opened.jobs.close()
    opened.vectors.close()


def test_a_changed_model_is_noticed_and_what_lacks_its_vectors_is_counted(library: Library) -> None:
    status = library.reindex.status()
    assert status.model == "other-64"
    assert [(each.name, each.documents, each.missing) for each in status.containers] == [("Contracts", 2, 2)]
    assert (status.missing, status.running, status.job) == (2, False, None)
    assert library.embedder.passages == []


def test_until_then_words_find_and_the_search_says_so_without_touching_the_old_vectors(library: Library) -> None:
    outcome = library.search.run(library.scope, "payment thirty days")
    assert [hit.chunk.document_id for hit in outcome.kept] == ["orbex"]
    assert any("2 of 2 documents have no vectors" in remark for remark in outcome.remarks)
    candidates = next(stage for stage in outcome.stages if stage.name == "candidates")
    assert "0 by meaning" in candidates.note


def test_the_job_makes_the_vectors_and_forgets_those_of_the_old_model(library: Library) -> None:
    assert library.run_job() is JobState.DONE
    assert library.reindex.status().missing == 0
    remarks = library.search.run(library.scope, "payment thirty days").remarks
    assert not any("no vectors" in remark for remark in remarks)
    hits = library.vectors.query(
        BOX, library.embedder.embed_query("liability is capped"), 1, frozenset({DocumentId("nordwand")})
    )
    assert hits[0].score == pytest.approx(1.0, abs=1e-5)
    again = ChromaVectors(library.folder, HashingEmbedder.fingerprint)
    assert again.count(BOX) == 0
    again.close()


def test_a_job_that_is_started_again_makes_only_what_is_left(library: Library) -> None:
    library.vectors.upsert(BOX, [VectorRow(chunk_id(DocumentId("nordwand"), 0), DocumentId("nordwand"), [1.0] * 64)])
    assert library.reindex.status().missing == 1
    assert library.run_job() is JobState.DONE
    assert library.embedder.passages == TEXTS["orbex"]
    assert library.run_job() is JobState.DONE
    assert library.embedder.passages == TEXTS["orbex"]


def test_a_job_that_fails_can_be_started_again_and_keeps_the_old_vectors(library: Library) -> None:
    library.embedder.failing = True
    assert library.run_job() is JobState.FAILED
    status = library.reindex.status()
    assert (status.missing, status.running) == (2, False)
    old = ChromaVectors(library.folder, HashingEmbedder.fingerprint)
    assert old.count(BOX) == 3
    old.close()
    library.embedder.failing = False
    assert library.run_job() is JobState.DONE
    assert library.reindex.status().missing == 0


def test_documents_that_are_not_searchable_are_not_waited_for(library: Library) -> None:
    orbex = library.store.document(DocumentId("orbex"))
    assert orbex is not None
    library.store.save_document(orbex.model_copy(update={"state": DocumentState.FAILED}))
    assert library.reindex.status().missing == 1
    assert library.reindex.missing([BOX]) == {"nordwand"}
