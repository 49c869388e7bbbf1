"""The order of the tests: what takes long begins first, so that two processes end at about the same time."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

_TESTS = Path(__file__).parent
_LONG = ("acceptance", "e2e", "integration", "test_architecture.py", "test_bootstrap.py")
"""Folders and files that start the app, load the embedding model or check the whole source."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.relative_to(_TESTS).parts[0] not in _LONG)


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
