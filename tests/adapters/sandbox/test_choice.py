"""Which engine is taken."""

from pathlib import Path

import pytest

from workbench.adapters.sandbox import choice
from workbench.adapters.sandbox.bubblewrap import BubblewrapSandbox
from workbench.adapters.sandbox.choice import Engine, open_sandbox
from workbench.adapters.sandbox.wasm import WasmSandbox
from workbench.domain.errors import SandboxUnavailable


def _not_here(home: Path, workers: int) -> BubblewrapSandbox:
    raise SandboxUnavailable("Namespaces do not work here.")


def test_without_namespaces_code_runs_in_webassembly(
    sandbox_home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(choice, "BubblewrapSandbox", _not_here)

    with caplog.at_level("INFO"):
        sandbox = open_sandbox(sandbox_home)
    sandbox.close()

    assert isinstance(sandbox, WasmSandbox)
    assert "Namespaces do not work here." in caplog.text


def test_an_engine_that_was_asked_for_is_not_replaced(sandbox_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "BubblewrapSandbox", _not_here)

    with pytest.raises(SandboxUnavailable):
        open_sandbox(sandbox_home, Engine.BUBBLEWRAP)


def test_webassembly_can_be_asked_for(sandbox_home: Path) -> None:
    sandbox = open_sandbox(sandbox_home, Engine.WASM)
    sandbox.close()

    assert isinstance(sandbox, WasmSandbox)
