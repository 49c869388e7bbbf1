"""The order of the tests: what takes long begins first, so that the processes end at about the same time.

The browser tests come last: from the first of them on, Playwright keeps an event loop running in the process.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.worker.reader import WorkerReader
from workbench.reading import worker_reader
from workbench.settings import Settings

_TESTS = Path(__file__).parent
_ORDER = {"acceptance": 0, "integration": 0, "test_architecture.py": 0, "test_bootstrap.py": 0, "e2e": 2}
"""Folders and files that load the embedding model or check the whole source; the browser tests; all others are between."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _ORDER.get(item.path.relative_to(_TESTS).parts[0], 1))


@pytest.fixture(scope="session")
def sentence_embedder() -> SentenceTransformerEmbedder:
    """The real embedding model, loaded once a process: that takes many seconds."""
    return SentenceTransformerEmbedder()


@pytest.fixture(scope="session")
def file_reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerReader]:
    """The real reader of files; its process is kept for all tests, as the app keeps it for all files."""
    reader = worker_reader(Settings(home=tmp_path_factory.mktemp("reader")).reading)
    yield reader
    reader.close()


@pytest.fixture(scope="session")
def sandbox_home(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Path]:
    """One folder for every sandbox of a run. The compiled interpreter is kept for the next run: it takes many seconds."""
    home = tmp_path_factory.mktemp("sandbox")
    kept = pytestconfig.cache.mkdir("sandbox") if pytestconfig.cache else home
    for compiled in kept.glob("*.compiled"):
        shutil.copy2(compiled, home)
    yield home
    for compiled in home.glob("*.compiled"):
        if not (kept / compiled.name).exists():
            shutil.copy2(compiled, kept)
