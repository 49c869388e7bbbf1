"""Budgets: a ceiling is reached when nothing more fits under it."""

import pytest

from workbench.domain.budgets import (
    BEFORE_MODEL_CALL,
    BEFORE_TOOL_CALL,
    DEFAULT_PROFILES,
    UNITS,
    LimitName,
    Limits,
    Profile,
    Spend,
    reached,
)

pytestmark = pytest.mark.req("ASK-3")


@pytest.mark.parametrize("name", list(LimitName))
def test_each_limit_is_reached_at_its_ceiling_and_not_before(name: LimitName) -> None:
    limits = Limits().model_copy(update={name.value: 5})
    assert reached(limits, Spend().model_copy(update={name.value: 4}), (name,)) is None
    assert reached(limits, Spend().model_copy(update={name.value: 5}), (name,)) is name


def test_the_first_of_several_is_named() -> None:
    spend = Spend(model_calls=99, seconds=9999.0)
    assert reached(Limits(), spend, BEFORE_MODEL_CALL) is LimitName.MODEL_CALLS
    assert reached(Limits(), spend, BEFORE_TOOL_CALL) is LimitName.SECONDS


def test_a_limit_of_zero_allows_nothing() -> None:
    assert reached(Limits(tool_calls=0), Spend(), BEFORE_TOOL_CALL) is LimitName.TOOL_CALLS


def test_every_limit_has_a_unit_and_a_field_on_both_sides() -> None:
    assert set(UNITS) == set(LimitName)
    assert {name.value for name in LimitName} == set(Limits.model_fields) == set(Spend.model_fields)


@pytest.mark.req("ASK-8")
def test_thorough_has_more_effort_and_higher_ceilings_than_quick() -> None:
    quick, thorough = DEFAULT_PROFILES[Profile.QUICK], DEFAULT_PROFILES[Profile.THOROUGH]
    assert (quick.effort, thorough.effort) == ("low", "high")
    assert all(thorough.limits.of(name) >= quick.limits.of(name) for name in LimitName)
    assert thorough.limits.model_calls > quick.limits.model_calls
