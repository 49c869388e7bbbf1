"""Chunks are exact slices of pages, of bounded length, that cover everything."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.domain.chunks import Chunk, ChunkKind
from workbench.domain.documents import Document
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.pages import Bookmark, Box, Page, PageTable, TableCell
from workbench.domain.tags import Tag
from workbench.services.ingestion.chunking import chunk

pytestmark = pytest.mark.req("FIND-6", "CITE-6")
DOCUMENT = Document(
    id=DocumentId("doc_1"),
    container_id=ContainerId("con_1"),
    name="supply.pdf",
    title="Supply Agreement",
    tags=(Tag(key="supplier", value="Halden"),),
    uploaded_at=datetime(2026, 1, 5, tzinfo=UTC),
)


def count(texts: Sequence[str]) -> list[int]:
    """Count as models do: a token for each five characters of a word, and two marks around the text."""
    return [2 + sum(-(-len(word) // 5) for word in text.split()) for text in texts]


def chunks(*texts: str, limit: int = 40) -> list[Chunk]:
    return chunk(DOCUMENT, [Page(number=n, text=text) for n, text in enumerate(texts, start=1)], count, limit)


def sentence(number: int) -> str:
    return f"Sentence number {number} says what is due."


WORDS = st.sampled_from(
    ["Supplier", "pays", "shall.", "7.2", "(a)", "ARTICLE", "x" * 90, "Ltd.", "costs;", "the", "契約。"]
)
PAGES = st.lists(
    st.lists(st.tuples(WORDS, st.sampled_from([" ", " ", "\n", "\n\n", "\t", "  "])), max_size=60).map(
        lambda pairs: "".join(word + space for word, space in pairs)
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=200, deadline=None)
@given(pages=PAGES, limit=st.integers(min_value=8, max_value=60))
def test_chunks_are_slices_within_the_limit_that_cover_all(pages: list[str], limit: int) -> None:
    found = chunks(*pages, limit=limit)
    covered = [bytearray(len(text)) for text in pages]
    for each in found:
        assert each.text == "\n".join(pages[s.page - 1][s.start : s.end] for s in each.segments)
        assert count([each.text])[0] - 2 <= limit
        assert [s.page for s in each.segments] == sorted({s.page for s in each.segments})
        for s in each.segments:
            covered[s.page - 1][s.start : s.end] = b"\x01" * (s.end - s.start)
    for text, marks in zip(pages, covered, strict=True):
        assert all(mark or character.isspace() for mark, character in zip(marks, text, strict=True))
    assert [each.ordinal for each in found] == list(range(len(found)))


def test_paragraphs_stay_whole_and_pages_apart() -> None:
    paragraphs = [" ".join(sentence(n) for n in range(start, start + 2)) for start in range(0, 8, 2)]
    found = chunks("\n\n".join(paragraphs[:3]), paragraphs[3])
    assert [each.text for each in found] == ["\n\n".join(paragraphs[:2]), paragraphs[2], paragraphs[3]]
    assert [(each.first_page, each.last_page) for each in found] == [(1, 1), (1, 1), (2, 2)]


def test_a_long_paragraph_is_cut_between_sentences_and_overlaps() -> None:
    found = chunks(" ".join(sentence(n) for n in range(12)))
    assert len(found) > 1
    for before, after in pairwise(found):
        assert before.text.endswith(".")
        repeated = before.segments[-1].end - after.segments[0].start
        assert repeated > 0
        assert after.text.startswith(before.text[-repeated:])


def test_a_sentence_over_a_page_break_has_both_pages() -> None:
    found = chunks(
        f"{sentence(1)} The Supplier may not", f"suspend the Services for late payment. {sentence(2)}\n\n{sentence(3)}"
    )
    across = next(each for each in found if len(each.segments) == 2)
    assert "The Supplier may not\nsuspend the Services for late payment." in across.text
    assert [(s.page) for s in across.segments] == [1, 2]
    start = across.text.index("suspend")
    assert [s.page for s in across.on_pages(start, start + 7)] == [2]


def test_a_clause_at_the_top_of_a_page_is_no_continuation() -> None:
    tail = "This provision of the agreement ends its page without a full stop at the end"
    assert all(len(each.segments) == 1 for each in chunks(tail, "7.2 The Supplier shall pay."))


def test_an_endless_word_is_cut() -> None:
    found = chunks("x" * 1000)
    assert "".join(each.text for each in found) == "x" * 1000
    assert len(found) > 1


def test_the_context_line_names_title_supplier_and_section() -> None:
    text = f"{sentence(1)} {sentence(2)}"
    found = chunks(f"7. LIMITATION OF LIABILITY\n\n7.1 {text}\n\n8. Payment Terms\n\n8.1 {text}", limit=25)
    assert found[0].context == "Supply Agreement | Supplier: Halden | Section 7 Limitation of Liability"
    assert found[-1].context == "Supply Agreement | Supplier: Halden | Section 8 Payment Terms"


def test_a_heading_does_not_end_a_chunk() -> None:
    body = " ".join(sentence(n) for n in range(2))
    found = chunks(f"7.1 {body}\n\n7.2 Late Payment\n\n{body}", limit=26)
    assert [each.text.startswith("7.2 Late Payment") for each in found] == [False, True]


def test_a_chunk_with_several_short_sections_names_them_all() -> None:
    found = chunks("3. Notices\n\nBy post.\n\n4. Language\n\nEnglish.", limit=40)
    assert len(found) == 1
    assert found[0].context.endswith("Section 3 Notices | Section 4 Language")


def test_the_context_line_is_never_longer_than_its_limit() -> None:
    document = DOCUMENT.model_copy(update={"title": "word " * 400})
    found = chunk(document, [Page(number=1, text=f"7. Payment\n\n{sentence(1)}")], count)
    assert all(count([each.context])[0] - 2 <= 48 for each in found)


def test_rows_of_a_long_table_stay_whole_under_their_header() -> None:
    rows = ["Item\tUnits\tPrice", *[f"Part {n}\t{n * 3}\t{n}.50" for n in range(40)]]
    found = chunks("\n".join(rows))
    assert len(found) > 2
    assert [line for each in found for line in each.text.split("\n")] == rows
    assert "Columns" not in found[0].context
    assert all(each.context.endswith("Columns: Item, Units, Price") for each in found[1:])


def test_a_table_over_a_page_break_keeps_its_header() -> None:
    first = "\n".join(["Item\tQ1\tQ2", "Pump\t1\t2"])
    found = chunks(first, "\n".join(["Cable\t3\t4", "Hose\t5\t6"]))
    assert found[1].segments[0].page == 2
    assert found[1].context.endswith("Columns: Item, Q1, Q2")


def test_annexes_in_a_list_are_not_the_section_of_what_follows() -> None:
    contents = "\n\n".join(["Schedule A Services", "Schedule B Charges", "Schedule C Sites"])
    body = f"1. Definitions\n\n1.1 {sentence(1)}"
    assert "Schedule C" not in chunks(contents, body)[-1].context


def test_abbreviations_end_no_sentence() -> None:
    text = " ".join(f"Acme Inc. Delaware pays fee No. {n} under Sec. 4 to the Agent." for n in range(6))
    assert all(each.text.startswith("Acme Inc. Delaware") for each in chunks(text, limit=30))


@pytest.mark.parametrize("pages", [[], [""], ["  \n\n "]])
def test_nothing_gives_no_chunks(pages: list[str]) -> None:
    assert chunks(*pages) == []


def table(text: str, *rows: str, header: bool = True, continues: bool = False) -> Page:
    """Return a page that begins with ``text`` and ends in a table of ``rows``, their cells parted by tabs."""
    whole = "\n\n".join(part for part in (text, "\n".join(rows)) if part)
    start = whole.index("\n".join(rows))
    cells: list[tuple[TableCell, ...]] = []
    for row in rows:
        found = [(n, cell) for n, cell in enumerate(row.split("\t"), start=1)]
        places = [start + sum(len(each) + 1 for _, each in found[: n - 1]) for n, _ in found]
        cells.append(
            tuple(TableCell(n, at, at + len(cell)) for (n, cell), at in zip(found, places, strict=True) if cell)
        )
        start += len(row) + 1
    grid = PageTable(box=Box(0, 0, 9, 9), rows=tuple(cells), header_rows=int(header), continues=continues)
    return Page(number=2 if continues else 1, text=whole, tables=(grid,))


ITEMS = [f"Pump model {n}\t{n * 3}\t{n * 100}" for n in range(1, 31)]


@pytest.mark.req("LIB-6")
def test_every_piece_of_a_table_names_its_columns_also_on_the_next_page() -> None:
    first = table("The prices are these.", "Item\tUnits\tPrice", *ITEMS[:15])
    second = table("", *ITEMS[15:], header=False, continues=True)
    found = [each for each in chunk(DOCUMENT, [first, second], count, 40) if "Pump" in each.text]
    assert len(found) > 3
    assert all("Item\tUnits" in each.text or "Columns: Item, Units, Price" in each.context for each in found)
    assert {each.kind for each in found[1:]} == {ChunkKind.TABLE}
    value = next(each for each in found if "Pump model 28" in each.text)
    assert value.first_page == value.last_page == 2


@pytest.mark.req("LIB-6")
def test_a_header_repeated_on_the_next_page_is_taken_as_such() -> None:
    first = table("", "Item\tUnits\tPrice", *ITEMS[:3])
    second = table("", "Item\tUnits\tPrice", *ITEMS[3:6], continues=True)
    found = chunk(DOCUMENT, [first, second], count, 200)
    assert [each.text.count("Item\tUnits") for each in found] == [1, 1]


@pytest.mark.req("LIB-6")
def test_long_names_of_columns_are_not_cut_short() -> None:
    names = (
        "Description of the equipment delivered\tQuarterly amount payable in euros\tResponsible department of the buyer"
    )
    found = chunk(DOCUMENT, [table("", names, *ITEMS)], count, 60)
    assert len(found) > 2
    assert all(each.context.endswith(names.replace("\t", ", ")) for each in found[1:])


@pytest.mark.req("LIB-6")
def test_an_empty_first_cell_keeps_its_place() -> None:
    found = chunk(DOCUMENT, [table("Sales.", "\tNorth\tSouth", "2024\t10\t20", "\t11\t21")], count, 200)
    assert "\n\tNorth\tSouth\n2024\t10\t20\n\t11\t21" in found[0].text


def test_bookmarks_name_sections_that_do_not_look_like_headings() -> None:
    marks = (Bookmark(level=1, title="how we are paid"), Bookmark(level=2, title="late money"))
    page = Page(
        number=1,
        text="how we are paid\n\nThe fee is due in May.\n\nlate money: interest runs at once and is owed.",
        bookmarks=marks,
    )
    found = chunk(DOCUMENT, [page], count, 40)
    assert "how we are paid" in found[0].context
    plain = chunk(DOCUMENT, [page.model_copy(update={"bookmarks": ()})], count, 40)
    assert "how we are paid" not in plain[0].context
