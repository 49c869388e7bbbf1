"""Pictures of pages on disk, so that a page is drawn once: bounded in size, the longest unused ones go first."""

import logging
import os
import re
import shutil
import tempfile
import threading
from pathlib import Path

from workbench.services.ports import PageImage

log = logging.getLogger(__name__)

_SHA256 = re.compile(r"[0-9a-f]{64}")
_ENDINGS = {"image/png": "png", "image/jpeg": "jpg"}
_TYPES = {ending: media_type for media_type, ending in _ENDINGS.items()}
_KEPT_SHARE = 0.8
"""To this share of the limit the folder shrinks once it is full, so that not every picture makes another one go."""


class Pictures:
    """A folder of pictures, ``ab/abcd.../12-900.png`` for page 12 at 900 pixels of the file with that hash.

    It takes at most ``max_bytes`` on disk, and nothing in memory. Losing it costs time only.
    """

    def __init__(self, directory: Path, max_bytes: int) -> None:
        self._directory = directory
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._bytes: int | None = None
        """What the folder holds; None until it was counted."""

    def get(self, content_hash: str, page: int, width: int) -> PageImage | None:
        """Return a picture that was kept."""
        folder = self._folder(content_hash)
        if folder is None:
            return None
        for ending, media_type in _TYPES.items():
            file = folder / f"{page}-{width}.{ending}"
            try:
                data = file.read_bytes()
                os.utime(file)  # it was used: others go first
            except FileNotFoundError:
                continue
            return PageImage(data, media_type)
        return None

    def put(self, content_hash: str, page: int, width: int, image: PageImage) -> None:
        """Keep a picture. Where the disk does not take it, that is logged, and the page is drawn again next time."""
        folder = self._folder(content_hash)
        if folder is None:
            return
        target = folder / f"{page}-{width}.{_ENDINGS[image.media_type]}"
        try:
            _write_whole(target, image.data)
            self._count(len(image.data))
        except OSError as error:
            log.warning("A picture of a page could not be kept in %s: %s", self._directory, error)

    def kept(self, content_hash: str) -> int:
        """Return how many pictures of a file there are."""
        folder = self._folder(content_hash)
        return 0 if folder is None or not folder.is_dir() else sum(file.is_file() for file in folder.iterdir())

    def clear(self, content_hash: str) -> None:
        """Remove every picture of a file."""
        folder = self._folder(content_hash)
        with self._lock:
            if folder is not None and folder.is_dir():
                shutil.rmtree(folder)
                self._bytes = None

    def _folder(self, content_hash: str) -> Path | None:
        # Nothing but a hash may ever become a path.
        if not _SHA256.fullmatch(content_hash):
            return None
        return self._directory / content_hash[:2] / content_hash

    def _count(self, added: int) -> None:
        with self._lock:
            self._bytes = self._held() if self._bytes is None else self._bytes + added
            if self._bytes > self._max_bytes:
                self._bytes = self._shrink()

    def _held(self) -> int:
        return sum(file.stat().st_size for file in self._files())

    def _files(self) -> list[Path]:
        return [file for file in self._directory.rglob("*") if file.is_file()]

    def _shrink(self) -> int:
        """Remove the longest unused pictures; return how many bytes are left."""
        found = sorted((stat.st_mtime_ns, stat.st_size, file) for file in self._files() if (stat := file.stat()))
        held = sum(size for _, size, _ in found)
        for _, size, file in found:
            if held <= self._max_bytes * _KEPT_SHARE:
                break
            file.unlink(missing_ok=True)
            held -= size
        return held


def _write_whole(target: Path, data: bytes) -> None:
    """A picture appears under its name only when all of it is there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(target)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
