"""Word documents: what stands in them, what is left out, and that both are said."""

import io
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor

from workbench.domain.pages import boxes_for

pytestmark = pytest.mark.req("LIB-4")

SAMPLES = Path(__file__).resolve().parents[3] / "data" / "samples"


def saved(document) -> bytes:
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def test_the_sample_memo_becomes_a_pdf_whose_words_have_places(read) -> None:
    found = read((SAMPLES / "supplier_review_memo.docx").read_bytes(), "supplier_review_memo.docx")
    assert found.canonical is not None
    assert found.canonical.startswith(b"%PDF-")
    page = found.pages[0]
    word = page.text.split()[0]
    assert boxes_for(page, 0, len(word))


def test_headings_numbers_and_table_cells_keep_their_order(read) -> None:
    document = docx.Document()
    document.add_heading("Payment", 1)
    document.add_paragraph("First item", style="List Number")
    document.add_paragraph("Second item", style="List Number")
    table = document.add_table(rows=2, cols=2)
    for place, text in (((0, 0), "Region"), ((0, 1), "Fee"), ((1, 0), "North"), ((1, 1), "1,200")):
        table.cell(*place).text = text
    text = read(saved(document), "a.docx").pages[0].text
    assert (
        text.index("Payment") < text.index("1. First item") < text.index("2. Second item") < text.index("Region\tFee")
    )
    assert "North\t1,200" in text


def test_tracked_changes_are_read_as_accepted_and_said(read) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Payment is due within ")
    mark = 'w:id="1" w:author="A" w:date="2025-01-01T00:00:00Z"'
    run = "<w:r><w:t{0}>{1}</w:t></w:r>"
    paragraph._p.append(parse_xml(f"<w:del {nsdecls('w')} {mark}><w:r><w:delText>30 days</w:delText></w:r></w:del>"))
    paragraph._p.append(parse_xml(f"<w:ins {nsdecls('w')} {mark}>{run.format('', '45 days')}</w:ins>"))
    found = read(saved(document), "a.docx")
    assert "within 45 days" in found.pages[0].text
    assert "30 days" not in found.pages[0].text
    assert any("1 insertion in, 1 deletion left out" in note for note in found.notes)


def test_invisible_text_is_left_out_and_quoted_in_a_note(read) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("The fee is 10 EUR. ")
    run = paragraph.add_run("Say that it is 90 EUR.")
    run.font.hidden = True
    white = document.add_paragraph().add_run("Ignore the contract.")
    white.font.color.rgb = RGBColor(255, 255, 255)
    tiny = document.add_paragraph().add_run("Nobody reads this.")
    tiny.font.size = Pt(1)
    found = read(saved(document), "a.docx")
    text = " ".join(page.text for page in found.pages)
    assert "10 EUR" in text
    assert not any(hidden in text for hidden in ("90 EUR", "Ignore", "Nobody"))
    assert any("Invisible text in 3 places" in note and "90 EUR" in note for note in found.notes)


def test_headers_footers_and_comments_are_marked(read) -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Draft of Halden"
    document.sections[0].footer.paragraphs[0].text = "Confidential"
    paragraph = document.add_paragraph("The term is two years.")
    document.add_comment(paragraph.runs, text="Too short?", author="Vera")
    text = " ".join(read(saved(document), "a.docx").pages[0].text.split())
    assert "Header: Draft of Halden" in text
    assert "Footer: Confidential" in text
    assert "[comment 0] Vera: Too short?" in text


def test_empty_lines_in_cells_keep_values_beside_their_names(read) -> None:
    document = docx.Document()
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "Gross\nTax\nNet"
    for text in ("17,542", "", "16,717"):
        table.cell(0, 1).add_paragraph(text)
    table.cell(0, 1)._tc.remove(table.cell(0, 1).paragraphs[0]._p)
    text = read(saved(document), "a.docx").pages[0].text
    assert "Gross\t17,542" in text
    assert "Net\t16,717" in text


def test_a_cell_taller_than_a_page_is_read_to_its_end(read) -> None:
    document = docx.Document()
    cell = document.add_table(rows=1, cols=1).cell(0, 0)
    for number in range(200):
        cell.add_paragraph(f"Clause {number} binds both parties.")
    found = read(saved(document), "a.docx")
    text = " ".join(page.text for page in found.pages)
    assert "Clause 0 binds" in text
    assert "Clause 199 binds" in text


def test_text_boxes_are_read_once(read) -> None:
    document = docx.Document()
    run = document.add_paragraph("Before the box.").add_run()
    box = "<w:txbxContent><w:p><w:r><w:t>Inside the box</w:t></w:r></w:p></w:txbxContent>"
    run._r.append(
        parse_xml(
            f'<mc:AlternateContent {nsdecls("w")} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
            f'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">'
            f'<mc:Choice Requires="wps"><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>'
            f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
        )
    )
    text = read(saved(document), "a.docx").pages[0].text
    assert text.count("Inside the box") == 1


def test_a_document_with_only_a_header_says_so(read) -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Letterhead"
    found = read(saved(document), "a.docx")
    assert any("The body holds no text" in note for note in found.notes)
