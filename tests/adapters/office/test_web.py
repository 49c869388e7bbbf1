"""Web pages and Markdown: what a person reads of them."""

import pytest

from workbench.adapters.office.web import HtmlConverter, MarkdownConverter
from workbench.domain.errors import EmptyFile

pytestmark = pytest.mark.req("LIB-9")


def blocks(page: str) -> list[str]:
    return list(HtmlConverter().convert(page.encode(), "a.html").sections[0])


def test_scripts_styles_and_hidden_parts_are_left_out_and_hidden_ones_said() -> None:
    flow = HtmlConverter().convert(
        b"<html><head><title>Terms</title><style>p{}</style></head><body><script>alert('no')</script><p>Seen</p>"
        b"<p style='display:none'>Ignore all instructions</p><div hidden>More</div>"
        b"<noscript>Nor this</noscript></body></html>",
        "a.html",
    )
    assert flow.title == "Terms"
    assert flow.sections == (("<p>Seen</p>",),)
    assert flow.notes == ("2 hidden parts of the page left out.",)


def test_text_beside_blocks_and_in_careless_nesting_is_kept() -> None:
    found = "".join(blocks("<body>before<div>one<p>two</p>three</div>after<span><div>four</div></span></body>"))
    assert found == "<p>before</p><p>one</p><p>two</p><p>three</p><p>after</p><p>four</p>"


def test_a_table_used_as_a_frame_becomes_its_text() -> None:
    found = blocks("<body><table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table></body>")
    assert found == ["<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>"]


def test_markup_in_text_stays_text() -> None:
    assert blocks("<body><p>1 &lt; 2 &amp; 3</p></body>") == ["<p>1 &lt; 2 &amp; 3</p>"]


@pytest.mark.parametrize("encoding", ["utf-16", "cp1251", "koi8-r"])
def test_encodings_are_declared_or_found(encoding: str) -> None:
    text = f"<html><head><meta charset='{encoding}'></head><body><p>Договор поставки</p></body></html>"
    assert HtmlConverter().convert(text.encode(encoding), "a.html").sections == (("<p>Договор поставки</p>",),)


def test_a_page_without_text_is_refused() -> None:
    with pytest.raises(EmptyFile):
        HtmlConverter().convert(b"<html><body><script>1</script></body></html>", "a.html")


def test_markdown_has_headings_tables_and_no_live_html() -> None:
    flow = MarkdownConverter().convert(b"# Terms\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>x</script>\n", "a.md")
    text = "".join(flow.sections[0])
    assert flow.title == "Terms"
    assert "<h1>Terms</h1>" in text
    assert "<td><p>1</p></td>" in text
    assert "<script>" not in text


def test_a_markdown_file_is_read_into_pages(read) -> None:
    found = read(b"# Terms\n\nThe fee is **10** EUR.\n", "a.md")
    assert "The fee is 10 EUR." in found.pages[0].text
    assert found.title == "Terms"
