"""Ingestion over the stores that ship: SQLite, Chroma, FTS5 and files."""

from pathlib import Path

import pytest

from tests.services.ingestion.conftest import Make
from workbench.adapters.blobs.local import LocalBlobs
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.adapters.sql.engine import open_database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.domain.documents import DocumentState
from workbench.services.ingestion.jobs import Upload

FILES = [
    Upload("payment.txt", b"9. Payment\n\nThe Customer shall pay within forty-five days."),
    Upload("liability.txt", b"14. Liability\n\nThe liability of each party is capped at the annual charges."),
    Upload("empty.txt", b""),
]


@pytest.mark.req("LIB-6", "LIB-8", "LIB-9")
def test_from_bytes_to_hits_and_back_to_nothing(make: Make, tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    database = open_database(f"sqlite:///{tmp_path / 'library.db'}")
    vectors = ChromaVectors(tmp_path / "vectors", embedder.fingerprint)
    keywords = Fts5KeywordIndex(tmp_path / "keywords.db")
    bench = make(
        store=SqlLibraryStore(database),
        vectors=vectors,
        keywords=keywords,
        blobs=LocalBlobs(tmp_path / "files"),
        embedder=embedder,
    )
    try:
        payment, liability, empty = bench.ingest(*FILES)
        assert [each.state for each in (payment, liability, empty)] == [
            DocumentState.READY,
            DocumentState.READY,
            DocumentState.FAILED,
        ]
        assert [bench.rows(each) for each in (payment, liability, empty)] == [(1, 1, 1), (1, 1, 1), (0, 0, 0)]
        both = frozenset({payment.id, liability.id})
        [hit] = keywords.query(bench.container.id, "capped", 5, both)
        [chunk] = bench.store.chunks([hit.chunk_id])
        assert chunk.document_id == liability.id
        page = bench.library.page(bench.access, liability.id, 1)
        assert [page.text[s.start : s.end] for s in chunk.segments] == [chunk.text]
        nearest = vectors.query(bench.container.id, embedder.embed_query("pay within forty-five days"), 1, both)
        assert [each.chunk_id.split(":")[0] for each in nearest] == [payment.id]

        bench.library.remove(payment.id)
        for index in (vectors, keywords):
            index.delete_document(bench.container.id, payment.id)
        for content_hash in (payment.content_hash, payment.canonical_hash):
            assert bench.library.remove_file(content_hash) == []
        assert (vectors.count(bench.container.id), keywords.count(bench.container.id)) == (1, 1)
        assert not any(file.read_bytes() == FILES[0].data for file in (tmp_path / "files").rglob("*") if file.is_file())
    finally:
        bench.ingestion.close()
        vectors.close()
        keywords.close()
        database.close()
