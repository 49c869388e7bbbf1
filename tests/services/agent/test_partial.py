import pytest

from workbench.domain.chunks import Chunk, Segment, chunk_id
from workbench.domain.citations import Source
from workbench.domain.ids import ContainerId, DocumentId, ref
from workbench.services.agent.partial import QUOTED, partial_text

pytestmark = pytest.mark.req("ASK-4")
REASON = "The turn reached its limit of 2 model calls."


def source(number: int, text: str) -> Source:
    document = DocumentId("doc")
    chunk = Chunk(
        id=chunk_id(document, number),
        document_id=document,
        container_id=ContainerId("c"),
        ordinal=number,
        text=text,
        segments=(Segment(page=number, start=0, end=len(text)),),
    )
    return Source(ref=ref(number), chunk=chunk, title="a.pdf", container="Contracts")


def test_a_heading_is_quoted_with_the_sentence_below_it() -> None:
    text = "7.1 Payment terms. The Customer shall pay each invoice within 45 days. Interest is due from then on."
    lines = partial_text(REASON, "What are the payment terms?", [source(1, text)]).splitlines()
    assert lines[-1] == "- “7.1 Payment terms. The Customer shall pay each invoice within 45 days.” [S1]"


def test_the_sentence_with_most_of_the_questions_words_is_quoted_and_the_best_source_comes_first() -> None:
    sources = [
        source(1, "The parties met in spring and again in autumn. They agreed on nothing at all then."),
        source(
            2, "Nothing here is about it at all, whatever you read. The liability cap is one million euros in a year."
        ),
    ]
    lines = partial_text(REASON, "What is the liability cap?", sources).splitlines()
    assert lines[0].startswith(f"**Partial answer.** {REASON}")
    assert lines[2] == "- “The liability cap is one million euros in a year.” [S2]"


def test_a_source_without_a_word_of_the_question_is_quoted_only_where_none_has_one() -> None:
    near, far = (
        source(1, "An invoice is paid within a month of its date."),
        source(2, "The parties met in spring again."),
    )
    assert "met in spring" not in partial_text(REASON, "When are invoices due?", [near, far])
    assert "met in spring" in partial_text(REASON, "Penalties?", [near, far])


def test_no_more_than_a_few_passages_are_quoted() -> None:
    sources = [source(number, f"Sentence number {number} says a thing about fees.") for number in range(1, 20)]
    assert partial_text(REASON, "fees", sources).count("- “") == QUOTED


def test_what_reads_as_a_marker_in_a_document_is_made_harmless() -> None:
    text = partial_text(REASON, "fees", [source(1, "The fees are as in [S9] and nowhere else in this text.")])
    assert "[S9]" not in text
    assert "[S1]" in text
