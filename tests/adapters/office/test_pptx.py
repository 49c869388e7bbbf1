"""Presentations: a slide a page, nothing of a slide lost, hidden ones said."""

import io

import pptx
import pytest
from pptx.util import Inches

pytestmark = [pytest.mark.req("LIB-4")]


def presentation() -> bytes:
    show = pptx.Presentation()
    for number in range(1, 5):
        slide = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = f"Topic {number}"
    first, second, third, fourth = show.slides
    outer = first.shapes.add_group_shape()
    inner = outer.shapes.add_group_shape()
    inner.shapes.add_textbox(0, 0, Inches(2), Inches(1)).text_frame.text = "Launch 14 May"
    second._element.set("show", "0")
    table = third.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(2)).table
    for place, text in (((0, 0), "Plan"), ((0, 1), "Price"), ((1, 0), "Basic"), ((1, 1), "49 EUR")):
        table.cell(*place).text = text
    fourth.notes_slide.notes_text_frame.text = "churn 3%"
    target = io.BytesIO()
    show.save(target)
    return target.getvalue()


def test_each_slide_is_one_page_with_all_that_stands_on_it(read) -> None:
    found = read(presentation(), "a.pptx")
    texts = [" ".join(page.text.split()) for page in found.pages]
    assert len(texts) == 4
    assert "Launch 14 May" in texts[0]
    assert "Basic 49 EUR" in texts[2]
    assert "Speaker notes: churn 3%" in texts[3]


def test_a_hidden_slide_keeps_its_number_and_is_said(read) -> None:
    found = read(presentation(), "a.pptx")
    assert "Slide 2 (hidden)" in found.pages[1].text
    assert any("slide 2" in note for note in found.notes)


def test_a_slide_of_too_much_text_stays_one_page(read) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    frame = slide.shapes.add_textbox(0, 0, Inches(5), Inches(5)).text_frame
    for number in range(120):
        frame.add_paragraph().text = f"Line {number} of the plan"
    target = io.BytesIO()
    show.save(target)
    (page,) = read(target.getvalue(), "a.pptx").pages
    assert "Line 119 of the plan" in page.text
