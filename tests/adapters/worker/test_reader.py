"""Reading in another process: what a file does to it never reaches the app."""

import sys
from pathlib import Path

import pytest

from workbench.adapters.worker.reader import WorkerReader
from workbench.domain.errors import DamagedFile, PinciteError, TooLarge, UnsupportedFile
from workbench.reading import worker_reader
from workbench.services.ingestion.limits import Limits

pytestmark = pytest.mark.req("LIB-9")

ROOT = str(Path(__file__).resolve().parents[3])
MOODS = """
import os, sys, time
sys.path.append(sys.argv[1])
from workbench.adapters.worker.child import serve
from workbench.domain.errors import UnsupportedFile
from workbench.domain.pages import Page, ReadDocument
class Moody:
    def read(self, data, name, progress):
        print("a library prints")
        progress(1, 2)
        if data == b"hang": time.sleep(60)
        if data == b"crash": os.abort()
        if data == b"eat": return bytearray(4_000_000_000)
        if data == b"refuse": raise UnsupportedFile(f"{name} is odd.", "Save it as PDF.")
        if data == b"break": raise KeyError("inner")
        if data == b"long": return ReadDocument(media_type="", title="", pages=(Page(number=1, text=""),) * 1000)
        return ReadDocument(media_type="text/plain", title=str(os.getpid()), pages=(Page(number=1, text=data.decode()),))
serve(Moody(), 1500, 30.0)
"""


@pytest.fixture
def reader():
    reader = WorkerReader([sys.executable, "-P", "-c", MOODS, ROOT], max_seconds=20.0, max_memory_mb=1500)
    yield reader
    reader.close()


def read(reader: WorkerReader, data: bytes):
    return reader.read(data, "a.pdf", lambda done, total: None)


def test_a_document_comes_back_with_progress_and_the_process_is_kept(reader: WorkerReader) -> None:
    seen = []
    first = reader.read(b"hello", "a.pdf", lambda done, total: seen.append((done, total)))
    assert first.pages[0].text == "hello"
    assert seen == [(1, 2)]
    assert read(reader, b"again").title == first.title


def test_a_refusal_keeps_its_kind_and_words_and_the_process(reader: WorkerReader) -> None:
    before = read(reader, b"x").title
    with pytest.raises(UnsupportedFile, match=r"a\.pdf is odd") as refused:
        read(reader, b"refuse")
    assert refused.value.advice == "Save it as PDF."
    assert read(reader, b"x").title == before


@pytest.mark.parametrize("large", [b"long", b"x" * 50_000_000], ids=["pages", "bytes"])
def test_after_a_large_file_the_next_one_has_all_the_memory_of_a_new_process(
    reader: WorkerReader, large: bytes
) -> None:
    before = read(reader, b"x").title
    read(reader, large)
    assert read(reader, b"x").title != before


def test_an_unknown_failure_is_told_for_the_file(reader: WorkerReader) -> None:
    with pytest.raises(DamagedFile, match=r"a\.pdf cannot be read"):
        read(reader, b"break")


def test_after_a_crash_the_next_file_is_read_by_a_new_process(reader: WorkerReader) -> None:
    before = read(reader, b"x").title
    with pytest.raises(DamagedFile, match="break off"):
        read(reader, b"crash")
    assert read(reader, b"x").title != before


def test_a_file_that_takes_too_long_is_ended() -> None:
    reader = WorkerReader([sys.executable, "-P", "-c", MOODS, ROOT], max_seconds=0.5)
    try:
        reader.warm_up()
        with pytest.raises(TooLarge, match=r"within 0\.5 seconds"):
            read(reader, b"hang")
    finally:
        reader.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows the limit")
def test_a_file_that_needs_too_much_memory_is_told_so(reader: WorkerReader) -> None:
    with pytest.raises(TooLarge, match="1500 MB of memory"):
        read(reader, b"eat")


def test_progress_that_raises_ends_the_process_and_not_the_reader(reader: WorkerReader) -> None:
    def stop(done: int, total: int) -> None:
        raise RuntimeError("cancelled")

    with pytest.raises(RuntimeError, match="cancelled"):
        reader.read(b"x", "a.pdf", stop)
    assert read(reader, b"fresh").pages[0].text == "fresh"


def test_a_program_that_does_not_start_is_said() -> None:
    with pytest.raises(PinciteError, match="did not start"):
        read(WorkerReader([sys.executable, "-c", "raise SystemExit(3)"]), b"x")


def test_a_closed_reader_reads_nothing_and_warms_nothing_up(reader: WorkerReader) -> None:
    reader.close()
    reader.warm_up()
    with pytest.raises(PinciteError, match="closing"):
        read(reader, b"x")


def test_the_real_process_reads_a_real_file() -> None:
    reader = worker_reader(Limits(libreoffice="never"))
    try:
        found = reader.read(b"a,b\n1,2\n", "a.csv", lambda done, total: None)
        assert "1\ta\tb" in found.pages[0].text
    finally:
        reader.close()


SLOW_PAGES = """
import sys, time
sys.path.append(sys.argv[1])
from workbench.adapters.worker.child import Patience, serve
from workbench.domain.pages import Page, ReadDocument
patience = Patience()
class Recognizing:
    def read(self, data, name, progress):
        for page in range(3):
            if data == b"announced": patience.more(5.0)
            time.sleep(0.8)
        pages = tuple(Page(number=n, text=str(n)) for n in range(1, 121))
        return ReadDocument(media_type="text/plain", title="", pages=pages)
serve(Recognizing(), 1500, 1.5, patience)
"""


@pytest.mark.req("LIB-3")
def test_pages_that_are_recognised_get_the_time_they_ask_for() -> None:
    reader = WorkerReader([sys.executable, "-P", "-c", SLOW_PAGES, ROOT], max_seconds=1.5, max_more_seconds=60.0)
    try:
        document = read(reader, b"announced")
        assert [page.text for page in document.pages] == [str(n) for n in range(1, 121)]
        with pytest.raises(TooLarge, match=r"within 1\.5 seconds"):
            read(reader, b"not announced")
    finally:
        reader.close()


@pytest.mark.req("LIB-3")
def test_no_process_gets_more_time_than_there_is_to_give() -> None:
    reader = WorkerReader([sys.executable, "-P", "-c", SLOW_PAGES, ROOT], max_seconds=1.0, max_more_seconds=0.5)
    try:
        with pytest.raises(TooLarge, match="within 1 seconds"):
            read(reader, b"announced")
    finally:
        reader.close()
