"""Rich Text, OpenDocument and pictures; old binary formats are proved on the outside material."""

import io
import zipfile

import pytest
from PIL import Image

from workbench.domain.errors import DamagedFile

ODT = """<?xml version="1.0"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body><office:text>
<text:h text:outline-level="1">Terms</text:h>
<text:p>Pay in<text:s/>30 days<text:note><text:note-citation>1</text:note-citation>
<text:note-body><text:p>Of receipt.</text:p></text:note-body></text:note>.</text:p>
<table:table><table:table-row><table:table-cell><text:p>Fee</text:p></table:table-cell></table:table-row></table:table>
</office:text></office:body></office:document-content>"""


@pytest.mark.req("LIB-4")
def test_an_opendocument_text_is_read_with_its_notes(read) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", ODT)
    text = " ".join(read(target.getvalue(), "a.odt").pages[0].text.split())
    assert "Pay in 30 days [1]." in text
    assert "Fee" in text
    assert "[1] Of receipt." in text


@pytest.mark.req("LIB-4")
def test_rich_text_is_read_and_says_what_it_leaves(read) -> None:
    found = read(rb"{\rtf1\ansi\ansicpg1252 The fee is 10 \'80.\par}", "a.rtf")
    assert "The fee is 10 €." in found.pages[0].text
    assert any("text only" in note for note in found.notes)


@pytest.mark.req("LIB-6")
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP"])
def test_a_picture_is_a_page_that_says_it_has_no_text(read, kind: str) -> None:
    target = io.BytesIO()
    Image.new("RGB", (60, 40), "white").save(target, kind)
    found = read(target.getvalue(), f"scan.{kind.lower()}")
    assert [page.status for page in found.pages] == ["no text"]
    assert found.canonical is not None
    assert any("switched off by the setting PINCITE_OCR" in note for note in found.notes)


@pytest.mark.req("LIB-9")
def test_a_picture_cut_off_is_refused(read) -> None:
    target = io.BytesIO()
    Image.new("RGB", (60, 40), "white").save(target, "PNG")
    with pytest.raises(DamagedFile):
        read(target.getvalue()[:20], "scan.png")
