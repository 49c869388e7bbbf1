"""Citations of sheets: the sheet and the cells stand where a page would, and each run of cells is a citation of its own."""

import pytest

from workbench.domain.chunks import Chunk, ChunkKind, Segment
from workbench.domain.citations import CitedAnswer, Source
from workbench.domain.ids import ChunkId, ContainerId, DocumentId, Ref
from workbench.domain.pages import Page, Word
from workbench.domain.tables import SheetArea
from workbench.services.citations.export import to_markdown
from workbench.services.citations.highlights import Highlights
from workbench.services.citations.writer import CitationWriter

pytestmark = pytest.mark.req("CITE-8")

HEADING = "Sheet Prices, A1:C3\n\n"
ROWS = (
    "Row\tA\tB\tC\n1\tItem\tPrice\tUnit\n2\tHexagon bolt M8\t7.40 EUR\tbox of 100\n3\tWing nut M6\t12.15 EUR\tbox of 50"
)


def sheet_source(sheet: str = "Prices", text: str = ROWS, segments: tuple[Segment, ...] | None = None) -> Source:
    whole = (Segment(page=4, start=len(HEADING), end=len(HEADING) + len(text)),)
    chunk = Chunk(
        id=ChunkId("doc_prices:00000"),
        document_id=DocumentId("doc_prices"),
        container_id=ContainerId("con_legal"),
        ordinal=0,
        kind=ChunkKind.TABLE,
        text=text,
        segments=whole if segments is None else segments,
        area=SheetArea(sheet=sheet, first_row=1, last_row=3, first_column=1, last_column=3, header_row=1),
    )
    return Source(ref=Ref("S1"), chunk=chunk, title="prices.xlsx.pdf", container="Legal", call_id="call_1")


def answered(text: str, source: Source, pieces: int = 1) -> CitedAnswer:
    writer = CitationWriter({source.ref: source}.get)
    step = max(1, len(text) // pieces)
    for start in range(0, len(text), step):
        writer.feed(text[start : start + step])
    writer.finish()
    return writer.answer


def test_a_row_is_cited_by_sheet_and_cells() -> None:
    answer = answered("A hexagon bolt M8 costs 7.40 EUR [S1].", sheet_source())
    assert answer.text == "A hexagon bolt M8 costs 7.40 EUR [prices.xlsx, Prices A2:C2]."
    (citation,) = answer.citations
    assert (citation.page, citation.page_label, citation.kind) == (4, "Prices A2:C2", ChunkKind.TABLE)


def test_a_quote_inside_one_cell_is_cited_by_that_cell() -> None:
    answer = answered("The list says “Hexagon bolt M8” [S1].", sheet_source())
    assert answer.citations[0].page_label == "Prices A2"


def test_other_cells_of_the_same_page_are_another_citation() -> None:
    text = "A hexagon bolt M8 costs 7.40 EUR [S1]. A wing nut M6 costs 12.15 EUR [S1]. The hexagon bolt M8 is 7.40 EUR [S1]."
    answer = answered(text, sheet_source())
    assert [citation.page_label for citation in answer.citations] == ["Prices A2:C2", "Prices A3:C3"]
    assert [mention.citation for mention in answer.mentions] == [1, 2, 1]


def test_where_nothing_is_located_the_cells_of_the_passage_are_named() -> None:
    answer = answered("Something else entirely [S1].", sheet_source())
    assert answer.citations[0].page_label == "Prices A1:C3"
    assert answer.mentions[0].spans == ()


def test_a_file_of_separated_values_has_cells_only_and_a_sheet_of_two_words_quotes() -> None:
    assert answered("Nothing of it [S1].", sheet_source(sheet="")).citations[0].label == "prices.xlsx, A1:C3"
    assert (
        answered("No [S1].", sheet_source(sheet="Price list")).citations[0].label == "prices.xlsx, 'Price list' A1:C3"
    )


def test_labels_are_the_same_however_the_answer_streams_reloads_and_exports() -> None:
    text = "A hexagon bolt M8 costs 7.40 EUR [S1], a wing nut M6 costs 12.15 EUR [S1]."
    whole = answered(text, sheet_source())
    assert answered(text, sheet_source(), pieces=len(text)) == whole
    reloaded = CitedAnswer.model_validate_json(whole.model_dump_json())
    assert reloaded == whole
    assert "prices.xlsx, Prices A2:C2 (Legal)" in to_markdown(reloaded)


def test_the_row_is_marked_on_the_page_that_shows_it() -> None:
    source = sheet_source()
    answer = answered("A wing nut M6 costs 12.15 EUR [S1].", source)
    text = HEADING + ROWS
    start = text.index("Wing nut M6")
    page = Page(number=4, text=text, words=(Word(start, start + 11, 10, 20, 70, 30),))
    (marked,) = Highlights(lambda *_: page).of_mention(answer, answer.mentions[0])
    assert [(box.x0, box.x1) for box in marked.boxes] == [(10, 70)]


def test_cells_that_no_page_shows_are_named_and_nothing_is_marked() -> None:
    source = sheet_source(segments=(Segment(page=1, start=0, end=0),))
    answer = answered("A wing nut M6 costs 12.15 EUR [S1].", source)
    (citation,) = answer.citations
    assert (citation.page, citation.page_label) == (1, "Prices A3:C3")
    assert "12.15 EUR" in citation.quote
    assert answer.mentions[0].spans == ()
