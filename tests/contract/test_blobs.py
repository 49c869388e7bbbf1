"""The contract of Blobs, for every implementation."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.adapters.blobs.local import LocalBlobs
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.domain.errors import NotFound
from workbench.services.ports import Blobs

pytestmark = pytest.mark.req("LIB-8")


@pytest.fixture(params=["local", "memory"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    return LocalBlobs(tmp_path / "blobs") if request.param == "local" else MemoryBlobs()


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7 \x00\xff", b"x" * 3_000_000], ids=["empty", "small", "large"])
def test_bytes_come_back_under_their_sha256(blobs: Blobs, data: bytes) -> None:
    content_hash = blobs.put(data)

    assert content_hash == hashlib.sha256(data).hexdigest()
    assert blobs.path(content_hash).read_bytes() == data


def test_putting_the_same_bytes_again_is_the_same_file(blobs: Blobs) -> None:
    first = blobs.path(blobs.put(b"contract"))

    assert blobs.path(blobs.put(b"contract")) == first


def test_bytes_that_are_gone_are_not_found(blobs: Blobs) -> None:
    gone, kept = blobs.put(b"gone"), blobs.put(b"kept")
    blobs.path(gone)

    blobs.delete(gone)
    blobs.delete(gone)

    with pytest.raises(NotFound):
        blobs.path(gone)
    assert blobs.path(kept).read_bytes() == b"kept"
    assert blobs.path(blobs.put(b"gone")).read_bytes() == b"gone"


@pytest.mark.parametrize("name", ["AB" * 32, "ab" * 32 + "\n", "a" * 63, "../" * 20 + "etc/passwd", "/etc/passwd"])
def test_what_is_no_hash_names_nothing(blobs: Blobs, name: str) -> None:
    with pytest.raises(NotFound):
        blobs.path(name)
    blobs.delete(name)


def test_hostile_names_name_nothing(blobs: Blobs, hostile: str) -> None:
    with pytest.raises(NotFound):
        blobs.path(hostile)
    blobs.delete(hostile)


def test_threads_put_and_read_the_same_bytes(blobs: Blobs, together: Callable[..., list[Any]]) -> None:
    data = b"y" * 500_000

    def work(_: int) -> bool:
        return all(blobs.path(blobs.put(data)).read_bytes() == data for _ in range(10))

    assert together(work, 6) == [True] * 6
