"""Programs and attacks of outside material: all programs here, and of the attacks those of each kind that take no time.

``python -m tests.bench sandbox`` runs all of them.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.sandbox import PATIENT, Outside, attacked, attacks, material, programs
from workbench.adapters.sandbox.bubblewrap import BubblewrapSandbox
from workbench.adapters.sandbox.wasm import WasmSandbox
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import Sandbox

MATERIAL = material()
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(
        MATERIAL is None, reason="PINCITE_CORPUS names no outside material with a folder sandbox beside"
    ),
]
SAMPLE = 17
"""One attack of so many is tried."""


@pytest.fixture(scope="module", params=[WasmSandbox, BubblewrapSandbox], ids=["wasm", "bubblewrap"])
def sandbox(request: pytest.FixtureRequest, sandbox_home: Path) -> Iterator[Sandbox]:
    try:
        made: Sandbox = request.param(sandbox_home)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    yield made
    made.close()


def test_programs_run_as_cpython_runs_them(sandbox: Sandbox) -> None:
    assert MATERIAL is not None
    found = [each for each in programs(MATERIAL) if not each.pandas or "without pandas" not in sandbox.description]

    wrong = {each.name: each.difference(sandbox.run(each.code, each.inputs, PATIENT)) for each in found}

    assert len(found) >= 54
    assert {name: problem for name, problem in wrong.items() if problem} == {}


def test_attacks_are_contained(sandbox: Sandbox, tmp_path: Path) -> None:
    assert MATERIAL is not None
    with Outside(tmp_path) as outside:
        wrong = {each.name: attacked(sandbox, each, outside) for each in attacks(MATERIAL)[::SAMPLE]}

    assert {name: problems for name, problems in wrong.items() if problems} == {}
