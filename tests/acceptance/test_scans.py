"""Pictures of text through the reading process, as the app reads them, with the engine of this machine."""

import io
import shutil
from collections.abc import Iterator

import pytest

from tests.adapters.ocr.scans import CLAUSE, drawn, scan
from workbench.adapters.worker.reader import WorkerReader
from workbench.domain.pages import boxes_for
from workbench.reading import worker_reader
from workbench.services.ingestion.limits import Limits

pytestmark = [
    pytest.mark.req("LIB-3", "LIB-6"),
    pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not on this machine"),
]


@pytest.fixture(scope="module")
def reader() -> Iterator[WorkerReader]:
    reader = worker_reader(Limits(ocr="tesseract", ocr_languages="eng", libreoffice="never"))
    yield reader
    reader.close()


def picture(kind: str) -> bytes:
    target = io.BytesIO()
    drawn().save(target, kind, dpi=(150, 150))
    return target.getvalue()


@pytest.mark.parametrize(
    ("data", "name"), [(scan(drawn()), "contract.pdf"), (picture("PNG"), "photo.png"), (picture("TIFF"), "fax.tif")]
)
def test_a_scan_is_searchable_text_with_a_note_and_boxes(reader: WorkerReader, data: bytes, name: str) -> None:
    document = reader.read(data, name, lambda done, total: None)
    page = document.pages[0]
    assert page.status == "ocr"
    text = " ".join(page.text.split())
    assert all(sentence in text for sentence in CLAUSE)
    assert any("recognised in pictures by Tesseract, eng" in note for note in document.notes)
    start = page.text.index("invoice")
    (box,) = boxes_for(page, start, start + len("invoice"))
    assert 0 < box.x0 < box.x1 < page.width
    assert 0 < box.y0 < box.y1 < page.height


def test_without_an_engine_the_page_is_told_and_what_to_do() -> None:
    reader = worker_reader(Limits(ocr="never", libreoffice="never"))
    try:
        document = reader.read(scan(drawn()), "contract.pdf", lambda done, total: None)
    finally:
        reader.close()
    assert document.pages[0].status == "no text"
    assert "PINCITE_OCR" in " ".join(document.notes)
