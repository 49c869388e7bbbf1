"""What blobs on a disk must do beyond the contract."""

import os
from pathlib import Path

import pytest

from workbench.adapters.blobs.local import LocalBlobs

pytestmark = pytest.mark.req("LIB-8")


def files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


def test_files_lie_in_two_levels_of_folders(tmp_path: Path) -> None:
    content_hash = LocalBlobs(tmp_path).put(b"contract")

    assert files(tmp_path) == [tmp_path / content_hash[:2] / content_hash[2:4] / content_hash]


def test_all_is_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    content_hash = LocalBlobs(tmp_path).put(b"contract")

    assert LocalBlobs(tmp_path).path(content_hash).read_bytes() == b"contract"


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        LocalBlobs(tmp_path).put(b"contract")

    assert files(tmp_path) == []


@pytest.mark.req("LIB-7")
def test_what_a_killed_process_left_of_a_file_is_removed(tmp_path: Path) -> None:
    content_hash = LocalBlobs(tmp_path).put(b"contract")
    (tmp_path / "incoming" / "tmp0815").write_bytes(b"contr")

    LocalBlobs(tmp_path)

    assert [file.name for file in files(tmp_path)] == [content_hash]


def test_what_was_stored_is_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blobs = LocalBlobs(tmp_path)
    content_hash = blobs.put(b"contract")
    before = blobs.path(content_hash).stat()

    blobs.put(b"contract")

    assert blobs.path(content_hash).stat().st_ino == before.st_ino
