"""The reading process: takes files from its standard input and answers with documents, until the app closes it."""

import faulthandler
import gc
import os
import re
import sys
import time
from typing import IO, Any

from workbench.adapters.worker.frames import receive, send
from workbench.domain.errors import BadFile
from workbench.services.ports import DocumentReader

_REPORT_EVERY = 0.2
_PAGES = 50
"""Pages in a message."""
_NO_MEMORY = re.compile(r"\b(?:m|c|re)alloc\b")
_GRACE = 5.0
"""Seconds after which a process that was not ended for taking too long ends itself, whatever it is busy with."""


class Patience:
    """The time a file still has in its process. Work that is known to be slow asks for more, and the app hears of it."""

    def __init__(self) -> None:
        self._answers: IO[bytes] | None = None
        self._end = 0.0
        self._nowhere: IO[str] | None = None

    def begin(self, answers: IO[bytes], seconds: float, nowhere: IO[str]) -> None:
        self._answers, self._nowhere = answers, nowhere
        self._end = time.monotonic() + seconds
        self._watch()

    def more(self, seconds: float) -> None:
        """Let the file at work take ``seconds`` more; without one, nothing happens."""
        if self._answers is not None:
            self._end += seconds
            send(self._answers, ("more", seconds))
            self._watch()

    def end(self) -> None:
        faulthandler.cancel_dump_traceback_later()
        self._answers = None

    def _watch(self) -> None:
        # The watch is a thread of C: it ends the process even where Python never gets a turn.
        left = max(self._end - time.monotonic(), 0.0) + _GRACE
        faulthandler.dump_traceback_later(left, exit=True, file=self._nowhere or sys.stderr)


def serve(reader: DocumentReader, max_memory_mb: int, max_seconds: float, patience: Patience | None = None) -> None:
    """Read files until the app is gone. What libraries print goes to standard error, away from the messages."""
    patience = patience or Patience()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    files = sys.stdin.buffer
    limit_memory(max_memory_mb)
    send(answers, ("ready",))
    while True:
        try:
            data, name = receive(files)
        except EOFError:
            return
        with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
            patience.begin(answers, max_seconds, nowhere)
            # The words of a long document are millions of values without cycles: looking through them costs time.
            gc.disable()
            _answer(reader, data, name, answers)
            gc.enable()
            gc.collect()
            patience.end()


def limit_memory(megabytes: int) -> None:
    """Let this process have that much memory and no more, where the system knows such a limit (Linux does)."""
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415

    # The lower of the two limits only: an OCR engine started from here has a process, and a limit, of its own.
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1024 * 1024, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _answer(reader: DocumentReader, data: bytes, name: str, answers: IO[bytes]) -> None:
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        if (now := time.monotonic()) - last > _REPORT_EVERY or done == total:
            last = now
            send(answers, ("progress", done, total))

    try:
        read = reader.read(data, name, progress)
        # A long document goes in pieces: as one message it would stand in memory twice, here and in the app.
        for start in range(0, len(read.pages), _PAGES):
            send(answers, ("pages", read.pages[start : start + _PAGES]))
        send(answers, ("document", read.model_copy(update={"pages": ()})))
    except BadFile as error:
        send(answers, _or_memory(error, ("refused", type(error), error.message, error.advice)))
    except MemoryError:
        send(answers, ("memory",))
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001
        # The boundary of the process: whatever a library raises is this file's fault and is told to the app.
        send(answers, _or_memory(error, ("broken", f"{type(error).__name__}: {error}")))


def _or_memory(error: BaseException, answer: tuple[Any, ...]) -> tuple[Any, ...]:
    return ("memory",) if _out_of_memory(error) else answer


def _out_of_memory(error: BaseException | None) -> bool:
    """Tell whether an error comes from a lack of memory; MuPDF and lxml only say so in words."""
    while error is not None:
        words = str(error).lower()
        if (
            isinstance(error, MemoryError)
            or _NO_MEMORY.search(words)
            or "memory alloc" in words
            or "out of memory" in words
        ):
            return True
        error = error.__cause__ or error.__context__
    return False
