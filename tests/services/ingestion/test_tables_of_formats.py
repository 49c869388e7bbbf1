"""Tables of every format that has pages: read, then cut into passages that all name their columns."""

import io
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import docx
import pptx
import pytest
from pptx.util import Inches

from tests.adapters.pymupdf.test_tables import laid_out
from tests.services.ingestion.conftest import Make
from workbench.domain.chunks import ChunkKind
from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.pages import ReadDocument
from workbench.reading import reader
from workbench.services.ingestion.chunking import chunk
from workbench.services.ingestion.jobs import Upload
from workbench.services.ingestion.limits import Limits

pytestmark = pytest.mark.req("LIB-6")
HEADER = ("Article", "Crates per pallet", "Weight in kilograms")
ROWS = [(f"Glass jar {n}", str(n * 7), str(n * 13)) for n in range(1, 91)]
BEFORE = (
    "What follows lists the articles that the buyer may call off in the second half of the year, each with the number of "
    "crates on a pallet and with its weight, as agreed between the parties in the autumn of the year before and as later "
    "amended in writing by the persons who are named on the cover page."
)


def pdf() -> bytes:
    return laid_out([HEADER, *ROWS])


def word() -> bytes:
    document = docx.Document()
    document.add_paragraph(BEFORE)
    table = document.add_table(rows=0, cols=3)
    for row in (HEADER, *ROWS):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def web() -> bytes:
    rows = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in (HEADER, *ROWS))
    return f"<!doctype html><html><body><p>{BEFORE}</p><table>{rows}</table></body></html>".encode()


def slides() -> bytes:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    table = slide.shapes.add_table(len(ROWS) + 1, 3, 0, 0, Inches(8), Inches(5)).table
    for number, row in enumerate((HEADER, *ROWS)):
        for column, text in enumerate(row):
            table.cell(number, column).text = text
    target = io.BytesIO()
    show.save(target)
    return target.getvalue()


def count_words(texts: Sequence[str]) -> list[int]:
    return [2 + len(text.split()) for text in texts]


def document_named(name: str) -> Document:
    return Document(
        id=DocumentId("doc_1"),
        container_id=ContainerId("con_1"),
        name=name,
        title="Call-off list",
        uploaded_at=datetime(2026, 3, 2, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("made", "name"), [(pdf, "list.pdf"), (word, "list.docx"), (web, "list.html"), (slides, "list.pptx")]
)
def test_every_row_is_in_a_table_passage_that_names_its_columns(made: Callable[[], bytes], name: str) -> None:
    read = read_with(made(), name)
    found = chunk(document_named(name), read.pages, count_words, 80)
    for row in ROWS:
        (holding,) = [each for each in found if "\t".join(row) in each.text]
        assert holding.kind is ChunkKind.TABLE
        assert "\t".join(HEADER) in holding.text or ", ".join(HEADER) in holding.context
        page = read.pages[holding.first_page - 1]
        assert "\t".join(row) in page.text
    assert BEFORE[:10] not in {each.text[:10] for each in found if each.kind is ChunkKind.TABLE}


def read_with(data: bytes, name: str) -> ReadDocument:
    return reader(Limits(libreoffice="never", ocr="never")).read(data, name, lambda done, total: None)


def test_rows_of_a_long_csv_are_cut_to_the_size_of_a_passage_and_each_is_found_whole() -> None:
    lines = [f"k{n:04d},crate {n},{n * 3}" for n in range(1, 2201)]
    read = read_with("\n".join(["key,goods,units", *lines]).encode(), "stock.csv")
    found = chunk(document_named("stock.csv"), read.pages, count_words, 60)
    assert all(count_words([each.text])[0] <= 60 for each in found)
    assert len(found) > 100
    for number in (1, 977, 2200):
        (holding,) = [each for each in found if f"\tk{number:04d}\tcrate {number}\t{number * 3}" in each.text]
        assert "\tkey\tgoods\tunits" in holding.text


def test_one_endless_line_and_one_huge_cell_fail_nothing_and_the_rest_is_there(make: Make) -> None:
    bench = make(reader=reader(Limits(libreoffice="never", ocr="never")))
    minified = "x9Q" * 14_000
    cell = "blob" * 8_000
    text, table = bench.ingest(
        Upload("minified.txt", f"Head of the file.\n\n{minified}\n\nTail of the file.".encode()),
        Upload("wide.csv", f"key,body\none,{cell}\ntwo,plain words\n".encode()),
    )
    assert (text.state, table.state) == (DocumentState.READY, DocumentState.READY)
    of_text = [each.text for each in bench.store.document_chunks(text.id)]
    assert "".join(of_text).replace("\n", "").count("x9Q") >= 13_900
    assert any("Tail of the file." in each for each in of_text)
    of_table = [each.text for each in bench.store.document_chunks(table.id)]
    assert any("two\tplain words" in each for each in of_table)
    assert any("blobblob" in each for each in of_table)
