"""What comes out of a sandboxed process: collected by threads, so that no pipe blocks on any platform."""

import queue
import subprocess
import threading
from collections.abc import Callable
from typing import IO

Chunk = tuple[bytes, bytes]
"""A letter for what it is, and the bytes."""
CLOSED: Chunk = (b"", b"")
_READ = 1 << 16
_AHEAD = 64
"""Chunks that may wait: a guest that prints without end is slowed down before the memory of the app is full."""


class GuestProcess:
    """A started process; ``reader`` takes chunks off one of its streams and puts them into :attr:`chunks`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.chunks: queue.Queue[Chunk] = queue.Queue(_AHEAD)
        self._ended = threading.Event()

    def read(self, stream: IO[bytes], reader: Callable[[IO[bytes]], Chunk | None]) -> None:
        """Read ``stream`` in a thread until it is closed, which is told as ``CLOSED``."""
        threading.Thread(target=self._pump, args=(stream, reader), name="sandbox-output", daemon=True).start()

    def kill(self, grace: float = 0.0) -> int:
        """End the process, where it does not end by itself within ``grace`` seconds, and return its exit code."""
        self._ended.set()
        try:
            return self.process.wait(timeout=grace)
        except subprocess.TimeoutExpired:
            return self._kill()

    def _kill(self) -> int:
        self.process.kill()
        code = self.process.wait()
        if self.process.stdin is not None:
            try:
                self.process.stdin.close()
            except OSError:
                # What was still to be sent has nobody to read it.
                return code
        return code

    def _pump(self, stream: IO[bytes], reader: Callable[[IO[bytes]], Chunk | None]) -> None:
        with stream:
            while (chunk := reader(stream)) is not None:
                if not self._put(chunk):
                    return
        self._put(CLOSED)

    def _put(self, chunk: Chunk) -> bool:
        while not self._ended.is_set():
            try:
                self.chunks.put(chunk, timeout=0.2)
            except queue.Full:
                continue
            return True
        return False


def raw(kind: bytes) -> Callable[[IO[bytes]], Chunk | None]:
    """Read bytes as they come."""

    def read(stream: IO[bytes]) -> Chunk | None:
        data = stream.read1(_READ) if hasattr(stream, "read1") else stream.read(_READ)
        return (kind, data) if data else None

    return read
