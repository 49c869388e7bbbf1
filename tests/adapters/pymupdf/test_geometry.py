"""Boxes lie over the ink, on turned and cropped pages too; pictures of pages have the width that was asked for."""

import io
from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from tests.adapters.pymupdf.pdfs import edited, paragraph, pdf
from workbench.adapters.pymupdf import PyMuPdfRenderer
from workbench.adapters.pymupdf.renderer import MAX_WIDTH, MIN_WIDTH
from workbench.domain.errors import NotFound
from workbench.domain.pages import ReadDocument

Read = Callable[[bytes], ReadDocument]
TEXT = pdf(paragraph(["First words stand here", "and second ones below."], x=150, y=200), size=14)


def crop(document: pymupdf.Document) -> None:
    document[0].set_cropbox(pymupdf.Rect(100, 150, 500, 700))


def sideways(document: pymupdf.Document) -> None:
    """Add a page whose text runs upwards."""
    page = document.new_page()
    for line in range(6):
        page.insert_text((200 + 16 * line, 600), f"Sideways line {line} of the annex", rotate=90)
    document.delete_page(0)


CASES = {
    "upright": TEXT,
    **{f"turned {angle}": edited(TEXT, lambda d, angle=angle: d[0].set_rotation(angle)) for angle in (90, 180, 270)},
    "cropped": edited(TEXT, crop),
    "cropped and turned": edited(TEXT, lambda d: (crop(d), d[0].set_rotation(90))),
    "text upwards": edited(TEXT, sideways),
}


@pytest.mark.req("CITE-7")
@pytest.mark.parametrize("name", CASES)
def test_boxes_lie_over_the_ink(read: Read, tmp_path: Path, name: str) -> None:
    page = read(CASES[name]).pages[0]
    file = tmp_path / "a.pdf"
    file.write_bytes(CASES[name])
    image = Image.open(io.BytesIO(PyMuPdfRenderer().image(file, 1, 1200).data)).convert("L")
    scale = 1200 / page.width
    assert image.height == pytest.approx(page.height * scale, abs=2)
    for word in page.words:
        box = tuple(round(value * scale) for value in (word.x0, word.y0, word.x1, word.y1))
        assert image.crop(box).getextrema()[0] < 100, page.text[word.start : word.end]
        image.paste(255, box)
    assert image.getextrema()[0] > 200, "ink outside of all boxes"


@pytest.mark.req("LIB-4")
def test_turned_text_is_read_in_order(read: Read) -> None:
    assert read(CASES["turned 90"]).pages[0].text == "First words stand here and second ones below."
    lines = read(CASES["text upwards"]).pages[0].text.split("\n")
    assert lines == [f"Sideways line {line} of the annex" for line in range(6)] or " ".join(lines) == " ".join(
        f"Sideways line {line} of the annex" for line in range(6)
    )


@pytest.mark.req("CITE-6")
@pytest.mark.parametrize(("asked", "width"), [(5, MIN_WIDTH), (800, 800), (99_999, MAX_WIDTH)])
def test_width_is_clamped(tmp_path: Path, asked: int, width: int) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(TEXT)
    assert Image.open(io.BytesIO(PyMuPdfRenderer().image(file, 1, asked).data)).width == width


@pytest.mark.req("CITE-6")
def test_pages_out_of_range_are_not_found_and_the_last_one_is(tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf([(72, 100, "one")], [(72, 100, "two")]))
    renderer = PyMuPdfRenderer()
    assert renderer.image(file, 2, 200).media_type == "image/png"
    for page in (0, 3, -1):
        with pytest.raises(NotFound, match=f"no page {page}"):
            renderer.image(file, page, 200)
    with pytest.raises(NotFound, match="gone"):
        renderer.image(tmp_path / "missing.pdf", 1, 200)


@pytest.mark.req("CITE-6")
def test_scans_come_as_jpeg(tmp_path: Path) -> None:
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 300, 400))
    pixmap.clear_with(180)
    file = tmp_path / "scan.pdf"
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_image(page.rect, stream=pixmap.tobytes("png"), keep_proportion=False)
        document.save(file)
    image = PyMuPdfRenderer().image(file, 1, 300)
    assert image.media_type == "image/jpeg"
    assert image.data.startswith(b"\xff\xd8\xff")


@pytest.mark.req("LIB-9")
def test_a_giant_page_gives_a_small_picture(tmp_path: Path) -> None:
    file = tmp_path / "giant.pdf"
    with pymupdf.open() as document:
        document.new_page(width=100, height=14_000).insert_text((10, 20), "deep")
        document.save(file)
    image = Image.open(io.BytesIO(PyMuPdfRenderer().image(file, 1, 2400).data))
    assert image.width * image.height <= 16_100_000
