"""The forty questions of the sample contracts, asked of the embedded model through the whole of the real thing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from workbench import bootstrap
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.domain.conversations import Turn
from workbench.domain.results import ResultType, TurnStatus
from workbench.settings import Settings

QUESTIONS = [
    json.loads(line) for line in (bootstrap.SAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]


class Answered(NamedTuple):
    """A question of the file with the turn that answered it, and the number of pages in that turn that are right."""

    row: dict[str, Any]
    turn: Turn

    @property
    def wanted(self) -> set[tuple[str, int]]:
        return {(place["file"], place["page"]) for place in self.row["documents"]}

    @property
    def cited(self) -> set[tuple[str, int]]:
        return {(citation.document, citation.page) for citation in self.turn.answer.citations}

    @property
    def suppliers_right(self) -> float:
        """The share of the wanted documents of which a right page is cited."""
        files = {file for file, _ in self.wanted}
        return len({file for file, _ in self.wanted & self.cited}) / len(files)


@pytest.fixture(scope="module")
def answers(
    tmp_path_factory: pytest.TempPathFactory, sentence_embedder: SentenceTransformerEmbedder
) -> Iterator[list[Answered]]:
    home: Path = tmp_path_factory.mktemp("home")
    bench = bootstrap.build(Settings(home=home), embedder=sentence_embedder)
    container, outcomes = bench.ingestion.load_samples(bench.library.access(bootstrap.LOCAL_USER), bench.samples)
    bench.ingestion.wait([outcome.document_id for outcome in outcomes if outcome.document_id])
    access = bench.library.access(bootstrap.LOCAL_USER)
    done = []
    for row in QUESTIONS:
        talk = bench.conversations.create(access, [container.id])
        turn = bench.turns.wait(access, bench.turns.ask(access, talk.id, row["question"]).id)
        done.append(Answered(row, turn))
    yield done
    bench.close()


def of_kind(answers: list[Answered], *kinds: str) -> list[Answered]:
    return [answer for answer in answers if answer.row["kind"] in kinds]


@pytest.mark.req("LIB-10", "OPEN-3")
def test_every_question_is_answered_within_its_limits(answers: list[Answered]) -> None:
    assert len(answers) == 40
    assert {answer.turn.status for answer in answers} == {TurnStatus.ANSWERED}


@pytest.mark.req("CITE-1", "CITE-6")
def test_most_single_questions_cite_a_right_page_of_the_right_document(answers: list[Answered]) -> None:
    single = of_kind(answers, "single", "figure", "table", "amended")
    right = [answer for answer in single if answer.wanted & answer.cited]
    missed = [answer.row["id"] for answer in single if answer not in right]
    assert len(right) / len(single) >= 0.85, missed


@pytest.mark.req("TOOL-2", "CITE-1")
def test_comparisons_cite_each_supplier(answers: list[Answered]) -> None:
    shares = {answer.row["id"]: answer.suppliers_right for answer in of_kind(answers, "compare")}
    assert sum(shares.values()) / len(shares) >= 0.8, shares


@pytest.mark.req("ASK-15")
def test_what_is_not_in_the_documents_is_not_made_up(answers: list[Answered]) -> None:
    for answer in of_kind(answers, "absent"):
        assert not answer.cited, answer.row["id"]


@pytest.mark.req("TOOL-7")
def test_a_vague_question_is_answered_with_a_question(answers: list[Answered]) -> None:
    (vague,) = of_kind(answers, "vague")
    assert vague.turn.result_type is ResultType.CLARIFICATION
    assert "?" in vague.turn.answer.text


@pytest.mark.req("CITE-5", "CITE-7")
def test_every_quote_of_the_embedded_model_is_located_on_its_page(answers: list[Answered]) -> None:
    mentions = [mention for answer in answers for mention in answer.turn.answer.mentions]
    located = [mention for mention in mentions if mention.spans]
    assert len(mentions) > 50
    assert len(located) / len(mentions) >= 0.97
