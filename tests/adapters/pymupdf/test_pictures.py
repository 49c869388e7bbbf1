"""Pictures of pages are drawn once, kept within a limit, and go with their file."""

import hashlib
import logging
import os
from pathlib import Path

import pymupdf
import pytest

from tests.adapters.pymupdf.pdfs import pdf
from workbench.adapters.pymupdf.pictures import Pictures
from workbench.adapters.pymupdf.renderer import PyMuPdfRenderer
from workbench.services.ports import PageImage

pytestmark = pytest.mark.req("CITE-7")
A, B = "a" * 64, "b" * 64
PNG = PageImage(b"p" * 1000, "image/png")
JPEG = PageImage(b"j" * 1000, "image/jpeg")


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "pages", max_bytes=10_000)


def held(tmp_path: Path) -> int:
    return sum(file.stat().st_size for file in (tmp_path / "pages").rglob("*") if file.is_file())


def test_a_picture_comes_back_with_its_type_and_only_for_its_page_and_width(pictures: Pictures) -> None:
    pictures.put(A, 3, 900, JPEG)
    pictures.put(A, 3, 200, PNG)
    assert pictures.get(A, 3, 900) == JPEG
    assert pictures.get(A, 3, 200) == PNG
    for key in ((A, 4, 900), (A, 3, 901), (B, 3, 900)):
        assert pictures.get(*key) is None


def test_the_longest_unused_go_first(pictures: Pictures, tmp_path: Path) -> None:
    for page in range(1, 11):
        pictures.put(A, page, 900, PNG)
        file = next((tmp_path / "pages").rglob(f"{page}-900.png"))
        os.utime(file, (page, page))
    assert pictures.get(A, 1, 900) is not None  # used again
    pictures.put(A, 11, 900, PNG)
    assert held(tmp_path) <= 10_000
    assert pictures.get(A, 1, 900) is not None
    assert pictures.get(A, 2, 900) is None
    assert pictures.get(A, 11, 900) is not None


def test_what_an_earlier_process_kept_counts(pictures: Pictures, tmp_path: Path) -> None:
    for page in range(1, 10):
        pictures.put(A, page, 900, PNG)
    again = Pictures(tmp_path / "pages", max_bytes=10_000)
    again.put(B, 1, 900, PNG)
    again.put(B, 2, 900, PNG)
    assert held(tmp_path) <= 10_000


def test_the_pictures_of_a_deleted_file_are_gone_and_others_stay(pictures: Pictures, tmp_path: Path) -> None:
    pictures.put(A, 1, 900, PNG)
    pictures.put(B, 1, 900, PNG)
    pictures.clear(A)
    pictures.clear("c" * 64)
    assert pictures.get(A, 1, 900) is None
    assert pictures.get(B, 1, 900) == PNG
    assert held(tmp_path) == 1000


@pytest.mark.parametrize("name", ["", "..", "../../etc/passwd", "A" * 64, "a" * 63, "halden.pdf"])
def test_nothing_but_a_hash_becomes_a_path(pictures: Pictures, tmp_path: Path, name: str) -> None:
    pictures.put(name, 1, 900, PNG)
    pictures.clear(name)
    assert pictures.get(name, 1, 900) is None
    assert list(tmp_path.rglob("*")) == []


def test_a_disk_that_takes_nothing_is_logged_and_the_page_is_shown(tmp_path: Path, caplog) -> None:
    (tmp_path / "pages").write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        Pictures(tmp_path / "pages", 10_000).put(A, 1, 900, PNG)
    assert "could not be kept" in caplog.text


def stored(tmp_path: Path, data: bytes) -> Path:
    file = tmp_path / hashlib.sha256(data).hexdigest()
    file.write_bytes(data)
    return file


def test_a_page_is_drawn_once(tmp_path: Path) -> None:
    file = stored(tmp_path, pdf([(72, 100, "Once")]))
    renderer = PyMuPdfRenderer(tmp_path / "pages")
    first = renderer.image(file, 1, 300)
    file.write_bytes(b"not a PDF any more")
    assert renderer.image(file, 1, 300) == first
    assert pymupdf.Pixmap(first.data).width == 300
    renderer.clear(file.name)
    with pytest.raises(Exception, match="cannot be drawn"):
        renderer.image(file, 1, 300)


def test_a_page_in_black_is_a_small_grey_picture_and_colour_stays(tmp_path: Path) -> None:
    grey = PyMuPdfRenderer().image(stored(tmp_path, pdf([(72, 100, "Black")])), 1, 400)
    assert pymupdf.Pixmap(grey.data).n == 1
    document = pymupdf.open()
    document.new_page().draw_rect((50, 50, 200, 200), fill=(1, 0, 0))
    red = PyMuPdfRenderer().image(stored(tmp_path, document.tobytes()), 1, 400)
    assert pymupdf.Pixmap(red.data).pixel(80, 80) == (255, 0, 0)
