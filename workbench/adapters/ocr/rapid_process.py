"""The process that runs RapidOCR: takes graymaps from its input, answers each with a line of JSON.

An answer is a list of words: text, box, number of the line, confidence.
"""

import json
import os
import sys
from typing import IO, Any

_MEMORY_MB = 4096
"""Of addresses; about a third of it is used."""
_SURE = 0.93
"""Pictures that read this well are the right way up."""
Box = tuple[float, float, float, float]
Word = tuple[str, list[float], int, float]


def serve() -> None:
    """Read pictures until the other end is gone. What libraries print goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit_memory()
    engine = _engine()
    _say(answers, "ready")
    while (picture := _picture(sys.stdin.buffer)) is not None:
        _say(answers, recognized(engine, picture))


def recognized(engine: Any, picture: Any) -> list[Word]:
    """Return the words of a picture, looked at from another side as well where it does not read well upright.

    The package tells for each line whether it is upside down, often wrongly, and then misplaces its words; so it is not
    asked, and how sure it is of the whole picture decides.
    """
    import numpy as np  # noqa: PLC0415

    height, width = picture.shape[:2]
    best = engine(picture, use_cls=False, return_word_box=True)
    sure, turn = _sureness(best), 0
    for quarter in (1, 3) if _upright_lines(best) else (2,):
        if sure >= _SURE:
            break
        found = engine(np.ascontiguousarray(np.rot90(picture, quarter)), use_cls=False, return_word_box=True)
        if _sureness(found) > sure:
            best, sure, turn = found, _sureness(found), quarter
    return [
        (text, list(turned_back((x0, y0, x1, y1), turn, width, height)), line, confidence)
        for text, (x0, y0, x1, y1), line, confidence in words(best)
    ]


def words(found: Any) -> list[Word]:
    """Return the words of a result of RapidOCR, line by line."""
    rows: list[Word] = []
    if found.boxes is None:
        return rows
    for line, pieces in enumerate(found.word_results):
        for text, confidence, corners in pieces:
            xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
            if text.strip():
                rows.append((text.strip(), [min(xs), min(ys), max(xs), max(ys)], line, float(confidence)))
    return rows


def turned_back(box: Box, quarter: int, width: float, height: float) -> Box:
    """Return where a box lies in the picture, of that size, which was turned by quarters against the clock for reading."""
    x0, y0, x1, y1 = box
    if quarter == 1:
        return width - y1, x0, width - y0, x1
    if quarter == 2:
        return width - x1, height - y1, width - x0, height - y0
    if quarter == 3:
        return y0, height - x1, y1, height - x0
    return box


def _sureness(found: Any) -> float:
    """Return the mean confidence of a result's lines, the longer ones counting more."""
    if found.boxes is None:
        return 0.0
    letters = [len(text) for text in found.txts]
    return float(sum(n * score for n, score in zip(letters, found.scores, strict=True)) / max(sum(letters), 1))


def _upright_lines(found: Any) -> bool:
    """Tell whether most lines are taller than wide: the page lies on its side."""
    if found.boxes is None:
        return False
    spans = [box.max(axis=0) - box.min(axis=0) for box in found.boxes]
    return bool(sum(down > across for across, down in spans) > len(spans) / 2)


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
