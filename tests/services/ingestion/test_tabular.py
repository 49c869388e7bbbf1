"""Chunks of sheets: whole rows, the header with each of them, exact slices of the page."""

from datetime import UTC, datetime

import pytest

from workbench.domain.chunks import ChunkKind
from workbench.domain.documents import Document
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.pages import Page
from workbench.domain.tables import SheetArea
from workbench.services.ingestion.chunking import chunk

DOCUMENT = Document(
    id=DocumentId("doc_1"),
    container_id=ContainerId("ctr_1"),
    name="prices.xlsx",
    uploaded_at=datetime(2025, 1, 1, tzinfo=UTC),
)


def count_words(texts):
    return [len(text.split()) for text in texts]


def sheet_page(rows: int, header: str = "1\tSku\tUnits", title: str = "") -> Page:
    lines = [*([title] if title else []), header, *(f"{row}\tsku-{row}\t{row * 10}" for row in range(3, rows + 3))]
    text = "\n".join(["Sheet Stock, A1:B900", "", "Row\tA\tB", *lines])
    area = SheetArea(
        sheet="Stock",
        first_row=1,
        last_row=rows + 2,
        first_column=1,
        last_column=2,
        header_row=int(header.split("\t", maxsplit=1)[0]),
    )
    return Page(number=7, text=text, area=area)


@pytest.mark.req("LIB-4")
def test_every_chunk_of_a_long_table_carries_letters_and_header() -> None:
    page = sheet_page(300)
    chunks = chunk(DOCUMENT, [page], count_words, max_tokens=60)
    assert len(chunks) > 10
    for each in chunks:
        assert each.kind is ChunkKind.TABLE
        assert each.text.startswith("Row\tA\tB\n1\tSku\tUnits\n")
        assert count_words([each.text])[0] <= 60
        assert {segment.page for segment in each.segments} == {7}
        assert each.text == "\n".join(page.text[part.start : part.end] for part in each.segments)


@pytest.mark.req("LIB-4")
def test_no_row_is_cut_and_none_is_lost() -> None:
    chunks = chunk(DOCUMENT, [sheet_page(300)], count_words, max_tokens=60)
    rows = [line for each in chunks for line in each.text.split("\n")[2:]]
    assert rows == [f"{row}\tsku-{row}\t{row * 10}" for row in range(3, 303)]


@pytest.mark.req("LIB-4")
def test_the_context_line_names_sheet_and_cells() -> None:
    first, *_ = chunk(DOCUMENT, [sheet_page(300)], count_words, max_tokens=60)
    assert first.context.startswith("prices.xlsx | Sheet Stock A")
    assert "B" in first.context


@pytest.mark.req("LIB-4")
def test_a_row_longer_than_a_chunk_is_spread_over_several() -> None:
    page = sheet_page(1)
    long = " ".join(f"word{number}" for number in range(200))
    page = page.model_copy(update={"text": page.text + f"\n9\t{long}\tend"})
    chunks = chunk(DOCUMENT, [page], count_words, max_tokens=60)
    text = " ".join(each.text for each in chunks)
    assert all(f"word{number}" in text for number in range(200))
    assert all(count_words([each.text])[0] <= 60 for each in chunks)


@pytest.mark.req("LIB-4")
def test_a_title_above_the_header_keeps_its_place() -> None:
    page = sheet_page(2, header="2\tSku\tUnits", title="1\tSTOCK LIST")
    (found,) = chunk(DOCUMENT, [page], count_words, max_tokens=60)
    assert found.text.split("\n")[:3] == ["Row\tA\tB", "1\tSTOCK LIST", "2\tSku\tUnits"]
