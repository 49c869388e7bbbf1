"""Whatever a person or a document wrote is shown as it is."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from workbench.ui.text import cell, escaped, literal, visible

pytestmark = pytest.mark.req("CITE-10")

JOINER = "\u2060"
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What Streamlit reads in text after Markdown has dropped the escapes.
SIGNS = (":material/", ":red[", ":tada:", "://", "--", "->", "<-", ">=", "<=", "~=", "www.", "a@b")
PIECES = st.sampled_from(
    [*SIGNS, "$", "$$", "`", "<b>", "[x](y)", "![](z)", "_a_", "**", "# ", "1. ", "- ", "|", "\\", "&amp;", "~~"]
)


def shown(markdown: str) -> str:
    """The text that a reader sees."""
    rendered = MARKDOWN.render(markdown)
    assert rendered.startswith("<p>") or not markdown
    assert rendered.count("<") == (2 if markdown else 0), f"more than one plain paragraph: {rendered}"
    return html.unescape(rendered.removeprefix("<p>").removesuffix("</p>\n"))


@given(st.lists(PIECES | st.text(max_size=8), max_size=8).map("".join))
def test_literal_text_reads_as_it_was_written(text: str) -> None:
    seen = shown(literal(text)).replace(JOINER, "")
    # CommonMark shows a NUL, which has no picture, as the replacement character.
    assert seen.split() == text.replace(JOINER, "").replace("\0", "\ufffd").split()


@given(st.lists(PIECES | st.text(max_size=4), max_size=6).map("".join))
def test_no_sign_that_streamlit_reads_is_left(text: str) -> None:
    seen = shown(literal(text)).lower()
    assert not [sign for sign in SIGNS if sign in seen]


@pytest.mark.parametrize("text", ["plain", "two words", "Ünïcode 漢字", "3 < 4 & 5", ""])
def test_harmless_text_gains_nothing_but_escapes(text: str) -> None:
    assert shown(literal(text)) == text


def test_escaped_text_cannot_leave_an_attribute() -> None:
    assert escaped("\"><script>alert('x')</script>") == "&quot;&gt;&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://a.invalid","open")',
        "+1+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(A1)",
        "\t=1+1",
        " =1+1",
        "＝1+1",
        "=1",
    ],
)
def test_a_cell_of_a_table_is_no_formula_where_it_is_exported_to(text: str) -> None:
    shown = cell(text)
    assert not shown.lstrip().startswith(("=", "+", "-", "@", "\t", "＝"))
    assert shown.replace(JOINER, "") == visible(text)


@pytest.mark.parametrize("text", ["-12", "+3.5 %", "-1,204.00", "plain", "a=b", "2024-01-31", "", "naïve – café"])
def test_figures_and_plain_text_stay_as_they_are_in_a_cell(text: str) -> None:
    assert cell(text) == text
