"""The sample contracts: the forty questions and the shipped suites, asked of the embedded model and of a playbook."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.acceptance.broken_loops import FAULTS
from tests.acceptance.scripts import SCRIPTS
from tests.playbook import PlaybookModel, Scripts
from workbench import bootstrap
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.bootstrap import Workbench
from workbench.domain.conversations import Turn
from workbench.domain.eval_results import metrics, verdict
from workbench.domain.evals import EvalLog
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.scope import Access
from workbench.services.evals.prepare import EVALUATION
from workbench.settings import Settings

Playing = Callable[[str, Scripts], EvalLog]
RULES = {"known_sources", "one_rewrite", "rewrite_wired", "no_repeated_search", "within_budget", "nothing_after_answer"}
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
def bench(
    tmp_path_factory: pytest.TempPathFactory, sentence_embedder: SentenceTransformerEmbedder
) -> Iterator[Workbench]:
    """The whole of it, with the sample contracts once a suite has asked for them."""
    made = bootstrap.build(Settings(home=tmp_path_factory.mktemp("home")), embedder=sentence_embedder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def run(bench: Workbench) -> Callable[[str], EvalLog]:
    """Return a function that runs a shipped suite, each at most once."""
    return cache(lambda suite: bench.evals.run(bench.library.access(bootstrap.LOCAL_USER), suite))


@pytest.fixture(scope="module")
def answers(bench: Workbench, run: Callable[[str], EvalLog]) -> list[Answered]:
    access = Access(user_id=EVALUATION, containers=frozenset())
    turns = {each.sample_id: each.turn_id for each in run("grounding").samples}
    return [Answered(row, bench.conversations.turn(access, turns[row["id"]])) for row in QUESTIONS]


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


# --- the shipped suites ----------------------------------------------------------------------------------------------


def test_the_grounding_suite_asks_the_forty_questions(bench: Workbench) -> None:
    samples = {each.id: each for each in bench.evals.suites.read("grounding").sample}
    assert {key: each.question for key, each in samples.items()} == {row["id"]: row["question"] for row in QUESTIONS}
    for row in QUESTIONS:
        pages = {(place.document, page) for place in samples[row["id"]].expect.cites for page in place.pages}
        assert pages <= {(place["file"], place["page"]) for place in row["documents"]}


@pytest.mark.req("EVAL-1")
@pytest.mark.parametrize("suite", ["grounding", "safety", "budgets"])
def test_the_embedded_model_passes(suite: str, run: Callable[[str], EvalLog]) -> None:
    log = run(suite)
    assert verdict(log).passed, (verdict(log).reasons, missed(log))
    rules = {metric.name: metric.mean for metric in metrics(log) if metric.name in RULES}
    assert {mean for mean in rules.values() if mean is not None} == {1.0}, rules


@pytest.mark.req("EVAL-1")
def test_the_embedded_model_routes_all_but_a_list_that_is_also_a_question(run: Callable[[str], EvalLog]) -> None:
    log = run("routing")
    assert missed(log).keys() <= {"list-and-ask"}, missed(log)


@pytest.mark.req("EVAL-1")
@pytest.mark.parametrize("suite", ["routing", "budgets", "safety"])
def test_a_model_that_does_as_it_should_passes(suite: str, bench: Workbench, playing: Playing) -> None:
    log = playing(suite, SCRIPTS)
    assert verdict(log).passed, missed(log)
    if suite == "routing":
        weak = next(each for each in log.samples if each.sample_id == "weak-result")
        assert {score.scorer: score.value for score in weak.scores}["broadens"] == 1.0


@pytest.mark.req("EVAL-1")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_loop_is_caught(fault: str, playing: Playing, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = FAULTS[fault]
    broken.breaking(monkeypatch)
    log = playing(broken.suite, SCRIPTS | broken.scripts)
    assert not verdict(log).passed
    failed = {scorer for scorers in missed(log).values() for scorer in scorers}
    assert broken.scorer in failed, missed(log)


def test_stored_turns_are_replayed(bench: Workbench, run: Callable[[str], EvalLog]) -> None:
    access = bench.library.access(bootstrap.LOCAL_USER)
    turns = [each.turn_id for each in run("budgets").samples]
    replayed = [bench.replay.run(access, turn) for turn in turns if turn is not None]
    assert len(replayed) == len(turns)
    assert [each.difference for each in replayed if not each.same] == []


@pytest.fixture
def playing(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Playing:
    """Return a function that runs a suite on a model that plays scripts."""

    def play(suite: str, scripts: Scripts) -> EvalLog:
        monkeypatch.setattr(bench.evals, "_models", lambda name: PlaybookModel(scripts))
        return bench.evals.run(bench.library.access(bootstrap.LOCAL_USER), suite)

    return play


def missed(log: EvalLog) -> dict[str, list[str]]:
    """Return the samples that did not pass with the scorers that say so."""
    return {
        each.sample_id: [each.error or score.scorer for score in each.scores if score.value not in (None, 1.0)]
        or [each.error]
        for each in log.samples
        if each.passed is not True
    }
