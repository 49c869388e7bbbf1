from datetime import UTC, datetime

import pytest

from workbench.domain.documents import Container, Document
from workbench.domain.ids import ContainerId, DocumentId
from workbench.services.retrieval.notions import NOTIONS, notions_of, wording
from workbench.services.retrieval.understanding import LONGEST, Understood, understand

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BOXES = [
    Container(id=ContainerId("a"), name="Project Heron", created_at=NOW),
    Container(id=ContainerId("b"), name="Insurance", created_at=NOW),
]
SHELF = [
    Document(id=DocumentId(name), container_id=ContainerId("a"), name=f"{name}.pdf", uploaded_at=NOW)
    for name in ("borvik", "cestra")
]


def read(query: str, *, chosen: bool = False) -> Understood:
    return understand(query, SHELF, BOXES, lambda _: [], chosen=chosen)


@pytest.mark.req("FIND-3")
@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What is the cap on liability?", "aggregate"),
        ("Which law applies?", "construed"),
        ("Is the deal exclusive?", "territory"),
        ("late payment", "overdue"),
    ],
)
def test_the_usual_wording_of_a_notion_is_searched_for_as_well(question: str, word: str) -> None:
    understood = read(question)
    assert word not in question
    assert word in understood.also.split()
    assert understood.text == question
    assert understood.asked == f"{question} {understood.also}"


def test_a_question_about_no_notion_stays_as_it_is() -> None:
    assert read("colour of the uniforms") == Understood(
        "colour of the uniforms", exact=read("colour of the uniforms").exact
    )
    assert read("colour of the uniforms").asked == "colour of the uniforms"


def test_what_is_worded_like_the_documents_gets_no_more_words() -> None:
    assert all(read(notion.terms).also == "" for notion in NOTIONS if notion in notions_of(notion.terms))


def test_a_quoted_phrase_is_not_surrounded_by_other_words() -> None:
    assert read('"limitation of liability"').asked == "limitation of liability"


def test_a_wider_notion_gives_way_to_a_narrower_one() -> None:
    names = [notion.name for notion in notions_of("How much notice stops the renewal?")]
    assert "notice against renewal" in names
    assert "renewal" not in names


def test_every_notion_gives_way_to_existing_ones_and_brings_words() -> None:
    names = {notion.name for notion in NOTIONS}
    assert len(names) == len(NOTIONS)
    assert all(set(notion.over) <= names and wording([notion]) for notion in NOTIONS)


def test_what_the_engines_are_asked_is_bounded() -> None:
    assert len(read("liability " * 500).asked) <= LONGEST


@pytest.mark.req("FIND-2")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("fees in project heron", "fees in"),
        ("premiums of Insurance", "premiums of"),
        ("insurance cover", "insurance cover"),
        ("Insurance cover", "Insurance cover"),
        ("Project Heron", "Project Heron"),
    ],
)
def test_the_name_of_a_chosen_container_is_taken_out_where_it_is_written_as_one(query: str, text: str) -> None:
    assert read(query).text == text


@pytest.mark.req("FIND-2")
def test_names_of_documents_that_the_scope_lists_are_taken_out() -> None:
    assert read("borvik fees", chosen=True).text == "fees"
