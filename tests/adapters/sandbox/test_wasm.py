"""The WebAssembly engine: its interpreter is the one it should be, compiled once, and replaced where it fails."""

import hashlib
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
import wasmtime

from workbench.adapters.sandbox import wasm
from workbench.adapters.sandbox.wasm import WasmSandbox
from workbench.adapters.sandbox.wasm_child import Engine
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


def test_a_program_is_compiled_once_and_a_damaged_compilation_made_anew(tmp_path: Path) -> None:
    program, cache = tmp_path / "small.wasm", tmp_path / "cache"
    program.write_bytes(wasmtime.wat2wasm('(module (func (export "_start")))'))
    cache.mkdir()
    digest = hashlib.sha256(program.read_bytes()).hexdigest()

    Engine(program, digest, cache)
    (kept,) = cache.iterdir()
    whole, made = kept.read_bytes(), kept.stat().st_ino
    Engine(program, digest, cache)
    assert kept.stat().st_ino == made
    kept.write_bytes(whole[:-1])
    Engine(program, digest, cache)

    assert kept.read_bytes() == whole


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
    code = (
        "import sys, runpy; runpy.run_path(sys.argv[1], run_name='child'); "
        "print([m for m in sys.modules if m.startswith('workbench')])"
    )
    child = str(Path(wasm.__file__).with_name("wasm_child.py"))
    given = subprocess.run([sys.executable, "-c", code, child], capture_output=True, text=True, check=True)

    assert given.stdout == "[]\n"
