"""What every contract suite needs: real threads that start at the same moment."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

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
