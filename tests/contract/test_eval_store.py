"""The contract of EvalStore, for every implementation."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workbench.adapters.fakes.memory_evals import MemoryEvalStore
from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.evals import SqlEvalStore
from workbench.domain.budgets import Profile, Spend
from workbench.domain.evals import EvalLog, RunState, SampleLog, Score, Versions
from workbench.domain.ids import ConversationId, RunId, TurnId, UserId
from workbench.domain.results import TurnStatus
from workbench.services.ports import EvalStore

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest, open_store: Callable[[str], Database]) -> EvalStore:
    return MemoryEvalStore() if request.param == "memory" else SqlEvalStore(open_store(request.param))


def run(number: int, **values: Any) -> EvalLog:
    given: dict[str, Any] = {
        "id": RunId(f"run_{number}"),
        "user_id": UserId("ana"),
        "suite": "routing",
        "suite_hash": "ab" * 32,
        "model": "any",
        "epochs": 2,
        "versions": Versions(application="1", prompt="p", embedding="e"),
        "started_at": NOON + timedelta(minutes=number),
    }
    return EvalLog(**(given | values))


def test_a_run_comes_back_as_it_was_kept(store: EvalStore, hostile: str) -> None:
    sample = SampleLog(
        sample_id="typo",
        epoch=1,
        conversation_id=ConversationId("conv_1"),
        turn_id=TurnId("turn_1"),
        status=TurnStatus.ANSWERED,
        scores=(Score(scorer="contains", value=1 / 3, explanation=hostile), Score(scorer="broadens", value=None)),
        spend=Spend(cost=0.1, model_calls=2),
    )
    kept = run(1, suite=hostile, profile=Profile.THOROUGH, seed=7, ceiling=2.5, samples=(sample,))
    store.save_run(kept)
    assert store.run(kept.id) == kept
    assert store.runs(hostile) == [kept]


def test_a_run_is_replaced_as_it_goes_on(store: EvalStore) -> None:
    store.save_run(run(1))
    ended = run(1, state=RunState.FINISHED, finished_at=NOON + timedelta(hours=1))
    store.save_run(ended)
    assert store.runs() == [ended]


def test_the_latest_comes_first_equal_times_go_by_id_and_a_suite_has_its_own(store: EvalStore) -> None:
    for each in (run(2, started_at=NOON), run(1, started_at=NOON), run(3), run(4, suite="safety")):
        store.save_run(each)
    assert [each.id for each in store.runs()] == ["run_4", "run_3", "run_1", "run_2"]
    assert [each.id for each in store.runs("routing")] == ["run_3", "run_1", "run_2"]
    assert [each.id for each in store.runs("routing", limit=1)] == ["run_3"]
    assert store.runs("grounding") == []


def test_a_forgotten_run_is_gone_and_an_unknown_one_does_no_harm(store: EvalStore) -> None:
    store.save_run(run(1))
    store.delete_run(RunId("run_1"))
    store.delete_run(RunId("run_1"))
    assert store.run(RunId("run_1")) is None
    assert store.runs() == []


def test_many_are_kept_at_once(store: EvalStore, together: Callable[[Callable[[int], Any], int], list[Any]]) -> None:
    assert together(lambda number: store.save_run(run(number)), 6) == [None] * 6
    assert len(store.runs()) == 6
