"""What every contract suite needs: real threads that start at the same moment, and the databases a store runs on."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, make_url, text

from tests.contract.postgresql import Unavailable, cluster
from workbench.adapters.sql.engine import Database, open_database

HOSTILE = (
    "",
    " ",
    "'; DROP TABLE documents; --",
    '"quoted" NEAR/2 a* OR (b AND NOT c) ^d col:e {f g}:h',
    "../../etc/passwd",
    "a\x00b\x1b[31m\u202e",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ﬁ 売買契約書 договор עברית 🙂‍↔️",
    "%s %(x)s {0} ${HOME} :bind ?",
)
"""Texts that must be stored and searched as what they are: text."""


@pytest.fixture(params=HOSTILE, ids=range(len(HOSTILE)))
def hostile(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def together() -> Callable[[Callable[[int], Any], int], list[Any]]:
    """Run a function in several threads at once; return the results, an exception standing for a call that raised it."""

    def run(function: Callable[[int], Any], threads: int) -> list[Any]:
        barrier = threading.Barrier(threads)

        def task(index: int) -> Any:
            barrier.wait(timeout=30)
            try:
                return function(index)
            except Exception as error:  # noqa: BLE001 - the test looks at it
                return error

        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(task, range(threads)))

    return run


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL of this session's own; tests that need it are skipped where there is none."""
    with ExitStack() as stack:
        try:
            url = stack.enter_context(cluster())
        except Unavailable as reason:
            pytest.skip(str(reason))
        yield url


_NUMBERS = count(1)


@pytest.fixture
def new_url(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """Give a function that makes a new, empty database on PostgreSQL and returns its URL."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(_new_database(request.getfixturevalue("postgresql")))


@pytest.fixture
def open_store(tmp_path: Path, new_url: Callable[[], str]) -> Iterator[Callable[[str], Database]]:
    """Give a function that opens a new, empty database of a kind: ``sqlite`` or ``postgresql``."""
    with ExitStack() as stack:

        def open_(kind: str) -> Database:
            database = open_database(f"sqlite:///{tmp_path}/pincite.sqlite" if kind == "sqlite" else new_url())
            stack.callback(database.close)
            return database

        yield open_


@contextmanager
def _new_database(server: str) -> Iterator[str]:
    """Make a schema of its own for one test, which is quicker than a database, and drop it afterwards."""
    name = f"pincite_{next(_NUMBERS)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
        url = make_url(server).update_query_dict({"options": f"-csearch_path={name}"})
        yield url.render_as_string(hide_password=False)
        with engine.connect() as connection:
            connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    finally:
        engine.dispose()
