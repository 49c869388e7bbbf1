"""Tables on pages: ruled and unruled, merged cells, over page breaks, and what only looks like one."""

import io
from collections.abc import Callable, Sequence

import pymupdf
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

from tests.adapters.pymupdf.pdfs import edited, paragraph, pdf
from workbench.domain.pages import ReadDocument, boxes_for

Read = Callable[[bytes], ReadDocument]
pytestmark = pytest.mark.req("LIB-6")
HEADER = ["Item", "First quarter", "Second quarter"]
BODY = [[f"Pump {n}", str(100 + n), str(200 + n)] for n in range(1, 61)]


def laid_out(
    rows: Sequence[Sequence[object]], *styles: tuple[object, ...], repeat: int = 0, ruled: bool = True
) -> bytes:
    """Return a PDF with a table between two paragraphs."""
    target = io.BytesIO()
    style = getSampleStyleSheet()["Normal"]
    grid = [("GRID", (0, 0), (-1, -1), 0.5, "black")] if ruled else []
    table = Table([list(row) for row in rows], colWidths=[160, 120, 120], repeatRows=repeat)
    table.setStyle(TableStyle([*grid, *styles]))
    story = [Paragraph("The prices of the year are these.", style), table, Paragraph("They may change.", style)]
    SimpleDocTemplate(target, pagesize=A4, invariant=1).build(story)
    return target.getvalue()


@pytest.mark.parametrize("ruled", [True, False])
def test_cells_are_told_by_row_and_column(read: Read, ruled: bool) -> None:
    page = read(laid_out([HEADER, *BODY[:5]], ruled=ruled)).pages[0]
    assert page.tables[0].texts(page.text) == [HEADER, *BODY[:5]]
    assert page.tables[0].header_rows == 1
    assert "First quarter\tSecond quarter\nPump 1\t101\t201\n" in page.text
    assert page.text.startswith("The prices of the year are these.\n\nItem")
    assert page.text.endswith("\n\nThey may change.")


@pytest.mark.parametrize("repeat", [0, 1])
@pytest.mark.parametrize("ruled", [True, False])
def test_a_table_goes_on_over_the_page_break(read: Read, repeat: int, ruled: bool) -> None:
    document = read(laid_out([HEADER, *BODY], repeat=repeat, ruled=ruled))
    first, second = document.pages[0].tables[0], document.pages[1].tables[0]
    assert (first.continues, first.header_rows) == (False, 1)
    assert (second.continues, second.header_rows) == (True, repeat)
    rows = second.texts(document.pages[1].text)
    assert rows[-1] == BODY[-1]
    assert len(first.rows) + len(second.rows) == 61 + repeat


def test_lines_of_a_cell_are_one_text(read: Read) -> None:
    style = getSampleStyleSheet()["Normal"]
    long = "Replacement of the seals and of every bearing that the inspector names"
    rows = [HEADER, [Paragraph(long, style), Paragraph("payable within sixty days of the invoice", style), "201"]]
    page = read(laid_out([*rows, *BODY[:2]])).pages[0]
    assert page.tables[0].texts(page.text)[1] == [long, "payable within sixty days of the invoice", "201"]
    assert long in page.text


def test_merged_and_empty_cells_keep_the_columns(read: Read) -> None:
    rows = [["Item", "Amounts", ""], ["", "First", "Second"], ["Pump", "", "7"], ["Valve", "8", "9"]]
    page = read(laid_out(rows, ("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 0), (0, 1)))).pages[0]
    assert page.tables[0].texts(page.text) == [
        ["Item", "Amounts", ""],
        ["", "First", "Second"],
        ["Pump", "", "7"],
        rows[3],
    ]
    assert "\n\tFirst\tSecond\nPump\t\t7\nValve" in page.text


@pytest.mark.parametrize("turn", [90, 270])
def test_a_turned_page_has_its_table(read: Read, turn: int) -> None:
    data = edited(laid_out([HEADER, *BODY[:5]]), lambda document: document[0].set_rotation(turn))
    upright = read(laid_out([HEADER, *BODY[:5]])).pages[0]
    page = read(data).pages[0]
    assert page.tables[0].texts(page.text) == upright.tables[0].texts(upright.text)


def test_a_cell_is_found_again_on_the_page(read: Read) -> None:
    page = read(laid_out([HEADER, *BODY[:5]])).pages[0]
    cell = page.tables[0].rows[3][2]
    assert page.text[cell.start : cell.end] == "203"
    (box,) = boxes_for(page, cell.start, cell.end)
    outer = page.tables[0].box
    assert outer.x0 <= box.x0 < box.x1 <= outer.x1
    assert outer.y0 <= box.y0 < box.y1 <= outer.y1


def test_underlines_and_frames_around_text_make_no_table(read: Read) -> None:
    lines = [f"Sentence {n} of the clause runs over the whole width of the page and is underlined." for n in range(8)]

    def frame(document: pymupdf.Document) -> None:
        page = document[0]
        for n in range(9):
            page.draw_line((60, 88 + 12 * n), (540, 88 + 12 * n))
        for x in (60, 200, 330, 540):
            page.draw_line((x, 88), (x, 184))

    page = read(edited(pdf(paragraph(lines)), frame)).pages[0]
    assert page.tables == ()
    assert page.text == " ".join(lines)


def test_two_columns_of_text_are_no_table(read: Read) -> None:
    left = [f"The left column has a sentence number {n}" for n in range(12)]
    right = [f"while the right one goes on with line {n}" for n in range(12)]
    page = read(pdf([*paragraph(left, x=60), *paragraph(right, x=320)])).pages[0]
    assert page.tables == ()


def test_a_drawing_of_thousands_of_lines_costs_little_and_is_no_table(read: Read) -> None:
    def draw(document: pymupdf.Document) -> None:
        shape = document[0].new_shape()
        for n in range(8000):
            shape.draw_line((50 + n % 400, 200 + n // 20), (60 + n % 400, 200 + n // 20))
            shape.draw_line((50 + n % 400, 200 + n // 20), (50 + n % 400, 210 + n // 20))
        shape.finish()
        shape.commit()

    page = read(edited(pdf(paragraph(["A map of the site."])), draw)).pages[0]
    assert page.tables == ()
    assert page.text == "A map of the site."


def test_bookmarks_stand_on_the_pages_they_lead_to(read: Read) -> None:
    def mark(document: pymupdf.Document) -> None:
        document.set_toc([[1, "Terms", 1], [2, "Payment of the fee", 2], [1, "Annex", 3]])

    document = read(edited(pdf(*[paragraph([f"Page {n}."]) for n in (1, 2, 3)]), mark))
    found = [(mark.level, mark.title, page.number) for page in document.pages for mark in page.bookmarks]
    assert found == [(1, "Terms", 1), (2, "Payment of the fee", 2), (1, "Annex", 3)]
