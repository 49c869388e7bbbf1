"""The answer as HTML: chips at mentions, and nothing of foreign text that is more than text."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.domain.chunks import ChunkKind
from workbench.domain.citations import Citation, Mention
from workbench.domain.ids import ContainerId, ConversationId, DocumentId, TurnId
from workbench.ui.ask.answer_html import TurnLinks, answer_html

LINKS = TurnLinks(ConversationId("conv_1"), TurnId("turn_1"))


def citation(number: int = 1, document: str = "halden_msa.pdf", quote: str = "within 45 days") -> Citation:
    return Citation(
        number=number,
        document_id=DocumentId(f"doc_{number}"),
        container_id=ContainerId("cont_1"),
        document=document,
        container="Contracts",
        kind=ChunkKind.TEXT,
        page=12,
        page_label="p. 12",
        label=f"{document} p. 12",
        quote=quote,
        refs=(),
    )


def cited(text: str, **kwargs: str) -> str:
    """Render ``text`` in which every "[@]" stands for a mention of one citation."""
    mentions: list[Mention] = []
    pieces = text.split("[@]")
    built = pieces[0]
    for piece in pieces[1:]:
        label = "[halden_msa.pdf p. 12]"
        mentions.append(Mention(start=len(built), end=len(built) + len(label), citation=1, refs=()))
        built += label + piece
    return answer_html(built, mentions, [citation(**kwargs)], LINKS)


class Elements(HTMLParser):
    """Collects the start tags of a piece of HTML with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.mark.req("CITE-9")
def test_a_mention_becomes_a_link_that_names_conversation_turn_and_mention() -> None:
    html = Elements(cited("Payment is due in 45 days [@]."))

    (link,) = html.of("a")
    assert link["href"] == "/viewer?conversation=conv_1&turn=turn_1&mention=0"
    assert link["class"] == "pc-cite"
    assert link["data-citation"] == "1"
    assert "within 45 days" in (link["title"] or "")
    assert html.text == "Payment is due in 45 days halden msa p. 12.\n"


@pytest.mark.req("CITE-9")
def test_only_the_opened_mention_is_marked() -> None:
    text = "[x][x]"
    mentions = [Mention(start=0, end=3, citation=1, refs=()), Mention(start=3, end=6, citation=1, refs=())]
    html = Elements(
        answer_html(text, mentions, [citation()], TurnLinks(LINKS.conversation_id, LINKS.turn_id, opened=1))
    )

    assert [link["class"] for link in html.of("a")] == ["pc-cite", "pc-cite pc-open"]
    assert [link.get("aria-current") for link in html.of("a")] == [None, "true"]


@pytest.mark.req("CITE-5")
@pytest.mark.parametrize(
    ("text", "around"),
    [
        ("**45 days[@]**", "strong"),
        ("**Term:**[@] 45 days", "strong"),
        ("## Payment [@]", "h4"),
        ("- one\n- two [@]", "li"),
        ("| a | b |\n|---|---|\n| 1 | 2 [@] |", "td"),
        ("> quoted [@]", "blockquote"),
        ("_45 days_ [@]", "em"),
    ],
)
def test_chips_work_inside_markdown(text: str, around: str) -> None:
    html = Elements(cited(text))

    assert len(html.of("a")) == 1
    assert html.of(around)
    assert "*" not in html.text
    assert "_" not in html.text


@pytest.mark.req("CITE-5")
def test_mentions_are_placed_by_code_points() -> None:
    text = "𝔸😀é [x] after"
    mention = Mention(start=4, end=7, citation=1, refs=())
    html = answer_html(text, [mention], [citation()], LINKS)

    assert re.search(r"<p>𝔸😀é <a [^>]*>halden msa p\. 12</a> after</p>", html)


@pytest.mark.req("CITE-10")
@pytest.mark.parametrize(
    "literal",
    [
        "$5 and $6, $$x$$",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![pixel](http://evil.example/x.png)",
        "[click](javascript:alert(1))",
        "[click](http://evil.example)",
        "<http://evil.example>",
        "http://evil.example/a",
        "~5 and ~~6~~",
        "some ~30 to ~40 crates, sizes 2~4~6",
        r"to bo@quay.example, 4:3:2 at 09:15:00, key :blue[y], C:\work\new",
        ":material/home: :smile: :red[x]",
        r"\(x^2\) and \[y\]",
        "&lt;b&gt; &#60;",
        "\"quoted\" 'single' -- dashes ... (c)",
        "[a]: http://evil.example 'title'",
    ],
)
def test_what_looks_like_markup_is_shown_as_the_text_it_is(literal: str) -> None:
    html = Elements(answer_html(literal, [], [], LINKS))

    assert html.text.strip() == literal
    assert [tag for tag, _ in html.found] == ["p"]


@pytest.mark.req("CITE-10")
def test_the_language_of_a_code_block_never_reaches_an_attribute() -> None:
    html = Elements(answer_html('```py" onload="alert(1)\nx < 1\n```', [], [], LINKS))

    assert html.found == [("div", {"class": "pc-language"}), ("pre", {}), ("code", {})]
    assert html.text.split("\n")[0] == 'py" onload="alert(1)x < 1'


@pytest.mark.req("CITE-5")
@pytest.mark.parametrize("prefix", ["", "> ", "- "])
def test_a_row_with_more_cells_than_the_head_loses_nothing(prefix: str) -> None:
    rows = ("| a | b |", "|---|---|", "| 1 | 2 | 3 [@] |")
    indent = "> " if prefix == "> " else " " * len(prefix)
    html = Elements(cited("\n".join((prefix if n == 0 else indent) + row for n, row in enumerate(rows))))

    assert "| 1 | 2 | 3" in html.text
    assert len(html.of("a")) == 1


@pytest.mark.req("CITE-5")
@pytest.mark.parametrize("prefix", ["", "> ", "- "])
def test_a_sound_table_is_a_table(prefix: str) -> None:
    rows = ("| a | b |", "|---|---|", "| 1 | 2 [@] |", "| 3 |")
    indent = "> " if prefix == "> " else " " * len(prefix)
    html = Elements(cited("\n".join((prefix if n == 0 else indent) + row for n, row in enumerate(rows))))

    assert len(html.of("td")) == 4


@pytest.mark.req("CITE-10")
def test_direction_overrides_are_spelled_out() -> None:
    html = Elements(answer_html("fee \u202e005 \u2066x", [], [], LINKS))

    assert html.text.strip() == "fee [U+202E]005 [U+2066]x"


@pytest.mark.req("CITE-10")
@pytest.mark.parametrize("forged", ["[\ue0000\ue001]", "[&#xE000;0&#xE001;]", "`[\ue0000\ue001]`"])
def test_a_chip_cannot_be_forged(forged: str) -> None:
    assert len(Elements(cited(f"{forged} and [@]")).of("a")) == 1


@pytest.mark.req("CITE-10")
def test_hostile_names_and_quotes_stay_inside_their_attribute() -> None:
    html = Elements(cited("x [@]", document='a" onmouseover="x\u202e<b>.pdf', quote='"><img src=x onerror=1>'))

    assert [tag for tag, _ in html.found] == ["p", "a"]
    assert set(html.of("a")[0]) == {"class", "href", "title", "aria-label", "data-citation"}


_HOSTILE = st.sampled_from(
    ["<script>", "<img src=x onerror=1>", "![a](b)", "[a](javascript:x)", "<a href=x>", "\\", "`", "```", "|", "|--|--|",
     "\n", "\n\n", "* ", "# ", "> ", "1. ", "**", "_", "[", "]", "(", ")", "\ue000", "\ue001", "0", "\u202e", "&#xE000;",
     "&lt;", '"', "'", "[@]", " onclick=x ", "href=", "<!--", "-->", "<svg/onload=1>", "\x00", "\ud800"]
)  # fmt: skip


@pytest.mark.req("CITE-10")
@given(st.lists(st.one_of(_HOSTILE, st.text(max_size=8)), max_size=30).map("".join))
def test_whatever_the_text_only_our_own_links_and_harmless_elements_come_out(text: str) -> None:
    html = Elements(cited(text))

    allowed = {"p", "a", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "br", "div", "table"}
    allowed |= {"thead", "tbody", "tr", "th", "td", "h3", "h4", "h5", "h6"}
    attributes = {"class", "href", "title", "aria-label", "data-citation", "style", "start"}
    for tag, attrs in html.found:
        assert tag in allowed
        assert set(attrs) <= attributes
        assert re.fullmatch(r"text-align:(left|right|center)", attrs.get("style") or "text-align:left")
    hrefs = [link["href"] for link in html.of("a")]
    assert all(re.fullmatch(r"/viewer\?conversation=conv_1&turn=turn_1&mention=\d+", href or "") for href in hrefs)
    assert len(hrefs) == text.count("[@]")
