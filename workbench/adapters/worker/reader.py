"""The DocumentReader that reads in other processes, each with a limit of time and memory."""

import logging
import queue
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Any

from workbench.adapters.worker.frames import receive, send
from workbench.domain.errors import BadFile, DamagedFile, PinciteError, TooLarge
from workbench.domain.pages import Page, ReadDocument
from workbench.services.ports import Progress

log = logging.getLogger(__name__)

_START_SECONDS = 60.0
_AFTER_FILES, _AFTER_BYTES, _AFTER_PAGES = 200, 50_000_000, 1000
"""What a process reads before it is replaced: libraries keep some memory of every file, and much of a large one, which the
next file would lack."""


class WorkerReader:
    """Reads each file in a process started by ``command``, which runs :func:`workbench.adapters.worker.child.serve`.

    Processes are kept for further files, one for each file read at the same time; one that fails is replaced. ``max_seconds``
    bounds a file's time, and ``max_more_seconds`` what a process may ask for beyond that (for pages that are recognised);
    ``max_memory_mb`` is what the command was told, for the message.
    """

    def __init__(
        self,
        command: Sequence[str],
        max_seconds: float = 300.0,
        max_memory_mb: int = 2048,
        max_more_seconds: float = 0.0,
    ) -> None:
        self._command = list(command)
        self._max_seconds = max_seconds
        self._max_more_seconds = max_more_seconds
        self._max_memory_mb = max_memory_mb
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._lock = threading.Lock()
        self._closed = False

    def warm_up(self) -> None:
        """Start a process ahead of the first file; a reader that is closed meanwhile needs none."""
        try:
            self._give_back(self._take())
        except PinciteError:
            if not self._closed:
                raise

    def read(self, data: bytes, name: str, progress: Progress) -> ReadDocument:
        """Read a file; raise a BadFile where it cannot be used, takes too long or needs too much memory."""
        process = self._take()
        whole = False
        try:
            answer = process.ask(data, name, progress, self._max_seconds, self._max_more_seconds)
            whole = answer[0] in {"document", "refused", "broken"}
        except TimeoutError as error:
            raise TooLarge(
                f"{name} could not be read within {self._max_seconds:g} seconds.",
                "Split it into smaller files, or ask the operator to raise the limit.",
            ) from error
        except (EOFError, OSError) as error:
            raise DamagedFile(
                f"{name} made the program that reads files break off.",
                "Open it in its own program, save it anew or as PDF, and upload that.",
            ) from error
        finally:
            # A process that did not answer in full, or ran out of memory, is not trusted with another file.
            if whole:
                self._give_back(process)
            else:
                self._end(process)
        return self._result(answer, name)

    def close(self) -> None:
        """End every process, also those at work."""
        with self._lock:
            self._closed = True
            processes = list(self._all)
            self._idle.clear()
        for process in processes:
            self._end(process)

    def _result(self, answer: tuple[Any, ...], name: str) -> ReadDocument:
        if answer[0] == "document":
            document: ReadDocument = answer[1]
            return document
        if answer[0] == "refused":
            kind: type[BadFile] = answer[1]
            raise kind(answer[2], answer[3])
        if answer[0] == "memory":
            raise TooLarge(
                f"{name} needs more than the {self._max_memory_mb} MB of memory that one file may take.",
                "Split it into smaller files, or ask the operator to raise the limit.",
            )
        log.error("reading %s failed: %s", name, answer[1])
        raise DamagedFile(
            f"{name} cannot be read: its content is not what its format promises.",
            "Open it in its own program, save it anew or as PDF, and upload that.",
        )

    def _take(self) -> "_Process":
        with self._lock:
            if self._closed:
                raise PinciteError("Pincite is closing.", "Start it again to go on.")
            process = self._idle.pop() if self._idle else None
        if process is None:
            process = _Process(self._command)
            with self._lock:
                self._all.add(process)
            try:
                process.wait_until_ready(_START_SECONDS)
            except (EOFError, OSError, TimeoutError) as error:
                self._end(process)
                raise PinciteError(
                    "The program that reads files did not start.",
                    "Upload the file again; if it fails again, see the log.",
                ) from error
        return process

    def _give_back(self, process: "_Process") -> None:
        with self._lock:
            if not self._closed and not process.worn:
                self._idle.append(process)
                return
        self._end(process)

    def _end(self, process: "_Process") -> None:
        with self._lock:
            self._all.discard(process)
        process.end()


class _Process:
    """One reading process, and a thread that takes what it says, so that waiting for it can time out."""

    def __init__(self, command: Sequence[str]) -> None:
        self._files = self._bytes = self._pages = 0
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._answers: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="reading-process", daemon=True).start()

    @property
    def worn(self) -> bool:
        """Whether the process has read so much that a new one should take its place."""
        return self._files >= _AFTER_FILES or self._bytes >= _AFTER_BYTES or self._pages >= _AFTER_PAGES

    def wait_until_ready(self, seconds: float) -> None:
        self._next(time.monotonic() + seconds)

    def ask(self, data: bytes, name: str, progress: Progress, seconds: float, more: float) -> tuple[Any, ...]:
        """Send a file and return the answer; raise TimeoutError where it takes longer, EOFError where the process is gone.

        ``seconds`` is what the file may take, ``more`` what the process may ask for beyond that in all.
        """
        self._files += 1
        self._bytes += len(data)
        deadline = time.monotonic() + seconds
        if self._process.stdin is None:
            raise EOFError("the process has no input")
        send(self._process.stdin, (data, name))
        pages: list[Page] = []
        while (answer := self._next(deadline))[0] in ("progress", "more", "pages"):
            if answer[0] == "progress":
                progress(answer[1], answer[2])
            elif answer[0] == "pages":
                pages += answer[1]
                self._pages += len(answer[1])
            else:
                granted = min(float(answer[1]), more)
                deadline, more = deadline + granted, more - granted
        if answer[0] == "document":
            return "document", answer[1].model_copy(update={"pages": tuple(pages)})
        return answer

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                log.debug("a reading process was gone before it had taken its file")

    def _next(self, deadline: float) -> tuple[Any, ...]:
        try:
            answer = self._answers.get(timeout=max(deadline - time.monotonic(), 0.001))
        except queue.Empty as error:
            raise TimeoutError from error
        if answer is None:
            raise EOFError("the process ended")
        return answer

    def _listen(self) -> None:
        stream = self._process.stdout
        if stream is None:
            return
        with stream:
            try:
                while True:
                    self._answers.put(receive(stream))
            except (EOFError, OSError, ValueError):
                self._answers.put(None)
