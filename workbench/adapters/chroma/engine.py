"""Chroma itself: opened within the files that the process may hold, and opened anew before it runs out of them.

Every collection in use holds up to five files. Chroma closes those used least when it has many, and then loses sight of what
they had not yet written to their graphs (1.5.9: "Nothing found on disk", or fewer hits). So it never comes to that here:
before as many are in use as could make it close one, the whole engine is closed and opened again, which loses nothing.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import chromadb
from chromadb.api.client import Client
from chromadb.api.collection_configuration import CreateCollectionConfiguration, CreateHNSWConfiguration
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings
from chromadb.errors import NotFoundError

OPEN_FILES = (65_536, 10_240, 4_096)
"""What the process asks for, the most first: systems differ in what they give."""

FILES_OF_ONE = 5
MARGIN = 3
"""Chroma keeps one collection for each five files that it may open, in parts of which one can fill up before the others."""

_USUAL = 512
_CONFIGURATION = CreateCollectionConfiguration(
    hnsw=CreateHNSWConfiguration(space="cosine", ef_construction=200, ef_search=200)
)


class Engine:
    """Lends collections of one directory, each for the time of a block. Blocks must not be nested in one thread."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        # Every setting that Chroma would take from the environment or an .env file, and that matters, is named here.
        self._settings = Settings(
            _env_file=None,
            anonymized_telemetry=False,
            chroma_api_impl="chromadb.api.rust.RustBindingsAPI",
            chroma_otel_collection_endpoint="",
        )
        self._directory = directory
        self.capacity = max(1, allow_open_files() // FILES_OF_ONE // MARGIN)
        """How many collections may be in use before the engine is opened anew."""
        self._changed = threading.Condition()
        self._users = 0
        self._in_use: set[str] = set()
        self.client = self._open()

    def close(self) -> None:
        """Release the directory. The engine cannot be used afterwards."""
        self.client.close()

    @contextmanager
    def existing(self, name: str) -> Iterator[Collection | None]:
        """Lend a collection, or None where there is none of that name."""
        with self._using(name):
            try:
                collection = self.client.get_collection(name, embedding_function=None)
            except NotFoundError:
                collection = None
            yield collection

    @contextmanager
    def created(self, name: str) -> Iterator[Collection]:
        """Lend a collection, which is made where there is none of that name."""
        with self._using(name):
            yield self.client.get_or_create_collection(name, embedding_function=None, configuration=_CONFIGURATION)

    def names(self) -> list[str]:
        """Return the names of all collections."""
        with self._using(""):
            return [found.name for found in self.client.list_collections()]

    def delete_others(self, kept: set[str]) -> int:
        """Delete the collections that are not named; return how many that were."""
        with self._using(""):
            gone = [found.name for found in self.client.list_collections() if found.name not in kept]
            for name in gone:
                self.client.delete_collection(name)
        return len(gone)

    @contextmanager
    def _using(self, name: str) -> Iterator[None]:
        with self._changed:
            if name not in self._in_use and len(self._in_use) >= self.capacity:
                self._reopen()
            self._in_use.add(name)
            self._users += 1
        try:
            yield
        finally:
            with self._changed:
                self._users -= 1
                self._changed.notify_all()

    def _reopen(self) -> None:
        """Wait until nobody uses a collection, then open anew (call with the lock held)."""
        self._changed.wait_for(lambda: not self._users)
        if len(self._in_use) >= self.capacity:  # nobody did it while this one waited
            self.client.close()
            self.client = self._open()
            self._in_use.clear()

    def _open(self) -> Client:
        return cast("Client", chromadb.PersistentClient(path=self._directory, settings=self._settings))


def allow_open_files() -> int:
    """Raise the process's limit of open files as far as it may be, and return it. Chroma reads it when it opens."""
    if sys.platform == "win32":
        return _USUAL
    import resource  # noqa: PLC0415 - there is no such module on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for most in OPEN_FILES:
        wanted = most if hard == resource.RLIM_INFINITY else min(hard, most)
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return most if soft == resource.RLIM_INFINITY else soft
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue
        return wanted
    return soft
