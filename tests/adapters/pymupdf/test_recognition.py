"""Which pages are recognised, and what becomes of the words."""

import shutil
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pymupdf
import pytest
from PIL import Image

from tests.adapters.ocr.scans import CLAUSE, drawn, scan, turned
from tests.adapters.pymupdf.pdfs import paragraph, pdf
from workbench.adapters.ocr import tesseract
from workbench.adapters.pymupdf import PyMuPdfReader
from workbench.domain.errors import NotRecognized
from workbench.domain.pages import Box, ReadDocument, boxes_for
from workbench.services.ports import Raster, RecognizedWord

pytestmark = pytest.mark.req("LIB-3")
STAMP = ((40.0, 20.0, "Scanned by Office 7"),)


class Played(NamedTuple):
    """An engine that finds the same line on every page."""

    line: Sequence[tuple[str, float]] = (("Payment", 0.9), ("is", 0.95), ("due", 0.9), ("soon.", 0.9))
    asked: list[Raster] = []  # noqa: RUF012 - each test makes its own
    name: str = "Played engine"

    def recognize(self, picture: Raster, max_seconds: float) -> list[RecognizedWord]:
        self.asked.append(picture)
        if max_seconds < 1:
            raise NotRecognized("Played engine took more than 0 seconds.")
        unit = picture.width / 100
        return [
            RecognizedWord(text, Box(10 * unit * n + unit, 40 * unit, 10 * unit * (n + 1), 42 * unit), 0, confidence)
            for n, (text, confidence) in enumerate(self.line, start=1)
        ]


def read(data: bytes, engine: Played | None = None, seconds: float = 60.0) -> ReadDocument:
    return PyMuPdfReader(recognizer=engine, recognition_seconds=seconds).read(data, "a.pdf", lambda done, total: None)


def test_a_scan_gets_the_words_of_its_picture_with_boxes() -> None:
    document = read(scan(drawn()), Played(asked=[]))
    page = document.pages[0]
    assert page.status == "ocr"
    assert page.text == "Payment is due soon."
    assert boxes_for(page, 0, 7) == [pytest.approx((65.45, 238.0, 119.0, 249.9), abs=0.2)]
    assert any("page 1 was recognised in pictures by Played engine" in note for note in document.notes)


def test_a_page_with_a_text_of_its_own_is_never_recognised() -> None:
    text = paragraph(
        ["This page has a real text of its own, which is more than twenty words long, as any page of a"] * 2
    )
    engine = Played(asked=[])
    assert read(pdf(text), engine).pages[0].status == "text"
    layer = tuple((40.0, 60.0 + 20 * n, line) for n, line in enumerate(CLAUSE))
    assert read(scan(drawn(), layer), engine).pages[0].ocr is False
    assert engine.asked == []


def test_a_stamp_over_a_scan_is_kept_beside_what_is_recognised() -> None:
    page = read(scan(drawn(), STAMP), Played(asked=[])).pages[0]
    assert page.status == "ocr"
    assert page.text == "Scanned by Office 7\n\nPayment is due soon."


def test_a_scan_that_claims_to_be_tagged_is_recognised() -> None:
    with pymupdf.open(stream=scan(drawn()), filetype="pdf") as document:
        document.xref_set_key(document.pdf_catalog(), "MarkInfo", "<</Marked true>>")
        data = document.tobytes()
    assert read(data, Played(asked=[])).pages[0].status == "ocr"


def test_characters_that_mean_nothing_are_not_text() -> None:
    with pymupdf.open() as source:
        source.new_page().insert_text((60, 100), "Secret fee", fontname="helv")
        xref = source[0].get_fonts()[0][0]
        source.xref_set_key(xref, "ToUnicode", f"{_private(source)} 0 R")
        data = source.tobytes()
    without = read(data)
    assert without.pages[0].status == "no text"
    assert any("characters of page 1 are not what the pages show" in note for note in without.notes)
    assert read(data, Played(asked=[])).pages[0].text == "Payment is due soon."


def _private(document: pymupdf.Document) -> int:
    """Add a map from every code to a private character."""
    stream = document.get_new_xref()
    document.update_object(stream, "<<>>")
    document.update_stream(
        stream,
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def "
        b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <00> <ff> <E000> endbfrange "
        b"endcmap end end",
    )
    return stream


def test_text_drawn_as_curves_is_not_an_empty_page() -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        shape = page.new_shape()
        for n in range(60):
            shape.draw_line((60 + 5 * n, 100), (62 + 5 * n, 108))
            shape.finish(color=(0, 0, 0))
        shape.commit()
        data = document.tobytes()
    assert read(data).pages[0].status == "no text"
    assert read(data, Played(asked=[])).pages[0].status == "ocr"


def test_an_empty_page_stays_empty() -> None:
    engine = Played(asked=[])
    assert read(pdf([]), engine).pages[0].status == "empty"
    assert engine.asked == []


def test_in_a_mixed_file_only_the_pictures_are_recognised() -> None:
    with pymupdf.open() as document:
        for number in range(1, 11):
            if 5 <= number <= 8:
                document.insert_pdf(pymupdf.open(stream=scan(drawn()), filetype="pdf"))
            else:
                document.new_page().insert_text((60, 100), f"Page {number} says something.")
        data = document.tobytes()
    assert [page.ocr for page in read(data, Played(asked=[])).pages] == [5 <= n <= 8 for n in range(1, 11)]
    assert [page.status for page in read(data).pages] == ["no text" if 5 <= n <= 8 else "text" for n in range(1, 11)]


def test_a_page_that_is_given_up_is_told_and_the_others_go_on() -> None:
    document = read(scan(drawn()), Played(asked=[]), seconds=0.5)
    assert document.pages[0].status == "no text"
    assert any("page 1 could not be recognised: Played engine took" in note for note in document.notes)


def test_doubt_is_told() -> None:
    faint = Played(line=(("Pay", 0.55), ("in", 0.5), ("ten", 0.6), ("||", 0.1)), asked=[])
    document = read(scan(drawn()), faint)
    assert document.pages[0].text == "Pay in ten"
    notes = " ".join(document.notes)
    assert "Hard to recognise, and likely to hold mistakes: page 1 (56% sure)" in notes
    assert "1 words on page 1 were too unclear" in notes


def upright(picture: Image.Image) -> Image.Image:
    return picture


@pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not on this machine")
@pytest.mark.parametrize(
    "change",
    [
        upright,
        pytest.param(lambda picture: turned(picture, 90), id="turned 90"),
        pytest.param(lambda picture: turned(picture, 180), id="turned 180"),
        pytest.param(lambda picture: turned(picture, 2), id="askew"),
    ],
)
def test_a_real_scan_reads_as_sentences_in_order(change: Callable[[Image.Image], Image.Image]) -> None:
    engine = tesseract.installed("eng")
    page = PyMuPdfReader(recognizer=engine).read(scan(change(drawn())), "a.pdf", lambda done, total: None).pages[0]
    places = [" ".join(page.text.split()).find(sentence) for sentence in CLAUSE]
    assert -1 not in places
    assert places == sorted(places)
