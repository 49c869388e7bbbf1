"""Highlights: boxes on the right pages, and a note rather than a wrong box."""

import re

import pytest

from workbench.domain.citations import CitedAnswer, Source
from workbench.domain.ids import DocumentId, Ref
from workbench.domain.pages import Box, Page, Word
from workbench.services.citations.highlights import NOT_LOCATED, Highlights
from workbench.services.citations.writer import CitationWriter

pytestmark = pytest.mark.req("CITE-7")

Pages = dict[tuple[DocumentId, int], Page]


def page(number: int, text: str, width: int = 10) -> Page:
    """A page with one word a line, each ``width`` points wide and 10 high, 20 points apart."""
    words = [
        Word(match.start(), match.end(), 0, 20 * line, width, 20 * line + 10)
        for line, match in enumerate(re.finditer(r"\S+", text))
    ]
    return Page(number=number, text=text, words=tuple(words))


@pytest.fixture
def pages(turn: dict[Ref, Source]) -> Pages:
    """The pages on which the turn's sources stand, each source at its offset."""
    texts: dict[tuple[DocumentId, int], str] = {}
    for source in turn.values():
        for segment in source.chunk.segments:
            key = (source.chunk.document_id, segment.page)
            found = source.chunk.on_pages(0, len(source.chunk.text))
            length = sum(s.end - s.start + 1 for s in found if s.page < segment.page)
            text = source.chunk.text[length : length + segment.end - segment.start]
            texts[key] = texts.get(key, "").ljust(segment.start) + text
    return {key: page(key[1], text) for key, text in texts.items()}


def highlights(pages: Pages) -> Highlights:
    return Highlights(lambda document_id, number: pages.get((document_id, number)))


def answer(turn: dict[Ref, Source], text: str) -> CitedAnswer:
    writer = CitationWriter(turn.get)
    writer.feed(text)
    writer.finish()
    return writer.answer


def words_under(page: Page, boxes: tuple[Box, ...]) -> str:
    return " ".join(page.text[word.start : word.end] for word in page.words if Box(*word[2:]) in boxes)


def test_the_boxes_lie_on_the_words_of_the_passage(turn: dict[Ref, Source], pages: Pages) -> None:
    it = answer(turn, "Late payment costs 4% interest [S1].")
    (found,) = highlights(pages).of_mention(it, it.mentions[0])
    assert (found.page, found.note) == (5, "")
    assert words_under(pages[DocumentId("doc_halden"), 5], found.boxes) == it.mentions[0].quote


def test_a_passage_over_a_page_break_is_marked_on_both_pages(turn: dict[Ref, Source], pages: Pages) -> None:
    it = answer(turn, "The Supplier indemnifies the Customer against claims of patent or copyright infringement [S3].")
    found = highlights(pages).of_mention(it, it.mentions[0])
    assert [each.page for each in found] == [6, 7]
    assert words_under(pages[DocumentId("doc_halden"), 6], found[0].boxes).endswith("claims of third parties")
    assert words_under(pages[DocumentId("doc_halden"), 7], found[1].boxes).startswith("that the services")


def test_a_passage_that_was_not_located_gives_a_note_and_no_box(turn: dict[Ref, Source], pages: Pages) -> None:
    it = answer(turn, "Invoices are due within 54 days [S1].")
    (found,) = highlights(pages).of_mention(it, it.mentions[0])
    assert (found.page, found.boxes, found.note) == (5, (), NOT_LOCATED)


def test_a_missing_page_gives_a_note(turn: dict[Ref, Source]) -> None:
    it = answer(turn, "Late payment costs 4% interest [S1].")
    (found,) = highlights({}).of_mention(it, it.mentions[0])
    assert (found.page, found.boxes) == (5, ())
    assert "no longer stored" in found.note


@pytest.mark.parametrize("change", [lambda text: f"A new preamble. {text}", lambda text: text[:40], lambda text: ""])
def test_a_page_that_was_read_anew_is_not_marked_at_old_places(turn: dict[Ref, Source], pages: Pages, change) -> None:  # type: ignore[no-untyped-def]
    key = (DocumentId("doc_halden"), 5)
    it = answer(turn, "Late payment costs 4% interest [S1].")
    changed = {**pages, key: page(5, change(pages[key].text))}
    (found,) = highlights(changed).of_mention(it, it.mentions[0])
    assert found.boxes == ()
    assert "has changed" in found.note


def test_a_page_without_word_boxes_gives_a_note(turn: dict[Ref, Source], pages: Pages) -> None:
    key = (DocumentId("doc_halden"), 5)
    it = answer(turn, "Late payment costs 4% interest [S1].")
    bare = {**pages, key: pages[key].model_copy(update={"words": ()})}
    assert highlights(bare).of_mention(it, it.mentions[0])[0].note == NOT_LOCATED


def test_all_highlights_of_an_answer_on_one_document(turn: dict[Ref, Source], pages: Pages) -> None:
    it = answer(
        turn,
        "Invoices are due in 45 days [S1], late payers owe interest of 4% [S1]. Disputed amounts may be withheld [S2]. "
        "In the other agreement it is 60 days [S5]. Claims of patent infringement are indemnified by the Supplier [S3].",
    )
    found = highlights(pages).for_answer(it, DocumentId("doc_halden"))
    assert [each.page for each in found][:2] == [5, 6]
    marked = words_under(pages[DocumentId("doc_halden"), 5], found[0].boxes)
    assert all(word in marked for word in ("forty-five", "4%", "withhold"))
    assert len(found[0].boxes) == len(set(found[0].boxes))
    assert [each.page for each in highlights(pages).for_answer(it, DocumentId("doc_other"))] == [2]
    assert highlights(pages).for_answer(it, DocumentId("doc_unknown")) == []
