"""RapidOCR, a package that brings its models along, in a process that is kept between pictures.

The package reads Latin letters with their accents, Chinese and Japanese. It needs about a gigabyte while it works, which
is why it does not share the memory of the process that reads files.
"""

import json
import queue
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

from workbench.adapters.ocr.pgm import pgm
from workbench.domain.errors import NotRecognized
from workbench.domain.pages import Box
from workbench.services.ports import Raster, RecognizedWord

_START = "import sys; sys.path.append(sys.argv[1]); from workbench.adapters.ocr.rapid_process import serve; serve()"
_START_SECONDS = 120.0
_ADVICE = "Look at the page itself."


def installed() -> "RapidOcr | None":
    """Return the engine where its package is installed, else None. It has one model for all of its languages."""
    return RapidOcr() if find_spec("rapidocr") and find_spec("onnxruntime") else None


class RapidOcr:
    """The TextRecognizer by RapidOCR. A process that takes too long or breaks off is ended; the next picture starts anew."""

    def __init__(self) -> None:
        self._process: _Process | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return "RapidOCR"

    def recognize(self, picture: Raster, max_seconds: float) -> list[RecognizedWord]:
        with self._lock:
            if self._process is None:
                self._process = _Process()
            try:
                rows = self._process.ask(pgm(picture), max_seconds)
            except TimeoutError as error:
                self._end()
                raise NotRecognized(f"RapidOCR took more than {max_seconds:g} seconds.", _ADVICE) from error
            except (EOFError, OSError, ValueError) as error:
                self._end()
                raise NotRecognized("RapidOCR broke off.", _ADVICE) from error
        return [RecognizedWord(text, Box(*box), line, confidence) for text, box, line, confidence in rows]

    def close(self) -> None:
        with self._lock:
            self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


_Row = tuple[str, list[float], int, float]


class _Process:
    """The process and a thread that takes its answers, a line of JSON each, so that waiting for one can time out."""

    def __init__(self) -> None:
        root = str(Path(__file__).resolve().parents[3])
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-P", "-c", _START, root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="ocr-process", daemon=True).start()
        self._ready = False

    def ask(self, picture: bytes, seconds: float) -> list[_Row]:
        """Return what the process found; raise TimeoutError, or EOFError where it is gone."""
        if self._process.stdin is None:
            raise EOFError("the process has no input")
        if not self._ready:
            # Loading the models is not the time of a page.
            self._next(_START_SECONDS)
            self._ready = True
        self._process.stdin.write(picture)
        self._process.stdin.flush()
        rows: list[_Row] = json.loads(self._next(seconds))
        return rows

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                return

    def _next(self, seconds: float) -> bytes:
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty as error:
            raise TimeoutError from error
        if not answer:
            raise EOFError("the process ended")
        return answer

    def _listen(self) -> None:
        if self._process.stdout is None:
            return
        with self._process.stdout as stream:
            for line in stream:
                self._answers.put(line)
            self._answers.put(b"")
