"""The hard files: what each should give against what it gave, and the totals.

A file is right where its outcome is the expected one, all expected words are there (letters and digits compared, without
case), and pages and sheets are as many as they should be. A loss is silent where words are missing and no note says so.
A page that was recognised counts as one without a text layer; its words must be those that are known to stand on it.
"""

import json
import os
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from workbench.adapters.worker.reader import WorkerReader
from workbench.domain.errors import BadFile, EmptyFile, EncryptedFile, PinciteError
from workbench.domain.pages import ReadDocument
from workbench.reading import worker_reader
from workbench.services.ingestion.limits import Limits

SECONDS, MEGABYTES = 60.0, 2048
_STOPPED = ("could not be read within", "break off")


class Result(NamedTuple):
    """What reading one file gave. ``crash`` and ``hang`` are of the reading process; the app goes on in either case."""

    file: str
    expected: str
    actual: str
    problem: str
    seconds: float
    message: str
    crash: bool = False
    hang: bool = False
    silent: bool = False
    recognized: bool = False


def main() -> None:
    corpus = os.environ.get("PINCITE_CORPUS")
    if not corpus:
        raise SystemExit("Set PINCITE_CORPUS to the folder of the outside material.")
    results = list(measured(Path(corpus) / "hard"))
    for each in results:
        mark = "right" if not each.problem else "WRONG"
        print(
            f"{mark}  {each.expected:12} {each.actual:12} {each.seconds:6.2f} s  {each.file}  {each.problem or each.message}"
        )
    report(results)


def report(results: Sequence[Result]) -> None:
    right = sum(not each.problem for each in results)
    print(
        f"\nhard: {right} of {len(results)} right ({right / len(results):.1%}; target 99%), "
        f"{sum(each.crash for each in results)} crashes, {sum(each.hang for each in results)} hangs, "
        f"{sum(each.silent for each in results)} silent losses; "
        f"slowest {max(each.seconds for each in results):.1f} s, all {sum(each.seconds for each in results):.0f} s"
    )
    for actual, count in Counter(each.actual for each in results).most_common():
        print(f"  {actual}: {count}")
    print(f"  with pages recognised by OCR: {sum(each.recognized for each in results)}")


def measured(folder: Path, only: frozenset[str] | None = None) -> Iterator[Result]:
    """Read the files of the manifest, or those named, in one reading process after the other, and judge each."""
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    reader = worker_reader(Limits(max_seconds=SECONDS, max_memory_mb=MEGABYTES, libreoffice="never"))
    try:
        for entry in map(json.loads, lines):
            if only is None or entry["file"] in only:
                yield measure(reader, folder / entry["path"], entry["file"], entry["expected"])
    finally:
        reader.close()


def measure(reader: WorkerReader, path: Path, name: str, expected: dict[str, Any]) -> Result:
    started = time.perf_counter()
    read: ReadDocument | None = None
    error: PinciteError | None = None
    try:
        read = reader.read(path.read_bytes(), name, lambda done, total: None)
    except PinciteError as failure:
        error = failure
    seconds = time.perf_counter() - started
    actual = outcome(read, error)
    problem = judged(expected, actual, read, error)
    message = str(error) if error else " ".join(read.notes) if read else ""
    return Result(
        file=name,
        expected=expected["outcome"],
        actual=actual,
        problem=problem,
        seconds=seconds,
        message=message,
        crash="break off" in message or not (error is None or isinstance(error, BadFile)),
        hang="could not be read within" in message,
        silent=read is not None and not read.notes and _lost(expected, read),
        recognized=read is not None and any(page.ocr for page in read.pages),
    )


def outcome(read: ReadDocument | None, error: PinciteError | None) -> str:
    if isinstance(error, EncryptedFile):
        return "password"
    if error is not None or read is None:
        return "reject"
    body = not any(note.startswith("The body holds no text") for note in read.notes)
    with_text = sum(page.status == "text" for page in read.pages) if body else 0
    if with_text == 0:
        return "no_text"
    return "partial_text" if any(page.status in ("no text", "ocr") for page in read.pages) else "text"


def judged(expected: dict[str, Any], actual: str, read: ReadDocument | None, error: PinciteError | None) -> str:
    """Return what is wrong, or an empty string."""
    wanted = expected["outcome"]
    if error is not None and (any(each in str(error) for each in _STOPPED) or not isinstance(error, BadFile)):
        return f"stopped: {error}"
    allowed = {"password": {"password"}, "reject": {"reject", "password"}, "no_text": {"no_text"}}.get(wanted)
    if allowed is not None:
        empty = wanted == "no_text" and isinstance(error, EmptyFile)
        if actual not in allowed and not empty:
            return f"{actual}: {error or 'was read'}"
        return _recognition(expected, read) if read is not None else ""
    if error is not None or read is None:
        return "" if wanted in {"either", "bounded"} else f"refused: {error}"
    if wanted == "partial_text" and actual != "partial_text":
        return f"not told to be partly readable: {actual}"
    return _garbage(read) if wanted == "either" else _content(expected, read)


def _recognition(expected: dict[str, Any], read: ReadDocument) -> str:
    """Return which words that are known to stand in pictures were not recognised, where an OCR engine was at work."""
    if not any(page.ocr for page in read.pages):
        return ""
    text = folded("\n".join(page.text for page in read.pages))
    missing = [words for words in expected.get("ocr_truth", ()) if folded(words) not in text]
    return f"not recognised: {missing}" if missing else ""


def _content(expected: dict[str, Any], read: ReadDocument) -> str:
    text = folded("\n".join(page.text for page in read.pages))
    missing = [words for words in expected.get("contains", ()) if folded(words) not in text]
    if missing:
        return f"missing: {missing}"
    if "pages" in expected and len(read.pages) != expected["pages"]:
        return f"{len(read.pages)} pages instead of {expected['pages']}"
    without = [page.number for page in read.pages if page.status != "text"]
    if "pages_without_text" in expected and without != expected["pages_without_text"]:
        return f"pages without text {without} instead of {expected['pages_without_text']}"
    shown = {page.area.sheet for page in read.pages if page.area}
    unsaid = [sheet for sheet in expected.get("sheets", ()) if sheet not in shown and sheet not in " ".join(read.notes)]
    if unsaid:
        return f"missing: sheets {unsaid}"
    labels = {str(page.number): page.label for page in read.pages}
    wrong = {
        number: labels.get(number)
        for number, label in expected.get("label_of_page", {}).items()
        if labels.get(number) != label
    }
    return f"printed labels {wrong}" if wrong else ""


def _lost(expected: dict[str, Any], read: ReadDocument) -> bool:
    """Tell whether characters of the expected words are nowhere in the text: order is another matter."""
    text = Counter(folded("".join(page.text for page in read.pages)))
    return any(Counter(folded(words)) - text for words in expected.get("contains", ()))


def _garbage(read: ReadDocument) -> str:
    """Text that is mostly no letters, digits or spaces was read from something that is no text."""
    text = "".join(page.text for page in read.pages)
    odd = sum(unicodedata.category(each) in {"Cc", "Co", "Cn", "So"} and each not in "\n\t" for each in text)
    return f"garbage: {text[:60]!r}" if text and odd > 0.2 * len(text) else ""


def folded(text: str) -> str:
    """Return letters and digits only, in one form: NFKC, without case."""
    return "".join(each for each in unicodedata.normalize("NFKC", text).casefold() if each.isalnum())
