"""The export: numbered sources, and nothing of a document that a Markdown renderer would act on."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from workbench.domain.citations import CitedAnswer, Source
from workbench.domain.ids import Ref
from workbench.services.citations.export import quoted, to_markdown
from workbench.services.citations.writer import CitationWriter

pytestmark = [pytest.mark.req("CITE-5"), pytest.mark.req("CITE-10")]

Turn = dict[Ref, Source]


def answer(turn: Turn, text: str) -> CitedAnswer:
    writer = CitationWriter(turn.get)
    writer.feed(text)
    writer.finish()
    return writer.answer


def test_numbers_stand_where_the_sources_are_cited(turn: Turn) -> None:
    it = answer(turn, "Due in 45 days [S1]. A month costs EUR 1,200 [S4]. Interest is 4% per year [S1].")
    assert to_markdown(it) == (
        "Due in 45 days \\[1\\]. A month costs EUR 1,200 \\[2\\]. Interest is 4% per year \\[1\\].\n"
        "\n"
        "## Sources\n"
        "\n"
        "1. halden\\_msa.pdf, p. 5 (Contracts)\n"
        "   “The Customer shall pay each correctly rendered invoice within forty-five (45) days of receipt.”\n"
        "2. Order \\[B\\].docx, p. iv (PDF 6) (Contracts)\n"
        "   “The monthly charge is EUR 1,200.”\n"
    )


def test_an_answer_without_citations_has_no_list_of_sources(turn: Turn) -> None:
    assert to_markdown(answer(turn, "Nothing found.")) == "Nothing found.\n"


def test_links_are_the_ones_given(turn: Turn) -> None:
    exported = to_markdown(answer(turn, "Due [S1]."), link=lambda citation: f"/viewer?page={citation.page}&x=<y>")
    assert "Due [\\[1\\]](</viewer?page=5&x=y>)." in exported
    assert "1. [halden\\_msa.pdf, p. 5](</viewer?page=5&x=y>) (Contracts)" in exported


@pytest.mark.parametrize(
    ("text", "exported"),
    [
        ("a <b>x</b>", "a \\<b>x\\</b>"),
        ("$5 and $6", "\\$5 and \\$6"),
        ("![x](http://e.x/a.png)", "!\\[x\\](http://e.x/a.png)"),
        ("already \\[escaped\\] and \\\\[not]", "already \\[escaped\\] and \\\\\\[not\\]"),
        ("&lt;b&gt; & co", "\\&lt;b\\&gt; & co"),
        ("**bold** and _it_", "**bold** and _it_"),
        ("```\na[0] < $b\n```\n[x]", "```\na[0] < $b\n```\n\\[x\\]"),
        ("# Terms\n\n  ###### Deep\n#5 and # 6", "#### Terms\n\n  ###### Deep\n#5 and # 6"),
        ("Terms\n---\n\nCaps\n  ===", "Terms\n\\---\n\nCaps\n  \\==="),
        ("a # b --- c", "a # b --- c"),
        ("~~~\nnever closed", "~~~\nnever closed\n~~~"),
        ("```py\nnever closed\n``", "```py\nnever closed\n``\n```"),
        ("a\x00b\x1b[31m", "a b \\[31m"),
    ],
)
def test_what_a_renderer_would_act_on_is_escaped_outside_fences(turn: Turn, text: str, exported: str) -> None:
    assert to_markdown(answer(turn, text)) == f"{exported}\n"


ACTIVE = {"html_inline", "html_block", "image", "link_open"}
PIECES = st.sampled_from(
    ["<b>", "<script>", "![x](http://e.x)", "[x](http://e.x)", "[x]: http://e.x\n", "`", "``", "```", "```\n", "~~~\n",
     "\n", "\r", "\n\n", "> ", "- ", "    ", "|", "| - |\n", "\\", "<http://e.x>", "a", " ", "[S1]",
     "&lt;", "*", "<!--", "1. ", "[", "]", "(", ")", "!", "# ", "## Sources\n", "---\n", "===\n", "Sources"]
)  # fmt: skip


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES, max_size=16))
def test_no_renderer_finds_html_images_or_links_in_any_text(turn: Turn, pieces: list[str]) -> None:
    text = "".join(pieces)
    turn[Ref("S1")] = turn[Ref("S1")].model_copy(update={"title": f"a{text}b", "container": text})
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(to_markdown(answer(turn, f"{text}[S1]")))
    kinds = {child.type for token in tokens for child in (token, *(token.children or ()))}
    assert not kinds & ACTIVE


@example(pieces=[" ", "```\n", "```\n"])
@example(pieces=["```\n", "```~\n"])
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES, max_size=16))
def test_what_stands_below_an_answer_is_no_part_of_it(turn: Turn, pieces: list[str]) -> None:
    text = "".join(pieces)
    turn[Ref("S1")] = turn[Ref("S1")].model_copy(update={"title": f"a{text}b", "container": text})
    document = f"# Title\n\n{quoted(text)}\n\n{to_markdown(answer(turn, f'{text}[S1]'))}\n## Next\n"
    tokens = MarkdownIt("commonmark").enable("table").parse(document)
    headings = [
        tokens[index + 1].content
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag in ("h1", "h2") and token.level == 0
    ]
    assert headings in (["Title", "Sources", "Next"], ["Title", "Next"])  # a marker inside code cites nothing
    assert tokens[-1].type == "heading_close"
