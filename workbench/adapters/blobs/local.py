"""Blobs in a directory of this machine."""

import hashlib
import os
import re
import tempfile
from pathlib import Path

from workbench.domain.errors import NotFound

_SHA256 = re.compile(r"[0-9a-f]{64}")


class LocalBlobs:
    """A :class:`~workbench.services.ports.Blobs` of files named ``ab/cd/abcd...`` under ``directory``.

    A file appears under its name only when all its bytes are on the disk, so a crash leaves no half a document; what it
    leaves of a file that was coming in is removed when the directory is opened. One process works on a directory.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._incoming = directory / "incoming"
        for left in self._incoming.glob("*"):
            left.unlink(missing_ok=True)

    def put(self, data: bytes) -> str:
        content_hash = hashlib.sha256(data).hexdigest()
        target = self._file(content_hash)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            self._incoming.mkdir(exist_ok=True)
            _write_whole(target, data, self._incoming)
        return content_hash

    def path(self, content_hash: str) -> Path:
        file = self._file(content_hash)
        if not file.is_file():
            raise NotFound("The file is not in the library any more.", "Upload the document again to open it.")
        return file

    def delete(self, content_hash: str) -> None:
        if _SHA256.fullmatch(content_hash):  # under anything else there is nothing
            self._file(content_hash).unlink(missing_ok=True)

    def _file(self, content_hash: str) -> Path:
        # Nothing but a hash may ever become a path.
        if not _SHA256.fullmatch(content_hash):
            raise NotFound("That is not the hash of a file.", "Open the document from the library.")
        return self._directory / content_hash[:2] / content_hash[2:4] / content_hash


def _write_whole(target: Path, data: bytes, incoming: Path) -> None:
    handle, name = tempfile.mkstemp(dir=incoming)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    _sync_directory(target.parent)


def _sync_directory(directory: Path) -> None:
    """Make the new name last through a power cut, where the system can (Windows keeps no handle on a directory)."""
    if os.name == "nt":
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
