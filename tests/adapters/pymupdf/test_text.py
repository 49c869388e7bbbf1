"""Page text: reading order, joined words, paragraphs, and a range and a box for every word."""

from collections.abc import Callable

import pymupdf
import pytest

from tests.adapters.pymupdf.pdfs import paragraph, pdf
from workbench.domain.pages import Page, boxes_for

ReadPage = Callable[[bytes], Page]
pytestmark = pytest.mark.req("CITE-7")


def words(page: Page) -> list[str]:
    return [page.text[word.start : word.end] for word in page.words]


def test_every_word_of_the_text_has_its_range(read_page: ReadPage) -> None:
    page = read_page(pdf(paragraph(["The Customer shall pay each invoice", "within thirty days of receipt."])))
    assert page.text == "The Customer shall pay each invoice within thirty days of receipt."
    assert words(page) == page.text.split()


def test_two_columns_are_read_one_after_the_other_and_a_wide_heading_stays_on_top(read_page: ReadPage) -> None:
    left = [f"left column line number {n} of the text" for n in range(8)]
    right = [f"right column line number {n} of the text" for n in range(8)]
    wide = "A heading that runs over both of the columns of this page and does not belong to one of them"
    page = read_page(pdf([(72, 80, wide), *paragraph(left, x=72), *paragraph(right, x=320)]))
    assert page.text.index(wide) < page.text.index("left column line number 0")
    assert page.text.index("left column line number 7") < page.text.index("right column line number 0")


def test_a_sentence_goes_on_from_one_column_to_the_next(read_page: ReadPage) -> None:
    left = [f"Left column line number {n} is here." for n in range(6)] + ["The supplier is liable for any"]
    right = ["breach of this agreement by its staff."] + [f"Right column line number {n} is here." for n in range(6)]
    page = read_page(pdf([*paragraph(left, x=72), *paragraph(right, x=320)]))
    assert "liable for any breach of this agreement" in page.text


def test_boxes_of_a_passage_over_two_columns_stay_in_their_columns(read_page: ReadPage) -> None:
    left = [f"left column line number {n} of the text" for n in range(8)]
    right = [f"right column line number {n} of the text" for n in range(8)]
    page = read_page(pdf([*paragraph(left, x=72), *paragraph(right, x=320)]))
    boxes = boxes_for(page, page.text.index("left column line number 7"), page.text.index("number 1 of", 340))
    assert len(boxes) == 3
    assert all(box.x1 < 320 or box.x0 >= 319 for box in boxes)


def test_table_cells_are_parted_by_tabs_and_rows_by_line_breaks(read_page: ReadPage) -> None:
    rows = [("Item", "Unit", "Price"), ("Pump", "piece", "1,845.00"), ("Cable", "box", "96.50")]
    lines = [
        (72 + 150 * column, 100 + 14 * row, cell) for row, cells in enumerate(rows) for column, cell in enumerate(cells)
    ]
    assert read_page(pdf(lines)).text == "Item\tUnit\tPrice\nPump\tpiece\t1,845.00\nCable\tbox\t96.50"


def test_two_spaces_after_a_full_stop_are_no_cell_border(read_page: ReadPage) -> None:
    page = read_page(pdf(paragraph(["The term ends.  It is renewed.   See below", "for more."]), font="Courier"))
    assert "\t" not in page.text


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("the parties to this agree-", "ment shall", "the parties to this agreement shall"),
        ("ceded under the re-", "insurance treaty", "ceded under the reinsurance treaty"),
        ("it uses state-", "of-the-art methods", "it uses state-of-the-art methods"),
        ("within 10-", "12 days", "within 10-12 days"),
        ("an Anglo-", "American bank", "an Anglo-American bank"),
        ("all pre- ", "and post-closing acts", "all pre- and post-closing acts"),
        ("a self-", "employed person", "a self-employed person"),
    ],
)
def test_words_cut_at_a_line_end(read_page: ReadPage, first: str, second: str, expected: str) -> None:
    assert read_page(pdf(paragraph([first, second]))).text == expected


def test_the_document_decides_whether_a_compound_keeps_its_hyphen(read_page: ReadPage) -> None:
    page = read_page(pdf(paragraph(["A medium-grade steel is used, and a medium-", "grade alloy as well."])))
    assert page.text.count("medium-grade") == 2


def test_a_joined_word_has_two_boxes_on_two_lines_with_adjoining_ranges(read_page: ReadPage) -> None:
    page = read_page(pdf(paragraph(["the parties to this agree-", "ment shall"])))
    start = page.text.index("agreement")
    parts = [word for word in page.words if start <= word.start < start + len("agreement")]
    assert [(word.start - start, word.end - start) for word in parts] == [(0, 5), (5, 9)]
    assert parts[1].y0 > parts[0].y1 - 2
    assert len(boxes_for(page, start, start + 9)) == 2


def test_paragraphs_are_parted_by_a_blank_line(read_page: ReadPage) -> None:
    first = paragraph(["The first paragraph has two lines of text,", "and ends here."], y=100)
    second = paragraph(["The second begins after a gap,", "and ends here too."], y=140)
    assert read_page(pdf([*first, *second])).text == (
        "The first paragraph has two lines of text, and ends here.\n\nThe second begins after a gap, and ends here too."
    )


def test_numbered_clauses_begin_a_paragraph_without_a_gap(read_page: ReadPage) -> None:
    page = read_page(pdf(paragraph(["7.1 The Customer shall pay.", "7.2 The Supplier may not set off."])))
    assert page.text.split("\n\n") == ["7.1 The Customer shall pay.", "7.2 The Supplier may not set off."]


def test_a_clause_number_at_a_line_start_inside_a_sentence_does_not(read_page: ReadPage) -> None:
    page = read_page(
        pdf(paragraph(["Payments are made as described in clause", "7.2 of this Agreement, which applies."]))
    )
    assert page.text == "Payments are made as described in clause 7.2 of this Agreement, which applies."


def test_bold_printed_twice_is_one_word(read_page: ReadPage) -> None:
    assert read_page(pdf([(72, 100, "Notice"), (72.3, 100, "Notice")])).text == "Notice"


def test_a_line_from_right_to_left_keeps_figures_and_codes(read_page: ReadPage) -> None:
    line = "הספק ימסור את הסחורה ברציף 48 קוד AX-7 ויקבל תשלום."
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_htmlbox((60, 60, 500, 120), f'<p dir="rtl" style="font-size:14px">{line}</p>')
        read = read_page(document.tobytes())
    assert read.text.replace(" .", ".") == line
    assert boxes_for(read, read.text.index("48"), read.text.index("48") + 2)


def test_columns_written_from_top_to_bottom_are_read_from_right_to_left(read_page: ReadPage) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        for x, column in ((300, "契約の期間は"), (270, "五年とする。")):
            for n, character in enumerate(column):
                page.insert_text((x, 100 + 13 * n), character, fontname="japan", fontsize=12)
        read = read_page(document.tobytes())
    assert read.text == "契約の期間は五年とする。"
    assert boxes_for(read, 6, 7)[0].x0 == pytest.approx(270, abs=1)


def test_decomposed_letters_are_composed(read_page: ReadPage) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_htmlbox((60, 60, 500, 120), "<p>Der Ka\u0308ufer erha\u0308lt ein Resume\u0301.</p>")
        read = read_page(document.tobytes())
    assert "Käufer erhält ein Resumé" in read.text
