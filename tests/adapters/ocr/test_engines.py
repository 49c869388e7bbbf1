"""The engines that are on this machine, on real pictures."""

from collections.abc import Callable, Iterator

import pytest
from PIL import Image

from tests.adapters.ocr.scans import CLAUSE, WORDS, drawn, pale, raster, turned
from workbench.adapters.ocr import rapid, tesseract
from workbench.domain.errors import NotRecognized
from workbench.services.ports import RecognizedWord, TextRecognizer

pytestmark = pytest.mark.req("LIB-3")


@pytest.fixture(scope="module", params=["tesseract", "rapidocr"])
def engine(request: pytest.FixtureRequest) -> Iterator[TextRecognizer]:
    if request.param == "tesseract":
        found = tesseract.installed("eng")
        if found is None:
            pytest.skip("Tesseract is not on this machine")
        yield found
        return
    package = rapid.installed()
    if package is None:
        pytest.skip("the package rapidocr is not installed")
    yield package
    package.close()


def upright(picture: Image.Image) -> Image.Image:
    return picture


@pytest.mark.parametrize(
    "change",
    [
        upright,
        pytest.param(lambda picture: turned(picture, 90), id="turned 90"),
        pytest.param(lambda picture: turned(picture, 180), id="turned 180"),
        pytest.param(lambda picture: turned(picture, 2), id="askew"),
        pale,
    ],
)
def test_words_are_found_however_the_page_lies(
    engine: TextRecognizer, change: Callable[[Image.Image], Image.Image]
) -> None:
    found = engine.recognize(raster(change(drawn())), 120.0)
    text = " ".join(word.text for word in found)
    assert [word for word in WORDS if word not in text] == []


def test_boxes_lie_over_the_ink(engine: TextRecognizer) -> None:
    picture = drawn()
    found = engine.recognize(raster(picture), 120.0)
    word = next(word for word in found if word.text == "Supplier")
    inside = picture.crop(tuple(round(edge) for edge in word.box))
    assert min(inside.tobytes()) < 100
    assert word.confidence > 0.5
    blank = picture.copy()
    for each in found:
        x0, y0, x1, y1 = each.box
        blank.paste(255, (round(x0) - 4, round(y0) - 4, round(x1) + 4, round(y1) + 4))
    assert sum(value < 100 for value in blank.tobytes()) < 0.02 * sum(value < 100 for value in picture.tobytes())


def test_the_words_of_a_line_belong_together(engine: TextRecognizer) -> None:
    found = engine.recognize(raster(drawn()), 120.0)
    lines: dict[int, list[RecognizedWord]] = {}
    for word in found:
        lines.setdefault(word.line, []).append(word)
    assert [len(line) for line in lines.values()] == [len(line.split()) for line in CLAUSE]


def test_an_empty_picture_has_no_words(engine: TextRecognizer) -> None:
    assert engine.recognize(raster(Image.new("L", (400, 300), 255)), 120.0) == []


def test_a_page_that_takes_too_long_is_given_up_and_the_next_one_read(engine: TextRecognizer) -> None:
    with pytest.raises(NotRecognized, match="more than"):
        engine.recognize(raster(drawn()), 0.001)
    assert engine.recognize(raster(drawn(CLAUSE[:1])), 120.0)
