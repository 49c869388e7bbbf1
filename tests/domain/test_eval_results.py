"""What runs come to: means with what they rest on, uncertainty over epochs, verdicts, and paired comparison."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from workbench.domain.eval_results import compare, metrics, verdict
from workbench.domain.evals import EvalLog, RunState, SampleLog, Score, Versions
from workbench.domain.ids import RunId, UserId
from workbench.domain.spread import spread

Values = Mapping[str, Sequence[float | str | None]]
"""By sample, one value an epoch; None where no scorer applies, a text is an error."""


def log(values: Values, run: str = "run_1", **given: Any) -> EvalLog:
    samples = []
    for sample, epochs in values.items():
        for epoch, value in enumerate(epochs, 1):
            error = value if isinstance(value, str) else ""
            scores = () if isinstance(value, str) else (Score(scorer="contains", value=value, explanation="why"),)
            samples.append(SampleLog(sample_id=sample, epoch=epoch, scores=scores, error=error))
    settled: dict[str, Any] = {
        "id": RunId(run),
        "user_id": UserId("ana"),
        "suite": "leases",
        "suite_hash": "h1",
        "model": "any",
        "epochs": max(len(epochs) for epochs in values.values()) if values else 1,
        "versions": Versions(application="1", prompt="p", embedding="e"),
        "state": RunState.FINISHED,
        "started_at": datetime(2026, 3, 1, tzinfo=UTC),
        "samples": tuple(samples),
    }
    return EvalLog(**(settled | given))


@pytest.mark.req("EVAL-4")
def test_the_standard_error_is_that_of_the_epochs() -> None:
    passed, contains = metrics(log({"a": [1.0, 0.0, 1.0, 0.0], "b": [1.0, 1.0, 1.0, 1.0]}))
    assert (passed.name, passed.mean, passed.samples) == ("passed", 0.75, 2)
    assert passed.standard_error == pytest.approx(0.1443, abs=1e-4)  # epochs 1, .5, 1, .5: deviation .2887 over 2
    assert contains.standard_error == passed.standard_error
    assert passed.text == "75.0% ± 14.4 (2 samples)"


@pytest.mark.req("EVAL-4")
def test_one_epoch_tells_no_uncertainty() -> None:
    passed, _ = metrics(log({"a": [1.0], "b": [0.5]}))
    assert (passed.mean, passed.standard_error) == (0.5, None)


def test_what_could_not_be_scored_is_counted_and_enters_no_mean() -> None:
    passed, contains = metrics(log({"a": [1.0], "b": [None], "c": ["the provider answered 429"], "d": [0.0]}))
    assert (contains.mean, contains.samples, contains.not_applicable, contains.invalid) == (0.5, 2, 1, 1)
    assert passed.mean == 0.5


@pytest.mark.parametrize("values", [{}, {"a": [None]}, {"a": ["broke off"]}])
def test_nothing_scored_is_no_data_and_no_number(values: Values) -> None:
    passed = metrics(log(values))[0]
    assert passed.mean is None
    assert passed.text == "no data"
    assert not verdict(log(values)).passed


def test_a_mean_over_all_samples_is_at_most_one() -> None:
    assert metrics(log({f"s{n}": [1.0] for n in range(12)}))[0].mean == 1.0


def test_numbers_that_are_none_are_passed_over() -> None:
    assert spread([1.0, None, float("nan"), 0.0]) == (2, 0.5, pytest.approx(0.5))
    assert spread([]) == (0, None, None)


def test_a_run_passes_what_its_suite_requires() -> None:
    values: Values = {"a": [1.0], "b": [1.0], "c": [1.0], "d": [0.0]}
    assert verdict(log(values, required=0.75)).passed
    short = verdict(log(values, required=0.8))
    assert short.reasons == ("75.0% of the samples passed; 80.0% are required.",)


def test_too_many_invalid_results_are_no_pass_however_good_the_rest() -> None:
    values: Values = {f"s{n}": [1.0] for n in range(8)} | {"x": ["timed out"], "y": ["timed out"]}
    assert not verdict(log(values, allowed_invalid=0.1)).passed
    assert verdict(log(values, allowed_invalid=0.2)).passed


def test_a_run_that_did_not_finish_is_no_pass() -> None:
    assert not verdict(log({"a": [1.0]}, state=RunState.CEILING)).passed
    assert not verdict(log({"a": [1.0]}, state=RunState.RUNNING)).passed


@pytest.mark.req("EVAL-4")
def test_flips_are_listed_in_both_directions_and_a_fall_is_a_regression() -> None:
    before = log({"a": [1.0], "b": [1.0], "c": [0.0], "d": [1.0]})
    after = log({"a": [0.0], "b": [0.5], "c": [1.0], "d": [1.0]}, "run_2")
    compared = compare(before, after)
    assert [(flip.sample_id, flip.better) for flip in compared.flips] == [("a", False), ("b", False), ("c", True)]
    assert compared.difference == -0.25
    assert compared.regression
    assert not compare(before, after, margin=0.25).regression
    assert not compare(after, before).regression


@pytest.mark.req("EVAL-4")
def test_a_fall_within_the_noise_of_repeated_runs_is_no_regression() -> None:
    shaky: Values = {"a": [1.0, 0.0, 1.0, 0.0], "b": [1.0] * 4}
    a_bit_worse: Values = {"a": [1.0, 0.0, 0.0, 0.0], "b": [1.0] * 4}
    far_worse: Values = {"a": [0.0] * 4, "b": [0.0] * 4}
    assert not compare(log(shaky), log(a_bit_worse)).regression
    assert compare(log(shaky), log(far_worse)).regression


def test_runs_without_noise_differ_by_any_flip() -> None:
    steady: Values = {f"s{n}": [1.0, 1.0] for n in range(40)}
    compared = compare(log(steady), log({**steady, "s7": [0.0, 0.0]}))
    assert compared.standard_error == 0.0
    assert compared.regression


def test_only_samples_scored_in_both_runs_are_compared_and_the_lost_are_named() -> None:
    compared = compare(log({"a": [1.0], "b": [1.0], "old": [1.0]}), log({"a": [1.0], "b": ["gone"], "new": [0.0]}))
    assert (compared.samples, compared.difference, compared.lost) == (1, 0.0, ("b", "old"))
    assert compare(log({"a": [1.0]}), log({"a": ["gone"]})).regression


def test_a_comparison_says_what_makes_it_doubtful() -> None:
    other = log({"a": [1.0]}, suite_hash="h2", model="another")
    notes = " ".join(compare(log({"a": [1.0]}), other).notes)
    assert "The suite has changed" in notes
    assert "any and another" in notes
    assert "single epoch" in notes
    assert "different suites" in " ".join(compare(log({"a": [1.0]}), log({"a": [1.0]}, suite="x")).notes)
