"""Taking files in: containers, duplicates, names, samples."""

import json
from pathlib import Path

import pytest

from tests.services.ingestion.conftest import USER, Bench, Make
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.domain.documents import DocumentState
from workbench.domain.errors import NotFound
from workbench.domain.ids import ContainerId
from workbench.domain.scope import Access
from workbench.services.ingestion.jobs import Upload, UploadStatus

FILE = Upload("../../etc/terms.txt", b"Payment is due within 30 days.")
STRANGER = Access(user_id=USER, containers=frozenset())


@pytest.mark.req("LIB-8")
def test_the_same_bytes_in_the_same_container_are_one_document(bench: Bench) -> None:
    [first] = bench.ingest(FILE)
    [outcome] = bench.ingestion.submit(bench.access, bench.container.id, [FILE._replace(name="copy.txt")])
    assert (outcome.document_id, outcome.status) == (first.id, UploadStatus.ALREADY_THERE)
    assert len(bench.library.documents(bench.access, [bench.container.id])) == 1


@pytest.mark.req("LIB-8")
def test_twice_in_one_upload_is_one_document(bench: Bench) -> None:
    outcomes = bench.ingestion.submit(bench.access, bench.container.id, [FILE, FILE])
    assert [outcome.status for outcome in outcomes] == [UploadStatus.QUEUED, UploadStatus.ALREADY_THERE]


@pytest.mark.req("LIB-8")
def test_the_same_bytes_in_another_container_are_another_document(bench: Bench) -> None:
    [first] = bench.ingest(FILE)
    other = bench.library.create_container(bench.access, "Legal")
    [outcome] = bench.ingestion.submit(bench.access, other.id, [FILE])
    assert outcome.status is UploadStatus.QUEUED
    assert outcome.document_id != first.id


@pytest.mark.req("LIB-8")
def test_the_same_text_in_other_bytes_is_another_document(bench: Bench) -> None:
    documents = bench.ingest(FILE, FILE._replace(data=FILE.data + b"\n"))
    assert documents[0].id != documents[1].id


@pytest.mark.req("LIB-9")
def test_a_name_is_never_a_path(bench: Bench) -> None:
    [document] = bench.ingest(FILE)
    assert document.name == "terms.txt"
    assert document.state is DocumentState.READY


@pytest.mark.req("FIND-1")
@pytest.mark.parametrize("container", ["mine", "none"])
def test_a_container_that_is_not_the_users_is_not_found(bench: Bench, container: str) -> None:
    container_id = bench.container.id if container == "mine" else ContainerId("con_none")
    with pytest.raises(NotFound, match="no such container"):
        bench.ingestion.submit(STRANGER if container == "mine" else bench.access, container_id, [FILE])
    assert bench.store.documents([bench.container.id]) == []


@pytest.mark.req("FIND-1")
def test_progress_of_what_is_not_the_users_is_left_out(bench: Bench) -> None:
    [document] = bench.ingest(FILE)
    assert bench.ingestion.progress(STRANGER, [document.id]) == []
    [progress] = bench.ingestion.progress(bench.access, [document.id])
    assert (progress.state, progress.stage, progress.error) == (DocumentState.READY, "ready", "")


class FullDisk(MemoryBlobs):
    """Has room for small files only."""

    def put(self, data: bytes) -> str:
        if len(data) > 100:
            raise OSError(28, "No space left on device")
        return super().put(data)


@pytest.mark.req("LIB-9")
def test_a_file_that_cannot_be_stored_is_refused_and_the_others_go_on(make: Make) -> None:
    bench = make(blobs=FullDisk())
    outcomes = bench.ingestion.submit(bench.access, bench.container.id, [FILE._replace(data=b"x" * 200), FILE])
    assert [outcome.status for outcome in outcomes] == [UploadStatus.REFUSED, UploadStatus.QUEUED]
    assert "No space left on device" in outcomes[0].error
    assert len(bench.store.documents([bench.container.id])) == 1


def sample_folder(folder: Path) -> Path:
    entry = {"file": "terms.pdf", "title": "Terms", "tags": {"supplier": "Halden"}, "date": "2024-01-15", "pages": 1}
    (folder / "manifest.json").write_text(json.dumps({"licence": "CC0", "files": [entry, {"file": "prices.xlsx"}]}))
    (folder / "terms.pdf").write_bytes(FILE.data)
    (folder / "prices.xlsx").write_bytes(b"PK of a workbook")
    return folder


@pytest.mark.req("LIB-10")
def test_samples_load_once(bench: Bench, tmp_path: Path) -> None:
    folder = sample_folder(tmp_path)
    container, outcomes = bench.ingestion.load_samples(bench.access, folder)
    assert container.name == "Sample contracts"
    assert [outcome.status for outcome in outcomes] == [UploadStatus.QUEUED] * 2
    again, outcomes = bench.ingestion.load_samples(bench.access, folder)
    assert again == container
    assert outcomes[0].status is UploadStatus.ALREADY_THERE
    document = bench.document(outcomes[0].document_id)
    assert {each.name for each in bench.library.documents(bench.access, [container.id])} == {"terms.pdf", "prices.xlsx"}
    assert (document.tag("supplier"), str(document.dated)) == ("Halden", "2024-01-15")


@pytest.mark.req("LIB-10")
def test_missing_samples_are_told(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="sample documents are not complete"):
        bench.ingestion.load_samples(bench.access, tmp_path)
