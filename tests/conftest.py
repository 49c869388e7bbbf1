"""The order of the tests: what takes long begins first, so that two processes end at about the same time."""

from pathlib import Path

import pytest

_TESTS = Path(__file__).parent
_LONG = ("acceptance", "e2e", "integration", "test_architecture.py", "test_bootstrap.py")
"""Folders and files that start the app, load the embedding model or check the whole source."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.relative_to(_TESTS).parts[0] not in _LONG)


@pytest.fixture(scope="session")
def sandbox_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for every sandbox of a run: the interpreter is compiled once."""
    return tmp_path_factory.mktemp("sandbox")
