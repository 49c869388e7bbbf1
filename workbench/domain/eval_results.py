"""What a run of a suite comes to: shares with their uncertainty, whether it passes, and how it compares to another run.

What could not be scored is counted and told; it never enters a mean. The uncertainty is that of *repeated runs*: the standard
error of the means of the epochs, so that a change can be told from noise of the model. One epoch tells nothing of it.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench.domain.evals import EvalLog, RunState, SampleLog
from workbench.domain.ids import RunId
from workbench.domain.spread import Spread, spread
from workbench.domain.values import Value

PASSED = "passed"
"""The name of the measure that counts samples of which everything is as expected."""
SURE = 2.0
"""By how many standard errors two runs must differ before the difference is no noise."""


class Metric(Value):
    """One measure over a run: its mean, the standard error over epochs, and how many results it counts.

    ``mean`` is that over samples of their means over epochs; None where there is no data. ``samples`` are those it rests on.
    ``not_applicable`` and ``invalid`` count results (one a sample and epoch) that say nothing.
    """

    name: str
    mean: float | None
    standard_error: float | None
    samples: int
    not_applicable: int = 0
    invalid: int = 0

    @property
    def text(self) -> str:
        """The measure for people: "92.5% ± 1.3 (40 samples)"."""
        if self.mean is None:
            return "no data"
        error = "" if self.standard_error is None else f" ± {self.standard_error:.1%}".rstrip("%")
        return f"{self.mean:.1%}{error} ({self.samples} sample{'' if self.samples == 1 else 's'})"


class Flip(Value):
    """A sample that changed sides between two runs: the shares of epochs in which it passed."""

    sample_id: str
    before: float
    after: float

    @property
    def better(self) -> bool:
        return self.after > self.before


class Comparison(Value):
    """Two runs over the samples that both could score.

    ``difference`` is the later share of passed samples less the earlier one. It is a ``regression`` where it falls by more
    than ``margin``, the allowance, and by more than the noise of repeated runs as far as that is known.
    """

    before: RunId
    after: RunId
    samples: int
    difference: float | None
    standard_error: float | None
    margin: float
    flips: tuple[Flip, ...] = ()
    lost: tuple[str, ...] = ()
    """Samples that the earlier run could score and the later one could not."""
    notes: tuple[str, ...] = ()

    @property
    def regression(self) -> bool:
        if self.difference is None:
            return bool(self.lost)
        noise = SURE * (self.standard_error or 0.0)
        return self.difference < -max(self.margin, noise) - 1e-9


class Verdict(NamedTuple):
    """Whether a run passes its suite, and why not, in words."""

    passed: bool
    reasons: tuple[str, ...] = ()


def metrics(log: EvalLog) -> tuple[Metric, ...]:
    """Return the share of passed samples, and then the mean of each scorer, in the order of their first use."""
    names = dict.fromkeys(score.scorer for sample in log.samples for score in sample.scores)
    passed = _metric(log, PASSED, lambda sample: None if sample.passed is None else float(sample.passed))
    return (passed, *(_metric(log, name, _value_of(name)) for name in names))


def verdict(log: EvalLog) -> Verdict:
    """Judge a run against what its suite requires."""
    passed = metrics(log)[0]
    reasons = []
    if log.state is not RunState.FINISHED:
        reasons.append("The spending ceiling ended the run." if log.state is RunState.CEILING else "It did not finish.")
    if passed.mean is None:
        reasons.append("No sample could be scored: there is no data.")
    elif passed.mean < log.required - 1e-9:
        reasons.append(f"{passed.mean:.1%} of the samples passed; {log.required:.1%} are required.")
    if passed.invalid > log.allowed_invalid * len(log.samples):
        reasons.append(f"{passed.invalid} of {len(log.samples)} results are invalid; that is too many to judge.")
    return Verdict(not reasons, tuple(reasons))


def compare(before: EvalLog, after: EvalLog, margin: float = 0.0) -> Comparison:
    """Compare two runs sample by sample."""
    earlier, later = _shares(before), _shares(after)
    both = [sample for sample in earlier if sample in later]
    noise = [_of_epochs(log, both).standard_error for log in (before, after)]
    known = [error for error in noise if error is not None]
    flips = tuple(
        Flip(sample_id=sample, before=earlier[sample], after=later[sample])
        for sample in both
        if (earlier[sample] > 0.5) != (later[sample] > 0.5)
    )
    return Comparison(
        before=before.id,
        after=after.id,
        samples=len(both),
        difference=spread(later[sample] - earlier[sample] for sample in both).mean,
        standard_error=math.hypot(*known) if len(known) == len(noise) else None,
        margin=margin,
        flips=flips,
        lost=tuple(sample for sample in earlier if sample not in later),
        notes=tuple(_notes(before, after, len(known) == len(noise))),
    )


def _metric(log: EvalLog, name: str, value: Callable[[SampleLog], float | None]) -> Metric:
    valid = [sample for sample in log.samples if sample.valid]
    told = [(sample, value(sample)) for sample in valid]
    by_sample: dict[str, list[float]] = {}
    by_epoch: dict[int, list[float]] = {}
    for sample, worth in told:
        if worth is not None:
            by_sample.setdefault(sample.sample_id, []).append(worth)
            by_epoch.setdefault(sample.epoch, []).append(worth)
    return Metric(
        name=name,
        mean=spread(spread(values).mean for values in by_sample.values()).mean,
        standard_error=spread(spread(values).mean for values in by_epoch.values()).standard_error,
        samples=len(by_sample),
        not_applicable=sum(worth is None for _, worth in told),
        invalid=len(log.samples) - len(valid),
    )


def _value_of(name: str) -> Callable[[SampleLog], float | None]:
    def value(sample: SampleLog) -> float | None:
        return next((score.value for score in sample.scores if score.scorer == name), None)

    return value


def _shares(log: EvalLog) -> dict[str, float]:
    """Return by sample the share of its epochs in which it passed; those that could not be scored are left out."""
    shares = {}
    for sample in dict.fromkeys(each.sample_id for each in log.samples):
        mean = spread(_passes(log.of(sample))).mean
        if mean is not None:
            shares[sample] = mean
    return shares


def _of_epochs(log: EvalLog, samples: Sequence[str]) -> Spread:
    chosen = [each for each in log.samples if each.sample_id in samples]
    epochs = sorted({each.epoch for each in chosen})
    return spread(spread(_passes([each for each in chosen if each.epoch == epoch])).mean for epoch in epochs)


def _passes(samples: Sequence[SampleLog]) -> list[float | None]:
    return [None if sample.passed is None else float(sample.passed) for sample in samples]


def _notes(before: EvalLog, after: EvalLog, noise_known: bool) -> list[str]:
    notes = []
    if before.suite != after.suite:
        notes.append(f"These are runs of different suites: {before.suite} and {after.suite}.")
    elif before.suite_hash != after.suite_hash:
        notes.append("The suite has changed between the runs: only samples of the same id are compared.")
    if before.model != after.model:
        notes.append(f"The models differ: {before.model} and {after.model}.")
    if not noise_known:
        notes.append("One of the runs has a single epoch: how much of the difference is noise is not known.")
    return notes
