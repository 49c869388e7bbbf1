"""Running suites over the small library: epochs, bounds, ceilings, scope, stored runs, and samples of turns."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.playbook import search
from tests.services.conftest import ACCESS, CONTRACTS, Bench
from tests.services.evals.conftest import ADMIN, Evaluating
from workbench.adapters.fakes.scripted_model import say
from workbench.domain.budgets import DEFAULT_PROFILES
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.eval_results import metrics, verdict
from workbench.domain.evals import RunState, SampleLog
from workbench.domain.ids import RunId, UserId
from workbench.domain.scope import Access
from workbench.services.evals import runner
from workbench.services.evals.prepare import EVALUATION
from workbench.services.evals.runner import Plan

Make = Callable[..., Evaluating]

HEAD = 'containers = ["Contracts"]\n'
PAYMENT, CAP = "When is Orbex paid?", "What is the liability cap of Orbex?"
SUITE = (
    HEAD
    + f"""
[[sample]]
id = "payment"
question = "{PAYMENT}"
[sample.expect]
figures = ["45 days"]
cites = [{{ document = "orbex.pdf", pages = [2] }}]

[[sample]]
id = "cap"
question = "{CAP}"
[sample.expect]
figures = ["EUR 500,000"]
"""
)
RIGHT = {
    PAYMENT: [search("payment terms invoice days of receipt"), say("Within 45 days [S1].")],
    CAP: [search("liability cap contract year"), say("EUR 500,000 a year [S1].")],
}
WRONG = RIGHT | {CAP: [search("liability cap contract year"), say("EUR 600,000 a year [S1].")]}


@pytest.mark.req("EVAL-1")
def test_a_suite_is_run_scored_and_kept(evaluating: Make) -> None:
    made = evaluating(WRONG)
    log = made.evals.run(ACCESS, made.write("small", SUITE))
    assert [(each.sample_id, each.passed) for each in log.samples] == [("payment", True), ("cap", False)]
    (wrong,) = [score for score in log.samples[1].scores if score.value == 0.0]
    assert (wrong.scorer, wrong.explanation) == ("figures", "Not among the figures of the answer: EUR 500,000.")
    assert (log.model, log.state, log.versions.prompt) == ("playbook", RunState.FINISHED, "test-1")
    assert made.evals.log(ACCESS, log.id) == log
    assert made.evals.logs(ACCESS, "small") == [log]


@pytest.mark.req("EVAL-4")
def test_each_epoch_asks_every_sample_anew(evaluating: Make) -> None:
    made = evaluating(RIGHT)
    log = made.evals.run(ACCESS, made.write("small", SUITE), Plan(epochs=3))
    assert [(each.epoch, each.sample_id) for each in log.samples] == [
        (epoch, sample) for epoch in (1, 2, 3) for sample in ("payment", "cap")
    ]
    assert len({each.turn_id for each in log.samples}) == 6
    passed = metrics(log)[0]
    assert (passed.mean, passed.standard_error) == (1.0, 0.0)


def test_the_seed_decides_the_order(evaluating: Make) -> None:
    made = evaluating(RIGHT)
    dataset = made.evals.suites.read(made.write("many", HEAD + "".join(_block(n) for n in range(12))))
    orders = {seed: [sample.id for sample, _ in Plan(seed=seed).order(dataset)] for seed in (0, 0, 1)}
    again = [sample.id for sample, _ in Plan(seed=1).order(dataset)]
    assert orders[1] == again != orders[0]
    assert sorted(again) == sorted(sample.id for sample in dataset.sample)


def test_no_more_samples_are_asked_at_a_time_than_allowed(evaluating: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    both, free = threading.Barrier(2, timeout=20), threading.Semaphore(2)
    within = list[bool]()

    def asked(self: Any, prepared: Any, dataset: Any, sample: Any, epoch: int, model: Any) -> SampleLog:
        within.append(free.acquire(blocking=False))
        both.wait()  # two are at work at the same moment, and a third would find nothing free
        free.release()
        return SampleLog(sample_id=sample.id, epoch=epoch)

    monkeypatch.setattr(runner.Runner, "_asked", asked)
    made = evaluating(RIGHT)
    made.evals.run(ACCESS, made.write("many", HEAD + "".join(_block(n) for n in range(20))), Plan(parallel=2))
    assert within == [True] * 20


def test_progress_is_told_after_every_sample(evaluating: Make) -> None:
    made, told = evaluating(RIGHT), list[tuple[int, int]]()
    plan = Plan(epochs=2)
    made.evals.run(ACCESS, made.write("small", SUITE), plan, progress=lambda done, total, _: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_no_sample_begins_once_the_money_is_spent(evaluating: Make) -> None:
    made = evaluating(RIGHT, price=0.25)  # two calls a sample
    log = made.evals.run(ACCESS, made.write("small", SUITE), Plan(epochs=3, parallel=1, ceiling=1.0))
    assert (log.state, len(log.samples), log.cost) == (RunState.CEILING, 2, 1.0)
    assert not verdict(log).passed


def test_a_ceiling_that_cannot_be_kept_is_refused_before_anything_is_asked(evaluating: Make) -> None:
    made = evaluating(RIGHT, price=None)
    with pytest.raises(PinciteError, match="No price of playbook is known"):
        made.evals.run(ACCESS, made.write("small", SUITE), Plan(ceiling=1.0))
    assert made.runs.runs() == []


def test_a_turn_that_breaks_off_is_an_error_and_no_zero(evaluating: Make) -> None:
    made = evaluating(RIGHT | {CAP: [search("liability cap")]})
    log = made.evals.run(ACCESS, made.write("small", SUITE))
    broken = log.samples[1]
    assert (broken.valid, broken.value, broken.scores) == (False, None, ())
    assert "The turn ended as failed" in broken.error
    assert metrics(log)[0].mean == 1.0
    assert not verdict(log).passed


def test_earlier_questions_are_asked_in_the_same_talk_and_only_the_last_is_scored(evaluating: Make) -> None:
    made = evaluating(RIGHT)
    text = SUITE.replace(f'question = "{CAP}"', f'question = "{CAP}"\nearlier = ["{PAYMENT}"]')
    log = made.evals.run(ACCESS, made.write("talk", text))
    talk = made.store.turns(log.samples[1].conversation_id)
    assert [turn.question for turn in talk] == [PAYMENT, CAP]
    assert log.samples[1].turn_id == talk[1].id
    assert log.samples[1].passed


def test_talks_of_evaluation_stand_in_nobodys_list(evaluating: Make) -> None:
    made = evaluating(RIGHT)
    log = made.evals.run(ACCESS, made.write("small", SUITE))
    assert made.conversations.list(ACCESS) == []
    talk = made.store.conversation(log.samples[0].conversation_id)
    assert (talk.user_id, talk.title) == (EVALUATION, "small: payment")


def test_a_sample_sees_what_its_user_sees_and_only_an_administrator_asks_as_another(evaluating: Make) -> None:
    question = "What does the board pay?"
    made = evaluating({question: [search("secret payment terms board"), say("90 days [S1].")]})
    block = f'[[sample]]\nid = "board"\nquestion = "{question}"\nuser = "board"\ncontainers = ["Board"]\n'
    suite = made.write("board", block + '[sample.expect]\ncites = [{ document = "secret.pdf" }]\n')
    (refused,) = made.evals.run(ACCESS, suite).samples
    assert "only an administrator may" in refused.error
    assert made.evals.run(Access(user_id=UserId("board"), containers=frozenset()), suite).samples[0].passed
    assert made.evals.run(ADMIN, suite).samples[0].passed


def test_a_container_that_is_not_the_users_is_told_and_nothing_is_asked(evaluating: Make) -> None:
    made = evaluating(RIGHT)
    (sample, _) = made.evals.run(ACCESS, made.write("small", SUITE.replace("Contracts", "Board"))).samples
    assert "There is no container 'Board'" in sample.error
    assert sample.turn_id is None


def test_limits_of_a_sample_replace_those_of_the_profile(evaluating: Make) -> None:
    made = evaluating(RIGHT)
    text = SUITE.replace(f'question = "{CAP}"', f'question = "{CAP}"\nlimits = {{ model_calls = 1 }}')
    text = text.replace('figures = ["EUR 500,000"]', 'stops_at = "model_calls"')
    log = made.evals.run(ACCESS, made.write("small", text))
    assert [each.passed for each in log.samples] == [True, True]


@pytest.mark.req("EVAL-4")
def test_two_runs_are_compared_by_their_ids(evaluating: Make) -> None:
    good = evaluating(RIGHT)
    bad = evaluating(WRONG, store=good.store, runs=good.runs)
    first = good.evals.run(ACCESS, good.write("small", SUITE))
    second = bad.evals.run(ACCESS, "small")
    compared = bad.evals.compare(ACCESS, first.id, second.id)
    assert [flip.sample_id for flip in compared.flips] == ["cap"]
    assert compared.regression
    with pytest.raises(NotFound):
        bad.evals.compare(ACCESS, first.id, RunId("run_none"))


def test_stored_answers_are_scored_again_without_asking(evaluating: Make) -> None:
    made = evaluating(WRONG)
    first = made.evals.run(ACCESS, made.write("small", SUITE))
    silent = evaluating({}, store=made.store, runs=made.runs)
    same = [silent.evals.rescore(ACCESS, first.id) for _ in range(3)]
    assert {tuple(each.value for each in log.samples) for log in same} == {tuple(each.value for each in first.samples)}
    made.write("small", SUITE.replace("EUR 500,000", "EUR 600,000"))
    corrected = silent.evals.rescore(ACCESS, first.id)
    assert [each.passed for each in corrected.samples] == [True, True]
    assert corrected.rescored == first.id
    assert corrected.suite_hash != first.suite_hash


def test_an_answer_that_was_deleted_is_told_as_such(evaluating: Make) -> None:
    made = evaluating(RIGHT)
    first = made.evals.run(ACCESS, made.write("small", SUITE))
    made.store.delete_conversation(first.samples[0].conversation_id)
    again = made.evals.rescore(ACCESS, first.id)
    assert "The stored answer is gone" in again.samples[0].error
    assert again.samples[1].passed


def test_runs_of_others_are_theirs_alone(evaluating: Make) -> None:
    made = evaluating(RIGHT)
    log = made.evals.run(ACCESS, made.write("small", SUITE))
    for other in (Access(user_id=UserId("bo"), containers=frozenset([CONTRACTS])), ADMIN):
        assert made.evals.logs(other) == []
        with pytest.raises(NotFound):
            made.evals.log(other, log.id)
    assert made.evals.logs(ACCESS) == [log]


@pytest.fixture
def reviewed(evaluating: Make) -> tuple[Evaluating, Any]:
    """A turn of a user's own that was found good."""
    made = evaluating(RIGHT)
    turns = made.turns(model=made.evals._models(None), profiles=DEFAULT_PROFILES)
    talk = made.conversations.create(ACCESS, [CONTRACTS])
    return made, turns.wait(ACCESS, turns.ask(ACCESS, talk.id, PAYMENT).id)


def test_a_reviewed_turn_becomes_a_sample_that_its_own_answer_passes(
    reviewed: tuple[Evaluating, Any], bench: Bench
) -> None:
    made, turn = reviewed
    _versioned(bench, "a" * 64)
    sample = made.evals.add_sample(ACCESS, turn.id, made.folder / "reviewed.toml", "orbex-payment")
    assert sample.pinned == {"orbex.pdf": "a" * 64}
    assert sample.expect.cites[0].pages == (2,)
    assert sample.expect.figures == ("45 day",)
    (scored,) = made.evals.run(ACCESS, "reviewed").samples
    assert scored.passed, scored


def test_a_sample_is_not_scored_over_another_version_of_its_document(
    reviewed: tuple[Evaluating, Any], bench: Bench
) -> None:
    made, turn = reviewed
    _versioned(bench, "a" * 64)
    made.evals.add_sample(ACCESS, turn.id, made.folder / "reviewed.toml")
    _versioned(bench, "b" * 64)
    (refused,) = made.evals.run(ACCESS, "reviewed").samples
    assert "The document orbex.pdf has changed" in refused.error
    assert refused.turn_id is None


def test_a_turn_of_another_user_makes_no_sample(reviewed: tuple[Evaluating, Any]) -> None:
    made, turn = reviewed
    with pytest.raises(NotFound):
        made.evals.sample_of(Access(user_id=UserId("bo"), containers=frozenset([CONTRACTS])), turn.id)


def _versioned(bench: Bench, content_hash: str) -> None:
    document = bench.library.document(bench.documents["orbex.pdf"])
    assert document is not None
    bench.library.save_document(document.model_copy(update={"content_hash": content_hash}))


def _block(number: int) -> str:
    return f'\n[[sample]]\nid = "s{number}"\nquestion = "{PAYMENT}"\n'
