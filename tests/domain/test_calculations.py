"""A run that is had again is the same run, however long it takes."""

import pytest
from pydantic import ValidationError

from workbench.domain.calculations import CodeRun, InputHash, RunInput, RunLimits, RunOutcome, SandboxResult

RUN = CodeRun(
    code="1 + 1",
    inputs=(RunInput(name="ledger", sha256="0" * 64, origin="Ledger.xlsx, A1:B9"),),
    engine="an engine",
    limits=RunLimits(),
    result=SandboxResult(outcome=RunOutcome.OK, value="2", seconds=0.25),
)


def _with(value: str, seconds: float) -> SandboxResult:
    return SandboxResult(outcome=RunOutcome.OK, value=value, seconds=seconds)


def test_the_same_result_in_another_time_repeats_a_run() -> None:
    assert RUN.repeats(RUN.model_copy(update={"result": _with("2", 9.0), "engine": "another"}))


@pytest.mark.parametrize(
    "change",
    [
        {"code": "2"},
        {"inputs": (RunInput(name="ledger", sha256="1" * 64),)},
        {"inputs": ()},
        {"result": _with("3", 0.25)},
    ],
)
def test_other_code_inputs_or_results_do_not(change: dict[str, object]) -> None:
    assert not RUN.repeats(RUN.model_copy(update=change))


def test_a_run_is_stored_and_read_back() -> None:
    assert CodeRun.model_validate_json(RUN.model_dump_json()) == RUN


def test_a_hash_is_a_hash() -> None:
    with pytest.raises(ValidationError):
        InputHash(name="ledger", sha256="abc")
