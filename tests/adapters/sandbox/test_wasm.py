"""The WebAssembly engine: its interpreter is the one it should be, compiled once, and replaced where it fails."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from workbench.adapters.sandbox import wasm
from workbench.adapters.sandbox.wasm import WasmSandbox
from workbench.domain.calculations import RunLimits, RunOutcome
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import SandboxInputs

LIMITS = RunLimits(seconds=5.0)


def _workers() -> list[psutil.Process]:
    return [each for each in psutil.Process().children() if "wasm_child.py" in " ".join(each.cmdline())]


def test_another_interpreter_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "other.wasm"
    other.write_bytes(b"\0asm")
    monkeypatch.setattr(wasm, "_program", lambda: other)
    sandbox = WasmSandbox(tmp_path)

    with pytest.raises(SandboxUnavailable, match="SHA-256 differs"):
        sandbox.run("1", SandboxInputs(), LIMITS)
    sandbox.close()


def test_a_damaged_compilation_is_made_anew(sandbox_home: Path, tmp_path: Path) -> None:
    first = WasmSandbox(sandbox_home)
    first.run("1", SandboxInputs(), LIMITS)
    first.close()
    (kept,) = sandbox_home.glob("*.compiled")
    (tmp_path / kept.name).write_bytes(kept.read_bytes()[:-1])

    second = WasmSandbox(tmp_path)

    assert second.run("2 + 2", SandboxInputs(), LIMITS).value == "4"
    assert len(list(tmp_path.glob("*.compiled"))) == 1
    second.close()


def test_one_warm_process_serves_runs_and_is_replaced_when_ended(sandbox_home: Path) -> None:
    sandbox = WasmSandbox(sandbox_home)
    sandbox.run("1", SandboxInputs(), LIMITS)
    (before,) = _workers()
    sandbox.run("1", SandboxInputs(), LIMITS)
    assert _workers() == [before]

    stopped = sandbox.run("while True: pass", SandboxInputs(), RunLimits(seconds=0.5))

    assert stopped.outcome is RunOutcome.TIMEOUT
    assert not before.is_running() or before.status() == psutil.STATUS_ZOMBIE
    assert sandbox.run("3", SandboxInputs(), LIMITS).value == "3"
    sandbox.close()
    assert _workers() == []


def test_the_process_of_the_engine_has_no_environment(sandbox_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_API_KEY", "sk-not-for-guests")
    sandbox = WasmSandbox(sandbox_home)
    sandbox.run("1", SandboxInputs(), LIMITS)
    (worker,) = _workers()

    assert "PINCITE_API_KEY" not in worker.environ()
    sandbox.close()


def test_the_process_imports_nothing_of_the_package() -> None:
    code = "import sys, runpy; runpy.run_path(sys.argv[1], run_name='child'); print([m for m in sys.modules if m.startswith('workbench')])"

    child = str(Path(wasm.__file__).with_name("wasm_child.py"))
    given = subprocess.run([sys.executable, "-c", code, child], capture_output=True, text=True, check=True)

    assert given.stdout == "[]\n"
