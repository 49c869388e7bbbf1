"""The process that runs RapidOCR: takes graymaps from its input, answers each with a line of JSON.

An answer is a list of words: text, box, number of the line, confidence.
"""

import json
import os
import sys
from typing import IO, Any

_MEMORY_MB = 4096
"""Of addresses; about a third of it is used."""


def serve() -> None:
    """Read pictures until the other end is gone. What libraries print goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit_memory()
    engine = _engine()
    _say(answers, "ready")
    while (picture := _picture(sys.stdin.buffer)) is not None:
        _say(answers, words(engine(picture, return_word_box=True)))


def words(found: Any) -> list[tuple[str, list[float], int, float]]:
    """Return the words of a result of RapidOCR, line by line."""
    rows: list[tuple[str, list[float], int, float]] = []
    for line, pieces in enumerate(found.word_results or ()):
        for text, confidence, corners in pieces:
            xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
            if text.strip():
                rows.append((text.strip(), [min(xs), min(ys), max(xs), max(ys)], line, float(confidence)))
    return rows


def _engine() -> Any:
    from rapidocr import RapidOCR  # noqa: PLC0415

    return RapidOCR(params={"Global.log_level": "error", "EngineConfig.onnxruntime.intra_op_num_threads": 1})


def _limit_memory() -> None:
    """Take the models' own limit in place of the one inherited, where the system knows such limits (Linux does)."""
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = _MEMORY_MB * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _picture(stream: IO[bytes]) -> Any:
    """Return the next picture as an array of three equal colours, or None at the end."""
    import numpy as np  # noqa: PLC0415

    header = stream.readline()
    if not header:
        return None
    _, width, height, _ = header.split()
    grey = np.frombuffer(stream.read(int(width) * int(height)), np.uint8).reshape(int(height), int(width), 1)
    return np.repeat(grey, 3, axis=2)


def _say(stream: IO[bytes], answer: Any) -> None:
    stream.write(json.dumps(answer).encode() + b"\n")
    stream.flush()
