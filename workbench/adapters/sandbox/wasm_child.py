"""The process that holds the WebAssembly engine: runs one guest after the other, each in a memory of its own.

It is started by path, with no environment, and imports nothing of this package: what it holds is what a guest that broke out
of WebAssembly would find. Frames on its standard output are a letter, a length and bytes: R ready, O printed, E answer,
D done, F cannot work.
"""

import hashlib
import json
import os
import struct
import sys
import tempfile
import threading
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

import wasmtime

HEAD = struct.Struct(">cI")
_START = (
    "import sys; sys.path.insert(0, '/app'); from workbench.adapters.sandbox.guest.harness import main; main('/in')"
)
_STACK = 1 << 20


class Frames:
    """Frames to the app; the callbacks of a guest write them as well."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, kind: bytes, data: bytes = b"") -> None:
        with self._lock:
            self._stream.write(HEAD.pack(kind, len(data)) + data)
            self._stream.flush()


class Engine:
    """The compiled interpreter. Compiling takes seconds, so what comes of it is kept in ``cache``."""

    def __init__(self, program: Path, sha256: str, cache: Path) -> None:
        config = wasmtime.Config()
        config.max_wasm_stack = _STACK
        self._engine = wasmtime.Engine(config)
        data = program.read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ValueError(f"{program.name} is not the file it should be: its SHA-256 differs")
        self._module = self._kept(cache, sha256) or self._compiled(data, cache, sha256)
        self._linker = wasmtime.Linker(self._engine)
        self._linker.define_wasi()

    def run(self, app: str, folder: str, memory: int, frames: Frames) -> str:
        """Run the guest on the code in ``folder``; return why it broke off, empty where it did not."""
        wasi = wasmtime.WasiConfig()
        wasi.argv = ["python", "-P", "-s", "-S", "-B", "-X", "utf8", "-c", _START]
        # With it, sets have the same order in every run, so that a run can be had again.
        wasi.env = [("PYTHONHASHSEED", "0")]
        wasi.preopen_dir(app, "/app", fs_mutable=False)
        wasi.preopen_dir(folder, "/in", fs_mutable=False)
        wasi.stdout_custom = lambda data: frames.send(b"O", data)
        wasi.stderr_custom = lambda data: frames.send(b"E", data)
        with wasmtime.Store(self._engine) as store:
            store.set_limits(memory_size=memory)
            store.set_wasi(wasi)
            try:
                start = self._linker.instantiate(store, self._module).exports(store)["_start"]
                if not isinstance(start, wasmtime.Func):
                    return "the interpreter has no start"
                start(store)
            except wasmtime.ExitTrap:
                return ""
            except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
                return str(error)[:2000]
        return ""

    def _kept(self, cache: Path, sha256: str) -> wasmtime.Module | None:
        for path in cache.glob(f"{self._key(sha256)}.*.compiled"):
            # The file is native code: one that was cut off or damaged is compiled anew.
            if hashlib.sha256(path.read_bytes()).hexdigest() == path.name.split(".")[-2]:
                try:
                    return wasmtime.Module.deserialize_file(self._engine, str(path))
                except wasmtime.WasmtimeError:
                    pass
            path.unlink(missing_ok=True)
        return None

    def _compiled(self, data: bytes, cache: Path, sha256: str) -> wasmtime.Module:
        module = wasmtime.Module(self._engine, data)
        native = bytes(module.serialize())
        handle, name = tempfile.mkstemp(dir=cache)
        with os.fdopen(handle, "wb") as file:
            file.write(native)
        Path(name).replace(cache / f"{self._key(sha256)}.{hashlib.sha256(native).hexdigest()}.compiled")
        return module

    def _key(self, sha256: str) -> str:
        return f"{sha256[:16]}-wasmtime-{version('wasmtime').replace('.', '_')}"


def main() -> None:
    app, program, sha256, cache = sys.argv[1:5]
    requests = os.fdopen(os.dup(0), "rb")
    frames = Frames(os.fdopen(os.dup(1), "wb"))
    # A library that reads or prints must not meet the frames.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    try:
        engine = Engine(Path(program), sha256, Path(cache))
    except (OSError, ValueError, wasmtime.WasmtimeError) as error:
        frames.send(b"F", str(error).encode())
        return
    frames.send(b"R")
    for line in requests:
        request = json.loads(line)
        frames.send(b"D", engine.run(app, request["folder"], request["memory"], frames).encode())


if __name__ == "__main__":
    main()
