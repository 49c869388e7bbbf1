"""Tables of every format that has pages: read, then cut into passages that all name their columns."""

import io
from collections.abc import Callable
from datetime import UTC, datetime

import docx
import pptx
import pytest
from pptx.util import Inches

from tests.adapters.pymupdf.test_tables import laid_out
from workbench.domain.chunks import ChunkKind
from workbench.domain.documents import Document
from workbench.domain.ids import ContainerId, DocumentId
from workbench.reading import reader
from workbench.services.ingestion.chunking import chunk
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


@pytest.mark.parametrize(
    ("make", "name"), [(pdf, "list.pdf"), (word, "list.docx"), (web, "list.html"), (slides, "list.pptx")]
)
def test_every_row_is_in_a_table_passage_that_names_its_columns(make: Callable[[], bytes], name: str) -> None:
    read = reader(Limits(libreoffice="never", ocr="never")).read(make(), name, lambda done, total: None)
    document = Document(
        id=DocumentId("doc_1"),
        container_id=ContainerId("con_1"),
        name=name,
        title="Call-off list",
        uploaded_at=datetime(2026, 3, 2, tzinfo=UTC),
    )
    found = chunk(document, read.pages, lambda texts: [2 + len(text.split()) for text in texts], 80)
    for row in ROWS:
        (holding,) = [each for each in found if "\t".join(row) in each.text]
        assert holding.kind is ChunkKind.TABLE
        assert "\t".join(HEADER) in holding.text or ", ".join(HEADER) in holding.context
        page = read.pages[holding.first_page - 1]
        assert "\t".join(row) in page.text
    assert BEFORE.split()[0] not in {each.text.split()[0] for each in found if each.kind is ChunkKind.TABLE}
