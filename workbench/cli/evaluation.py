"""``pincite eval``: run suites, compare runs, replay turns, and make samples of them.

Exit code 1 stands for what a build should stop at: a regression, a suite that does not pass, a replay that differs.
"""

from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli import output
from workbench.cli.opened import opened
from workbench.domain.budgets import Profile
from workbench.domain.eval_results import Comparison, Verdict, metrics, verdict
from workbench.domain.evals import EvalLog, SampleLog
from workbench.domain.ids import RunId, TurnId
from workbench.services.evals.junit import junit
from workbench.services.evals.runner import Plan

app = typer.Typer(help="Run evaluation suites, compare runs and replay turns.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Margin = Annotated[
    float, typer.Option(min=0.0, max=1.0, help="How far the share of passed samples may fall without a regression.")
]
Report = Annotated[
    Path | None, typer.Option("--junit", help="Write a report as JUnit XML to this file.", dir_okay=False)
]


@app.command()
def run(  # noqa: PLR0917 - typer makes options of them
    suite: Annotated[str, typer.Argument(help="A shipped suite by name, or the path of a suite's file.")],
    model: Annotated[
        str | None,
        typer.Option(help="The model: 'extractive', or one of the configured provider. Default: the configured one."),
    ] = None,
    profile: Annotated[Profile | None, typer.Option(help="The profile of all samples. Default: as each says.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="How often each sample is asked.")] = 1,
    parallel: Annotated[int, typer.Option(min=1, max=16, help="How many samples are asked at a time.")] = 2,
    ceiling: Annotated[
        float | None, typer.Option(min=0.0, help="US dollars after which no further sample is asked.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides the order of the samples.")] = 0,
    baseline: Annotated[str | None, typer.Option(help="Compare with this run, by id.")] = None,
    margin: Margin = 0.0,
    report: Report = None,
    json: Json = False,
) -> None:
    """Run a suite and print its scores. Exit code 1: it does not pass, or it is worse than the baseline."""
    plan = Plan(epochs=epochs, profile=profile, parallel=parallel, ceiling=ceiling, seed=seed)
    with opened() as (bench, access):
        if baseline is not None:
            bench.evals.log(access, RunId(baseline))  # told before anything is spent
        log = bench.evals.run(access, suite, plan, model=model, progress=_progress)
        compared = None
        if baseline is not None:
            compared = bench.evals.compare(access, RunId(baseline), log.id, margin)
    _finish(log, compared, report, json=json)


@app.command()
def score(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="The run by id.")],
    report: Report = None,
    json: Json = False,
) -> None:
    """Score the stored answers of a run anew, with its suite as it is now; nothing is asked."""
    with opened() as (bench, access):
        log = bench.evals.rescore(access, RunId(run_id))
    _finish(log, None, report, json=json)


@app.command()
def compare(
    before: Annotated[str, typer.Argument(help="The earlier run, by id.")],
    after: Annotated[str, typer.Argument(help="The later run, by id.")],
    margin: Margin = 0.0,
    json: Json = False,
) -> None:
    """Compare two runs sample by sample. Exit code 1: the later one is worse."""
    with opened() as (bench, access):
        compared = bench.evals.compare(access, RunId(before), RunId(after), margin)
    if json:
        output.print_json(_comparison_values(compared))
    else:
        _print_comparison(compared)
    if compared.regression:
        raise typer.Exit(1)


@app.command()
def runs(
    suite: Annotated[str | None, typer.Option(help="Only runs of this suite.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 50,
    json: Json = False,
) -> None:
    """List the stored runs, the latest first."""
    with opened() as (bench, access):
        logs = bench.evals.logs(access, suite, limit)
    if json:
        output.print_json([_head_values(log) for log in logs])
        return
    for log in logs:
        passed = metrics(log)[0].text
        typer.echo(f"{log.id}  {log.started_at:%Y-%m-%d %H:%M}  {log.suite}  {log.model}  {log.state.value}  {passed}")


@app.command()
def replay(
    turn: Annotated[str, typer.Argument(metavar="TURN", help="The turn by id, as `pincite ask --json` prints it.")],
    json: Json = False,
) -> None:
    """Replay a turn from what its model answered then. Exit code 1: other events come of it."""
    with opened() as (bench, access):
        replayed = bench.replay.run(access, TurnId(turn))
    difference = replayed.difference
    if json:
        values = {"turn": turn, "same": replayed.same, "compared": replayed.compared}
        output.print_json(values | {"difference": None if difference is None else difference._asdict()})
    elif difference is None:
        typer.echo(f"The same {replayed.compared} events.")
    else:
        typer.echo(output.one_line(difference.text))
    if difference is not None:
        raise typer.Exit(1)


@app.command()
def sample(
    turn: Annotated[str, typer.Argument(metavar="TURN", help="The turn by id.")],
    file: Annotated[Path, typer.Option("--to", help="The suite's file, made if there is none.", dir_okay=False)],
    name: Annotated[str | None, typer.Option("--id", help="The sample's id. Default: the turn's.")] = None,
) -> None:
    """Make a sample of a turn that was found good, with its documents pinned to the versions that it read."""
    with opened() as (bench, access):
        made = bench.evals.add_sample(access, TurnId(turn), file, name)
    typer.echo(f"{file}: sample {made.id} added")


def _finish(log: EvalLog, compared: Comparison | None, report: Path | None, *, json: bool) -> None:
    judged = verdict(log)
    if report is not None:
        report.write_text(junit(log), encoding="utf-8")
    if json:
        output.print_json(_run_values(log, judged, compared))
    else:
        _print_run(log, judged)
        if compared is not None:
            _print_comparison(compared)
    if not judged.passed or (compared is not None and compared.regression):
        raise typer.Exit(1)


def _progress(done: int, total: int, sample: SampleLog) -> None:
    outcome = {True: "ok", False: "failed", None: "not scored"}[sample.passed if sample.valid else None]
    typer.echo(f"{done}/{total}  {sample.sample_id}  {outcome}", err=True)


def _print_run(log: EvalLog, judged: Verdict) -> None:
    typer.echo(f"{log.id}  {log.suite} on {log.model}, {log.epochs} epoch{'' if log.epochs == 1 else 's'}")
    for metric in metrics(log):
        typer.echo(f"  {metric.name:22} {metric.text}")
    for each in log.samples:
        wrong = [
            f"{s.scorer}: {s.explanation}" for s in each.scores if s.failed or (s.value is not None and s.value < 1)
        ]
        for line in [each.error] if each.error else wrong:
            typer.echo(f"  {each.sample_id} (epoch {each.epoch})  {output.one_line(line)}")
    typer.echo("Passed." if judged.passed else f"Not passed. {' '.join(judged.reasons)}")


def _print_comparison(compared: Comparison) -> None:
    for note in compared.notes:
        typer.echo(note)
    for flip in compared.flips:
        typer.echo(
            f"  {'better' if flip.better else 'worse '}  {flip.sample_id}  {flip.before:.0%} -> {flip.after:.0%}"
        )
    for each in compared.lost:
        typer.echo(f"  no longer scored  {each}")
    if compared.difference is None:
        typer.echo("No sample was scored in both runs.")
        return
    error = "" if compared.standard_error is None else f" ± {compared.standard_error * 100:.1f}"
    word = "A regression" if compared.regression else "No regression"
    typer.echo(f"{word}: {compared.difference * 100:+.1f}{error} points over {compared.samples} samples.")


def _head_values(log: EvalLog) -> dict[str, Any]:
    values: dict[str, Any] = log.model_dump(mode="json", exclude={"samples"})
    return values | {"cost": log.cost, "metrics": [metric.model_dump() for metric in metrics(log)]}


def _run_values(log: EvalLog, judged: Verdict, compared: Comparison | None) -> dict[str, Any]:
    return _head_values(log) | {
        "passed": judged.passed,
        "reasons": list(judged.reasons),
        "samples": [each.model_dump(mode="json") | {"passed": each.passed} for each in log.samples],
        "comparison": None if compared is None else _comparison_values(compared),
    }


def _comparison_values(compared: Comparison) -> dict[str, Any]:
    return compared.model_dump(mode="json") | {"regression": compared.regression}
