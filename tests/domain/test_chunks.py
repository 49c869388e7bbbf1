"""Chunks: a place in the text leads back to its page or pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.ids import ContainerId, DocumentId

pytestmark = pytest.mark.req("CITE-6")

PAGES = {4: "The Supplier shall deliver", 5: "the goods in May.", 6: "End."}
SEGMENTS = (Segment(page=4, start=4, end=26), Segment(page=5, start=0, end=17), Segment(page=6, start=0, end=4))


def chunk(*segments: Segment) -> Chunk:
    document = DocumentId("doc_1")
    return Chunk(
        id=chunk_id(document, 3),
        document_id=document,
        container_id=ContainerId("con_1"),
        ordinal=3,
        text="\n".join(PAGES[segment.page][segment.start : segment.end] for segment in segments),
        segments=segments,
    )


def test_pages_of_a_chunk() -> None:
    assert (chunk(*SEGMENTS).first_page, chunk(*SEGMENTS).last_page) == (4, 6)


@given(st.integers(0, 45), st.integers(0, 45))
def test_a_passage_maps_to_the_same_characters_of_its_pages(start: int, end: int) -> None:
    it = chunk(*SEGMENTS)
    found = [PAGES[segment.page][segment.start : segment.end] for segment in it.on_pages(start, end)]
    assert "".join(found) == it.text[start:end].replace("\n", "")


def test_the_joint_between_pages_is_on_no_page() -> None:
    assert chunk(*SEGMENTS).on_pages(22, 23) == ()


def test_the_context_line_is_indexed_with_the_text() -> None:
    it = chunk(SEGMENTS[2])
    assert it.indexed_text == "End."
    assert it.model_copy(update={"context": "MSA of Halden"}).indexed_text == "MSA of Halden\nEnd."


def test_ids_are_the_same_at_every_run_and_differ_by_ordinal() -> None:
    assert chunk_id(DocumentId("d"), 2) == chunk_id(DocumentId("d"), 2)
    assert chunk_id(DocumentId("d"), 2) < chunk_id(DocumentId("d"), 10)
