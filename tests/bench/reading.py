"""How fast files of each kind are read, and how much memory that takes in the reading process and in the app.

The memory figures are peaks of resident memory. Every file is read by a process of its own, so that the figures are its own.
"""

import io
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import psutil
import pymupdf
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from workbench.adapters.ocr.choice import recognizer
from workbench.domain.pages import ReadDocument
from workbench.reading import worker_reader
from workbench.services.ingestion.limits import Limits

LONG, SHORT, SCANS = 2000, 100, 3
REPEATS = 8
_WORDS = (
    "the supplier shall deliver each order within thirty days of receipt and invoice it at the agreed price".split()
)


class Peak(NamedTuple):
    """Peak resident memory in MB beyond what was there before: of the app, and of its reading process with its helpers."""

    app: float
    reading: float


def main() -> None:
    for name, make in KINDS.items():
        report(name, make())
    engine = recognizer("auto")
    if engine is None:
        print("reading: scanned pages were not measured, no OCR engine is installed")
    else:
        report(f"scanned pages by {engine.name}", scans(SCANS))
    report_growth()


def report(name: str, data: bytes, limits: Limits | None = None) -> None:
    reader = worker_reader(limits or Limits(max_seconds=900.0))
    try:
        reader.warm_up()
        with watched() as peaks:
            started = time.perf_counter()
            read: ReadDocument | None = reader.read(data, f"{name}.file", lambda done, total: None)
            seconds = time.perf_counter() - started
    finally:
        reader.close()
    if read is None:
        raise SystemExit(f"reading: {name} gave nothing")
    words = sum(len(page.words) for page in read.pages)
    print(
        f"reading: {name}: {len(read.pages)} pages, {words} words, {len(data) / 2**20:.1f} MB in {seconds:.1f} s, "
        f"{len(read.pages) / seconds:.1f} pages a second; peak memory of the reading process +{peaks.peak.reading:.0f} MB, "
        f"of the app +{peaks.peak.app:.0f} MB"
    )


def report_growth() -> None:
    """Read one file again and again in the same process: its memory must level off."""
    data = text_pages(SHORT)
    reader = worker_reader(Limits())
    try:
        sizes = []
        for _ in range(REPEATS):
            reader.read(data, "again.pdf", lambda done, total: None)
            sizes.append(sum(child.memory_info().rss for child in psutil.Process().children(recursive=True)) / 2**20)
    finally:
        reader.close()
    print(
        f"reading: the same file {REPEATS} times: the reading process has {', '.join(f'{size:.0f}' for size in sizes)} MB"
    )


class watched:  # noqa: N801 - used as a context manager
    """Watches the resident memory of this process and of its children until the block ends."""

    def __enter__(self) -> "watched":
        self._me = psutil.Process()
        self._before = self._sizes()
        self.peak = Peak(0.0, 0.0)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.02):
            app, reading = self._sizes()
            self.peak = Peak(
                max(self.peak.app, app - self._before[0]), max(self.peak.reading, reading - self._before[1])
            )

    def _sizes(self) -> tuple[float, float]:
        children = 0
        for child in self._me.children(recursive=True):
            try:
                children += child.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        return self._me.memory_info().rss / 2**20, children / 2**20


def lines(page: int) -> Iterator[str]:
    for line in range(48):
        turn = (page * 7 + line * 3) % len(_WORDS)
        yield f"{page}.{line} " + " ".join(_WORDS[turn:] + _WORDS[:turn])[:78]


def text_pages(count: int) -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, invariant=1)
    for page in range(1, count + 1):
        canvas.setFont("Helvetica", 10)
        for number, line in enumerate(lines(page)):
            canvas.drawString(60, 790 - 15 * number, line)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def table_pages(count: int) -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, invariant=1)
    for page in range(1, count + 1):
        canvas.setFont("Helvetica", 9)
        canvas.grid([60, 160, 260, 360, 460], [780 - 18 * row for row in range(41)])
        for row in range(40):
            for column in range(4):
                text = f"Column {column}" if row == 0 else f"{page}.{row}.{column}"
                canvas.drawString(64 + 100 * column, 767 - 18 * row, text)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def scans(count: int) -> bytes:
    with pymupdf.open(stream=text_pages(count), filetype="pdf") as source, pymupdf.open() as target:
        for page in source:
            picture = Image.open(io.BytesIO(page.get_pixmap(dpi=150, colorspace=pymupdf.csGRAY).tobytes("png")))
            jpeg = io.BytesIO()
            picture.save(jpeg, "JPEG", quality=70)
            new = target.new_page(width=page.rect.width, height=page.rect.height)
            new.insert_image(new.rect, stream=jpeg.getvalue())
        return bytes(target.tobytes())


def plain_text() -> bytes:
    return "\n".join(line for page in range(SHORT) for line in lines(page)).encode()


def separated() -> bytes:
    rows = [f"{n};Item {n};{n * 3};{n * 1.5:.2f};2026-01-{n % 28 + 1:02d}" for n in range(6000)]
    return "\n".join(["number;name;units;price;date", *rows]).encode()


def word_file() -> bytes:
    from docx import Document  # noqa: PLC0415

    document = Document()
    for page in range(1, SHORT // 2 + 1):
        document.add_heading(f"Section {page}", 1)
        for line in lines(page):
            document.add_paragraph(line)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.docx"
        document.save(str(path))
        return path.read_bytes()


KINDS: dict[str, Callable[[], bytes]] = {
    f"PDF of {LONG} pages of text": lambda: text_pages(LONG),
    "PDF of text": lambda: text_pages(SHORT),
    "PDF of ruled tables": lambda: table_pages(SHORT),
    "plain text": plain_text,
    "separated values": separated,
    "Word file": word_file,
}
