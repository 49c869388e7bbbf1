"""A few real contracts through the real thing: read, index, search, answer, cite. The full measurement is tests.bench."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.quality import Question, ingest, load
from workbench import bootstrap
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.domain.scope import Filters, build_scope
from workbench.settings import Settings

pytestmark = pytest.mark.corpus

CHOSEN = (
    "ship/mobimagic_pc_financial_service_agreement.pdf",
    "ship/watchguard_european_micro_distributor_agreement_1997.pdf",
    "ship/verticalnet_converge_maintenance_agreement_2001.pdf",
)


@pytest.fixture(scope="module")
def corpus() -> Path:
    named = os.environ.get("PINCITE_CORPUS")
    if not named:
        pytest.skip("PINCITE_CORPUS names no outside material, so the real contracts are not read")
    return Path(named)


@pytest.fixture(scope="module")
def bench(
    tmp_path_factory: pytest.TempPathFactory, sentence_embedder: SentenceTransformerEmbedder
) -> Iterator[bootstrap.Workbench]:
    made = bootstrap.build(Settings(home=tmp_path_factory.mktemp("home")), embedder=sentence_embedder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def questions(bench: bootstrap.Workbench, corpus: Path) -> list[Question]:
    access = bench.library.access(bootstrap.LOCAL_USER)
    documents = ingest(bench, access, [corpus / "contracts" / name for name in CHOSEN])
    assert all(document.searchable and document.page_count for document in documents.values())
    return [question for question in load(corpus, documents) if not question.absent]


@pytest.mark.req("FIND-3", "LIB-6")
def test_the_right_page_is_among_the_first_eight_passages_for_most_questions(
    bench: bootstrap.Workbench, questions: list[Question]
) -> None:
    access = bench.library.access(bootstrap.LOCAL_USER)
    containers = [container.id for container in bench.library.containers(access)]
    hits = 0
    for question in questions:
        scope = build_scope(access, containers, Filters(document_ids=(question.document,)))
        kept = bench.search.run(scope, question.text).kept
        assert {hit.chunk.document_id for hit in kept} <= {question.document}
        hits += any(question.pages & {segment.page for segment in hit.chunk.segments} for hit in kept)
    assert len(questions) >= 20
    assert hits / len(questions) >= 0.8


@pytest.mark.req("OPEN-3", "CITE-1")
def test_the_embedded_model_cites_a_right_page_for_most_questions(
    bench: bootstrap.Workbench, questions: list[Question]
) -> None:
    access = bench.library.access(bootstrap.LOCAL_USER)
    containers = [container.id for container in bench.library.containers(access)]
    right = 0
    questions = questions[::2]
    for question in questions:
        talk = bench.conversations.create(access, containers, Filters(document_ids=(question.document,)))
        turn = bench.turns.wait(access, bench.turns.ask(access, talk.id, question.text).id)
        right += bool(question.pages & {citation.page for citation in turn.answer.citations})
    assert right / len(questions) >= 0.6
