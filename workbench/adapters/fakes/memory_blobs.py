"""Blobs that end with the process."""

import hashlib
import shutil
import tempfile
import threading
import weakref
from pathlib import Path

from workbench.domain.errors import NotFound


class MemoryBlobs:
    """A :class:`~workbench.services.ports.Blobs` in memory.

    The port hands out paths, so bytes asked for by path are written to a folder that is removed with the object.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._data: dict[str, bytes] = {}
        self._folder = Path(tempfile.mkdtemp(prefix="pincite-blobs-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    def put(self, data: bytes) -> str:
        content_hash = hashlib.sha256(data).hexdigest()
        self._data[content_hash] = bytes(data)
        return content_hash

    def path(self, content_hash: str) -> Path:
        with self._lock:
            if content_hash not in self._data:
                raise NotFound("The file is not in the library any more.", "Upload the document again to open it.")
            file = self._folder / content_hash
            if not file.exists():
                file.write_bytes(self._data[content_hash])
            return file

    def delete(self, content_hash: str) -> None:
        with self._lock:
            if self._data.pop(content_hash, None) is not None:
                (self._folder / content_hash).unlink(missing_ok=True)
