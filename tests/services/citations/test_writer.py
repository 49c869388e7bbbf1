"""The writer: right labels, places and citations, the same for every split of the stream."""

import re
from itertools import combinations, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.domain.chunks import Segment
from workbench.domain.citations import CitedAnswer, Source
from workbench.domain.events import AnswerDelta
from workbench.domain.ids import Ref
from workbench.services.citations.writer import CitationWriter

Turn = dict[Ref, Source]

HALDEN_5, HALDEN_6 = "[halden_msa.pdf, p. 5]", "[halden_msa.pdf, p. 6]"
ORDER = "[Order (B).docx, p. iv (PDF 6)]"
PAYMENT = "The Customer shall pay each correctly rendered invoice within forty-five (45) days of receipt."
INTEREST = "Late amounts bear interest at 4% per year above the base rate."
DISPUTED = "The Customer may withhold amounts disputed in good faith."
OTHER = "[halden_msa.pdf (Legal), p. 2]"


def streamed(turn: Turn, pieces: list[str]) -> tuple[CitedAnswer, list[AnswerDelta]]:
    writer = CitationWriter(turn.get)
    deltas = [delta for piece in pieces if (delta := writer.feed(piece)) is not None]
    last = writer.finish()
    return writer.answer, deltas if last is None else [*deltas, last]


def written(turn: Turn, text: str) -> CitedAnswer:
    return streamed(turn, [text])[0]


def shown(answer: CitedAnswer) -> list[str]:
    return [answer.text[mention.start : mention.end] for mention in answer.mentions]


@pytest.mark.req("CITE-1")
class TestLabels:
    def test_a_marker_becomes_a_label_that_maps_to_its_citation(self, turn: Turn) -> None:
        answer = written(turn, "Invoices are due within 45 days [S1].")
        assert answer.text == f"Invoices are due within 45 days {HALDEN_5}."
        citation = answer.citation(answer.mentions[0].citation)
        assert (citation.document_id, citation.container_id, citation.page) == ("doc_halden", "con_contracts", 5)
        assert (citation.document, citation.container, citation.kind) == ("halden_msa.pdf", "Contracts", "text")
        assert (citation.refs, citation.call_ids) == (("S1",), ("call_1",))

    @pytest.mark.parametrize(
        "marker",
        ["[S1, S3]", "[S1,S3]", "[S1; S3]", "[S1 and S3]", "[S1][S3]", "[S1] [S3]", "[S1], [S3]", "【S1】【S3】"],
    )
    def test_every_form_of_two_refs_gives_two_places_in_order(self, turn: Turn, marker: str) -> None:
        answer = written(turn, f"It is so {marker}.")
        assert answer.text == f"It is so {HALDEN_5} {HALDEN_6}."
        assert shown(answer) == [HALDEN_5, HALDEN_6]

    @pytest.mark.req("CITE-6")
    def test_a_printed_page_label_is_shown_with_the_physical_page(self, turn: Turn) -> None:
        assert written(turn, "It costs EUR 1,200 a month [S4].").text.endswith(f"{ORDER}.")

    def test_brackets_and_line_breaks_of_a_name_do_not_break_its_label(self, turn: Turn) -> None:
        name = "a]b [c\n](http: x)\t.pdf"
        turn[Ref("S1")] = turn[Ref("S1")].model_copy(update={"title": name})
        answer = written(turn, "Due [S1].")
        assert shown(answer) == ["[a)b (c )(http: x) .pdf, p. 5]"]
        assert answer.citations[0].document == name

    @pytest.mark.parametrize(
        "name", ["__init__*v1_2_3.pdf", "報告 2024.pdf", "cafe\u0301.pdf", "emoji😀.pdf", "$5 <b>.pdf"]
    )
    def test_a_name_is_shown_as_it_was_uploaded(self, turn: Turn, name: str) -> None:
        turn[Ref("S1")] = turn[Ref("S1")].model_copy(update={"title": name})
        assert shown(written(turn, "Due [S1].")) == [f"[{name}, p. 5]"]

    def test_documents_of_one_name_are_told_apart_by_container_or_count(self, turn: Turn) -> None:
        twin = turn[Ref("S5")].chunk.model_copy(update={"document_id": "doc_twin"})
        turn[Ref("S6")] = turn[Ref("S5")].model_copy(update={"ref": "S6", "chunk": twin})
        answer = written(turn, "A [S1]. B [S5]. C [S6]. A again [S1].")
        assert shown(answer) == [HALDEN_5, OTHER, "[halden_msa.pdf (2), p. 2]", HALDEN_5]
        assert [citation.document_id for citation in answer.citations] == ["doc_halden", "doc_other", "doc_twin"]


@pytest.mark.req("CITE-4")
class TestUnknownRefs:
    @pytest.mark.parametrize(
        ("text", "expected", "unknown"),
        [
            ("Opened in 1971 [S7]. Closed [S0].", "Opened in 1971. Closed.", ("S7", "S0")),
            ("Due [S7, S1] now.", f"Due {HALDEN_5} now.", ("S7",)),
            ("Due [S1][S7], [S8] and paid.", f"Due {HALDEN_5} and paid.", ("S7", "S8")),
            ("Due [S7] [S1].", f"Due {HALDEN_5}.", ("S7",)),
            ("(see [S7])", "(see)", ("S7",)),
            ("[S7] Foo\n- [S7] bar\n  [S7] baz", "Foo\n- bar\n  baz", ("S7",)),
            ("a[S7]b c[S7] d", "ab c d", ("S7",)),
            ("x [S7]\n\ny [S7] ", "x\n\ny", ("S7",)),
            ("So \ue200cite\ue202turn0search1\ue201 it is.", "So it is.", ("turn0search1",)),
            ("As 【4:0†source】.", "As.", ("4:0",)),
            ("[S7]", "", ("S7",)),
        ],
    )
    def test_are_taken_out_with_their_space_and_reported_once(
        self, turn: Turn, text: str, expected: str, unknown: tuple[str, ...]
    ) -> None:
        answer = written(turn, text)
        assert (answer.text, answer.unknown_refs) == (expected, unknown)

    def test_a_leading_zero_names_the_same_source(self, turn: Turn) -> None:
        assert shown(written(turn, "Sold [S01].")) == [HALDEN_5]

    @pytest.mark.req("FIND-7")
    def test_an_id_of_an_earlier_turn_never_resolves(self, turn: Turn) -> None:
        assert written(turn, "Due [S3].").citations
        later = {Ref("S1"): turn[Ref("S4")]}
        answer = written(later, "Due [S3], costs EUR 1,200 [S1].")
        assert (answer.text, answer.unknown_refs) == (f"Due, costs EUR 1,200 {ORDER}.", ("S3",))

    def test_nothing_is_cited_where_the_turn_gathered_nothing(self) -> None:
        answer = written({}, "From memory [S1].")
        assert (answer.text, answer.citations, answer.unknown_refs) == ("From memory.", (), ("S1",))


@pytest.mark.req("CITE-5")
class TestUniqueCitations:
    def test_one_page_cited_by_two_refs_is_one_citation_and_one_place(self, turn: Turn) -> None:
        answer = written(turn, "Fee is 9 [S1][S2]. Term is 2 [S2].")
        assert answer.text == f"Fee is 9 {HALDEN_5}. Term is 2 {HALDEN_5}."
        assert [(mention.citation, mention.refs) for mention in answer.mentions] == [(1, ("S1", "S2")), (1, ("S2",))]
        assert answer.citations[0].refs == ("S1", "S2")
        assert answer.citations[0].call_ids == ("call_1", "call_2")

    def test_a_page_named_again_after_another_one_in_a_group_stands_once(self, turn: Turn) -> None:
        assert shown(written(turn, "So [S1][S3][S2].")) == [HALDEN_5, HALDEN_6]

    def test_numbers_count_in_order_of_first_mention(self, turn: Turn) -> None:
        answer = written(turn, "A [S5]. B [S1]. C [S5]. D [S4].")
        assert [mention.citation for mention in answer.mentions] == [1, 2, 1, 3]
        assert [citation.number for citation in answer.citations] == [1, 2, 3]

    @pytest.mark.parametrize("before", ["😀", "e\u0301", "👩‍👩‍👧 ", "日本語", "\U0001f600\U0001f600 x", "नि"])
    def test_places_count_code_points(self, turn: Turn, before: str) -> None:
        answer = written(turn, f"{before} [S1] and {before}[S3].")
        assert shown(answer) == [HALDEN_5, HALDEN_6]

    def test_an_answer_survives_storage_unchanged(self, turn: Turn) -> None:
        answer = written(turn, "Due in 45 days [S1, S3]. [S9]")
        assert CitedAnswer.model_validate_json(answer.model_dump_json()) == answer


@pytest.mark.req("CITE-7")
class TestPassages:
    @pytest.mark.parametrize(
        ("text", "quotes"),
        [
            ("Invoices are due in 45 days [S1].", [PAYMENT]),
            ("Late payment costs 4% interest. [S1]", [INTEREST]),
            ("Invoices are due within 54 days [S1].", [""]),
            (
                "Invoices fall due in 45 days [S1] and late payers owe interest of 4% [S1].",
                [
                    PAYMENT,
                    INTEREST,
                ],
            ),
            ("| Halden invoice | 45 days [S1] | 60 days [S5] |", [PAYMENT, "Invoices fall due after 60 days."]),
            ("It ends in 2031. Disputed amounts may be withheld [S1][S2].", [DISPUTED]),
        ],
    )
    def test_each_place_quotes_what_supports_the_claim_before_it(
        self, turn: Turn, text: str, quotes: list[str]
    ) -> None:
        assert [mention.quote for mention in written(turn, text).mentions] == quotes

    def test_spans_are_places_on_the_page(self, turn: Turn) -> None:
        mention = written(turn, "Late payment costs 4% interest [S1].").mentions[0]
        text = turn[Ref("S1")].chunk.text
        start = 100 + text.index("Late")
        assert mention.spans == (Segment(page=5, start=start, end=100 + len(text)),)

    def test_a_passage_over_a_page_break_has_a_span_on_each_page(self, turn: Turn) -> None:
        answer = written(
            turn, "The Supplier indemnifies the Customer against claims of patent or copyright infringement [S3]."
        )
        assert [span.page for span in answer.mentions[0].spans] == [6, 7]
        assert answer.citations[0].page == 6

    def test_the_cited_page_is_the_one_the_passage_stands_on(self, turn: Turn) -> None:
        answer = written(turn, "It says “services infringe a patent or a copyright” [S3].")
        assert answer.citations[0].page == 7
        assert shown(answer) == ["[halden_msa.pdf, p. 7]"]

    def test_overlapping_sources_of_one_page_give_one_passage(self, turn: Turn) -> None:
        turn[Ref("S6")] = turn[Ref("S1")].model_copy(update={"ref": "S6"})
        mention = written(turn, "Invoices are due in 45 days [S1][S6].").mentions[0]
        assert len(mention.spans) == 1
        assert mention.quote.count("forty-five") == 1


@pytest.mark.req("CITE-3")
class TestSpacing:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("45 days[S1].", f"45 days {HALDEN_5}."),
            ("45 days \t [S1].", f"45 days {HALDEN_5}."),
            ("45 days. [S1] Next", f"45 days. {HALDEN_5} Next"),
            ("45 days ([S1]).", f"45 days ({HALDEN_5})."),
            ("**[S1]** x", f"**{HALDEN_5}** x"),
            ("- [S1] x", f"- {HALDEN_5} x"),
            ("[S1] x\n  [S1]", f"{HALDEN_5} x\n  {HALDEN_5}"),
            ("[S1]: yes", f"{HALDEN_5}: yes"),
            ("[S1](a) the first", f"{HALDEN_5} (a) the first"),
            ("[S1][note]", f"{HALDEN_5} [note]"),
            ("[S1](https://example.invalid/x).", f"{HALDEN_5}."),
            ("![S1](https://example.invalid/x.png)", f"! {HALDEN_5}"),
            ("line  \nend  ", "line  \nend  "),
            ("a [S1]  \nb", f"a {HALDEN_5}  \nb"),
            ("a [S1], b", f"a {HALDEN_5}, b"),
            ("`[S1]` and ```[S1]```", "`[S1]` and ```[S1]```"),
            ("See [Schedule A] and [S", "See [Schedule A] and [S"),
        ],
    )
    def test_exactly_one_space_before_a_label_where_one_belongs(self, turn: Turn, text: str, expected: str) -> None:
        assert written(turn, text).text == expected

    @pytest.mark.req("CITE-10")
    @pytest.mark.parametrize(
        "text",
        [
            "costs $5 or $6",
            "a <b>bold</b> &amp; x",
            "![x](http://example.invalid/x.png)",
            "<script>alert(1)</script>",
            "$$x^2$$",
            "\ue001",
        ],
    )
    def test_all_other_text_passes_unchanged(self, turn: Turn, text: str) -> None:
        assert written(turn, text).text == text

    def test_a_cut_answer_ends_before_the_marker_it_began(self, turn: Turn) -> None:
        writer = CitationWriter(turn.get)
        writer.feed("Fee is 9 [S")
        writer.finish(cut=True)
        assert writer.answer.text == "Fee is 9"

    def test_finishing_twice_changes_nothing(self, turn: Turn) -> None:
        writer = CitationWriter(turn.get)
        writer.feed("Fee is 9 [S1] ")
        assert writer.finish() is not None
        answer = writer.answer
        assert writer.finish() is None
        assert writer.answer == answer


STREAMS = [
    "Due in 45 days [S1][S2], [S9]. Late",
    "x [S1, S3] [S4](http://e.x/a) y",
    "[S7] (see [S7]) **[S5]**\n- [S1] z",
    "a `[S1]` ` [S1]\n\n【S3】【S3】",
    "😀[S1] e\u0301 [S5] [S1]  \nb  ",
    "q \ue200cite\ue202turn0x1\ue201 [S1",
]


def assert_same(turn: Turn, pieces: list[str]) -> None:
    """Check that a split gives what the whole text gives, and that the deltas tell the same story as the answer."""
    answer, deltas = streamed(turn, pieces)
    assert answer == written(turn, "".join(pieces))
    assert "".join(delta.text for delta in deltas) == answer.text
    assert tuple(mention for delta in deltas for mention in delta.mentions) == answer.mentions
    streamed_citations = [citation for delta in deltas for citation in delta.citations]
    assert [(c.number, c.label) for c in streamed_citations] == [(c.number, c.label) for c in answer.citations]
    length = 0
    for delta in deltas:
        assert all(length <= mention.start < mention.end <= length + len(delta.text) for mention in delta.mentions)
        length += len(delta.text)


@pytest.mark.req("CITE-3")
@pytest.mark.parametrize("text", STREAMS)
def test_every_split_into_two_or_characters_gives_the_same_answer(turn: Turn, text: str) -> None:
    assert_same(turn, list(text))
    for cut in range(len(text) + 1):
        assert_same(turn, [text[:cut], text[cut:]])


@pytest.mark.req("CITE-3")
@pytest.mark.parametrize("text", ["x [S1]. y", "a [S1, S9] [S1](b)", "[S7] c, [S5], [S1]"])
def test_every_split_into_three_gives_the_same_answer(turn: Turn, text: str) -> None:
    for first, second in combinations(range(len(text) + 1), 2):
        assert_same(turn, [text[:first], text[first:second], text[second:]])


@pytest.mark.req("CITE-3")
def test_no_frame_shows_a_part_of_a_marker(turn: Turn) -> None:
    writer = CitationWriter(turn.get)
    for char in "Due in 45 days [S1, S3]. And 【S4】 [S9] then":
        writer.feed(char)
        assert not re.search(r"\[(?!halden|Order)|【|S\d", writer.answer.text)


@pytest.mark.req("CITE-3")
def test_ordinary_words_are_shown_at_once(turn: Turn) -> None:
    writer = CitationWriter(turn.get)
    for piece in ("Due", " within", " [Schedule", " A", "] (see", " 7.2", "), `x", "` or", " * y"):
        delta = writer.feed(piece)
        assert delta is not None
        assert delta.text.endswith(piece.strip())


PIECES = st.sampled_from(
    ["[S1]", "[S2]", "[S3]", "[S5]", "[S9]", "[S1, S9]", "【S4】", "[S", "]", " ", "  ", "\n", ",", ". ", "(", ")",
     "`", "45 days", "pay", "😀", "**", "[", "(a)", "\\", "\ue200cite\ue202x\ue201", "```\n", "é"]
)  # fmt: skip


@pytest.mark.req("CITE-3", "CITE-5")
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES, max_size=14), data=st.data())
def test_any_text_in_any_split_gives_the_same_answer(turn: Turn, pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    assert_same(turn, list(text))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    assert_same(turn, [text[low:high] for low, high in pairwise([0, *cuts, len(text)])])
    answer = written(turn, text)
    assert all(label.startswith("[") and label.endswith("]") for label in shown(answer))
    assert all(first.end < second.start for first, second in pairwise(answer.mentions))
