"""Tesseract, run by its command for each picture."""

import os
import shutil
import subprocess

from workbench.adapters.ocr.pgm import pgm
from workbench.domain.errors import NotRecognized
from workbench.domain.pages import Box
from workbench.services.ports import Raster, RecognizedWord

_NO_LANGUAGE = frozenset({"osd", "equ"})
_MANY = 5
"""With more languages installed than this, all at once are slow and confuse each other: then English alone is read."""
_ANSWER_SECONDS = 20.0
_WORD = "5"
"""The level of a row of the table that stands for a word."""
_COLUMNS = 12
_ADVICE = "Look at the page itself."


def installed(languages: str = "") -> "Tesseract | None":
    """Return Tesseract where its command is on this machine and knows a language, else None."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    try:
        listed = _run([program, "--list-langs"], b"", _ANSWER_SECONDS).decode("utf-8", "replace").split("\n")[1:]
    except NotRecognized:
        return None
    known = [name.strip() for name in listed if name.strip() and name.strip() not in _NO_LANGUAGE and "/" not in name]
    chosen = [name for name in languages.split("+") if name in known] if languages else _usual(known)
    return Tesseract(program, chosen, "osd" in (name.strip() for name in listed)) if chosen else None


def _usual(known: list[str]) -> list[str]:
    """Return the languages read where none are named: all of a few, English first."""
    if len(known) > _MANY:
        return ["eng"] if "eng" in known else known[:1]
    return sorted(known, key=lambda name: (name != "eng", name))


class Tesseract:
    """The TextRecognizer that runs ``program`` with some of its languages.

    ``finds_turn`` tells whether its data for telling how a page is turned are there.
    """

    def __init__(self, program: str, languages: list[str], finds_turn: bool = True) -> None:
        self._program = program
        self._languages = "+".join(languages)
        self._layout = "1" if finds_turn else "3"

    @property
    def name(self) -> str:
        return f"Tesseract, {self._languages}"

    def recognize(self, picture: Raster, max_seconds: float) -> list[RecognizedWord]:
        options = ["--dpi", str(picture.dpi), "--psm", self._layout, "-l", self._languages]
        command = [self._program, "stdin", "stdout", *options, "tsv"]
        return words(_run(command, pgm(picture), max_seconds).decode("utf-8", "replace"))


def words(table: str) -> list[RecognizedWord]:
    """Return the words of Tesseract's table: level, page, block, paragraph, line, word, box, confidence, text."""
    found: list[RecognizedWord] = []
    lines: dict[tuple[str, ...], int] = {}
    for row in table.split("\n"):
        fields = row.rstrip("\r").split("\t", _COLUMNS - 1)
        if len(fields) < _COLUMNS or fields[0] != _WORD or not fields[-1].strip():
            continue
        left, top, width, height = (float(field) for field in fields[6:10])
        line = lines.setdefault(tuple(fields[1:5]), len(lines))
        box = Box(left, top, left + width, top + height)
        found.append(RecognizedWord(fields[-1].strip(), box, line, max(float(fields[10]), 0.0) / 100))
    return found


def _run(command: list[str], given: bytes, max_seconds: float) -> bytes:
    # One thread a picture: more of them wait for each other most of the time.
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - the program is the operator's, the picture goes through its input
            command, input=given, capture_output=True, timeout=max_seconds, env=environment, check=True
        )
    except subprocess.TimeoutExpired as error:
        raise NotRecognized(f"Tesseract took more than {max_seconds:g} seconds.", _ADVICE) from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotRecognized("Tesseract broke off.", _ADVICE) from error
    return done.stdout
