"""Every scorer of the trajectory with what passes and what fails."""

from typing import Any

import pytest

from tests.services.evals.stored import (
    LEASE,
    asked,
    begun,
    called,
    ended,
    gathered,
    limit,
    rewritten,
    searched,
    seen,
    spent,
)
from workbench.domain.budgets import LimitName
from workbench.domain.evals import Enough, Expectations
from workbench.domain.ids import DocumentId
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Filters
from workbench.services.evals import trajectory_scorers as scorers
from workbench.services.evals.outcome_scorers import Scorer
from workbench.services.evals.scorers import SWITCHED, WITH_VALUE, score
from workbench.services.evals.trajectory import Trajectory, calls

pytestmark = pytest.mark.req("EVAL-1")

ANSWERED = seen(begun(), *asked(1, 1), *searched("c1"), *asked(2), ended())
TWICE = seen(begun(), *asked(1, 1), *searched("c1"), *asked(2, 1), *searched("c2"), *asked(3), ended())
LISTED = seen(begun(), *asked(1, 1), *called("c1", "find_documents"), *asked(2, 1), *searched("c2"), *asked(3), ended())
NOTHING_LOOKED_AT = seen(begun(), *asked(1), ended())
BEFORE, AFTER = "notise period", "notice period"
NARROW = Filters(language="fr")
OUT_OF_CALLS: dict[str, Any] = {"status": TurnStatus.PARTIAL}

CASES: dict[str, tuple[Scorer, Trajectory, Trajectory]] = {
    "uses": (scorers.uses(["search_documents"]), ANSWERED, NOTHING_LOOKED_AT),
    "a rejected call is no use": (
        scorers.uses(["search_documents"]),
        ANSWERED,
        seen(*asked(1, 1), *called("c1", "search_documents", "{}", "rejected")),
    ),
    "avoids": (scorers.avoids(["find_documents"]), ANSWERED, LISTED),
    "order": (scorers.order(["find_documents", "search_documents"]), LISTED, ANSWERED),
    "counts": (scorers.counts({"search_documents": 2, "rewrite_query": 0}), TWICE, ANSWERED),
    "at_most": (scorers.at_most({"search_documents": 1}), ANSWERED, TWICE),
    "calls_at_most": (scorers.calls_at_most(1), ANSWERED, LISTED),
    "one_rewrite": (
        scorers.one_rewrite(),
        seen(*asked(1, 1), *rewritten("c1", BEFORE, AFTER)),
        seen(*asked(1, 2), *rewritten("c1", BEFORE, AFTER), *rewritten("c2", BEFORE, "notice")),
    ),
    "a rewrite asked for twice": (
        scorers.one_rewrite(),
        ANSWERED,
        seen(*asked(1, 2), *rewritten("c1", BEFORE, AFTER), *called("c2", "rewrite_query", "{}")),
    ),
    "rewrite_wired into the single search": (
        scorers.rewrite_wired(),
        seen(*asked(1, 2), *rewritten("c1", BEFORE, AFTER), *searched("c2", AFTER, requested=BEFORE)),
        seen(*asked(1, 2), *rewritten("c1", BEFORE, AFTER), *searched("c2", BEFORE)),
    ),
    "rewrite_wired into none of several": (
        scorers.rewrite_wired(),
        seen(*asked(1, 3), *rewritten("c1", BEFORE, AFTER), *searched("c2", "notice A"), *searched("c3", "notice B")),
        seen(
            *asked(1, 3),
            *rewritten("c1", BEFORE, AFTER),
            *searched("c2", AFTER, requested="notice of A"),
            *searched("c3", AFTER, requested="notice of B"),
        ),
    ),
    "a search of another round keeps its words": (
        scorers.rewrite_wired(),
        seen(*asked(1, 1), *rewritten("c1", BEFORE, AFTER), *asked(2, 1), *searched("c2", BEFORE)),
        seen(*asked(1, 2), *rewritten("c1", BEFORE, AFTER), *searched("c2", BEFORE)),
    ),
    "no_repeated_search": (
        scorers.no_repeated_search(),
        seen(*searched("c1", "notice"), *searched("c2", "rent"), *searched("c3", "notice", filters=NARROW)),
        seen(*searched("c1", "notice"), *searched("c2", "Notice")),
    ),
    "no_repeated_search by its call": (
        scorers.no_repeated_search(),
        seen(*called("c1", "search_documents", '{"query": "a"}'), *called("c2", "search_documents", '{"query": "b"}')),
        seen(
            *called("c1", "search_documents", '{"query": "a", "tags": null}'),
            *called("c2", "search_documents", '{ "tags": null, "query": "A" }', "repeated"),
        ),
    ),
    "broadens with fewer restrictions": (
        scorers.broadens(),
        seen(*searched("c1", kept=(), filters=NARROW), *searched("c2")),
        seen(*searched("c1", kept=(), filters=NARROW), ended()),
    ),
    "broadens with a corrected restriction": (
        scorers.broadens(),
        seen(*searched("c1", kept=(), filters=NARROW), *searched("c2", filters=Filters(language="de"))),
        seen(*searched("c1", kept=(), filters=NARROW), *searched("c2", filters=NARROW)),
    ),
    "broadens with other words": (
        scorers.broadens(),
        seen(*searched("c1", "cancellation", kept=()), *searched("c2", "notice")),
        seen(*searched("c1", "notice", kept=()), *searched("c2", "Notice", kept=(), filters=NARROW)),
    ),
    "enough searches": (scorers.enough(Enough(searches=2)), TWICE, ANSWERED),
    "enough documents": (
        scorers.enough(Enough(documents=(LEASE, "annex.pdf"))),
        seen(*searched("c1", kept=(LEASE, "annex.pdf"))),
        ANSWERED,
    ),
    "a page that was read is enough": (
        scorers.enough(Enough(documents=(LEASE,))),
        seen(*called("c1", "read_page"), gathered("c1", "text")),
        NOTHING_LOOKED_AT,
    ),
    "stops_at": (
        scorers.stops_at(LimitName.TOOL_CALLS),
        seen(begun(), *asked(1, 1), limit(LimitName.TOOL_CALLS), ended(), **OUT_OF_CALLS),
        ANSWERED,
    ),
    "stops_at another limit": (
        scorers.stops_at(LimitName.TOOL_CALLS),
        seen(begun(), limit(LimitName.TOOL_CALLS), ended(), **OUT_OF_CALLS),
        seen(begun(), limit(LimitName.COST), ended(), **OUT_OF_CALLS),
    ),
    "nothing is spent after the limit": (
        scorers.stops_at(LimitName.TOOL_CALLS),
        seen(begun(), limit(LimitName.TOOL_CALLS), ended(), **OUT_OF_CALLS),
        seen(begun(), limit(LimitName.TOOL_CALLS), *asked(2), ended(), **OUT_OF_CALLS),
    ),
    "within_budget of model calls": (
        scorers.within_budget(),
        seen(begun(model_calls=2), *asked(1, 1), *searched("c1"), *asked(2)),
        seen(begun(model_calls=1), *asked(1, 1), *searched("c1"), *asked(2)),
    ),
    "within_budget of tool calls": (
        scorers.within_budget(),
        seen(begun(tool_calls=1), *asked(1, 2), *searched("c1"), *called("c2", "read_page", "{}", "skipped")),
        seen(begun(tool_calls=1), *asked(1, 2), *searched("c1"), *called("c2", "read_page")),
    ),
    "within_budget of tokens, looked at before each call": (
        scorers.within_budget(),
        seen(begun(input_tokens=100), *asked(1, 0, input_tokens=150)),
        seen(begun(input_tokens=100), *asked(1, 1, input_tokens=150), *asked(2)),
    ),
    "within_budget of money": (
        scorers.within_budget(),
        seen(begun(cost=0.02), *asked(1), *asked(2)),
        seen(begun(cost=0.02), *asked(1), *asked(2), *asked(3)),
    ),
    "within_budget of passages": (
        scorers.within_budget(),
        seen(begun(chunks=2), *searched("c1"), gathered("c1", "a", "b")),
        seen(begun(chunks=1), *searched("c1"), gathered("c1", "a", "b")),
    ),
    "within_budget as the loop itself tells": (
        scorers.within_budget(),
        seen(begun(), spent(calls_per_round=3)),
        seen(begun(calls_per_round=2), spent(calls_per_round=3)),
    ),
    "nothing_after_answer": (
        scorers.nothing_after_answer(),
        ANSWERED,
        seen(begun(), *asked(1), *asked(2, 1), *searched("c1"), ended()),
    ),
    "nothing after a question to the user": (
        scorers.nothing_after_answer(),
        seen(begun(), *asked(1, 2), *called("c1", "ask_user"), *called("c2", "read_page", "{}", "skipped"), ended()),
        seen(begun(), *asked(1, 1), *called("c1", "ask_user"), *asked(2), ended()),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_one_passes_and_the_other_fails(case: str) -> None:
    score_, passing, failing = CASES[case]
    assert score_(passing).value in (1.0, None), score_(passing).explanation
    failed = score_(failing)
    assert failed.value is not None
    assert failed.value < 1.0
    assert failed.explanation


def test_every_scorer_has_an_example_and_every_expectation_a_scorer() -> None:
    scored = set(WITH_VALUE) | set(SWITCHED)
    assert scored == set(Expectations.model_fields)
    from tests.services.evals.test_outcome_scorers import CASES as OUTCOMES  # noqa: PLC0415

    shown = {name.split()[0] for name in [*CASES, *OUTCOMES]}
    assert scored <= shown


@pytest.mark.parametrize(
    ("score_", "told"),
    [
        (scorers.broadens(), ANSWERED),
        (scorers.rewrite_wired(), ANSWERED),
        (scorers.enough(Enough(searches=9)), seen(limit(LimitName.COST), **OUT_OF_CALLS)),
    ],
)
def test_what_does_not_apply_is_neither_good_nor_bad(score_: Scorer, told: Trajectory) -> None:
    found = score_(told)
    assert (found.value, found.failed) == (None, False)
    assert found.explanation


def test_a_turn_without_its_limits_cannot_be_judged_and_says_so() -> None:
    found = scorers.within_budget()(seen(*asked(1)))
    assert (found.value, found.failed) == (None, True)


@pytest.mark.parametrize("arguments", ["{bad", "", "null", "[1]", "x" * 1_000_000, "\\udcff\x00", "[" * 5_000])
def test_arguments_that_are_no_json_are_text_like_any_other(arguments: str) -> None:
    told = seen(begun(), *asked(1, 1), *called("c1", "search_documents", arguments, "rejected"), *asked(2), ended())
    assert [call.arguments for call in calls(told.events)] == [arguments]
    scores = score(Expectations(uses=("search_documents",), counts={"search_documents": 1}), told.turn, told.events)
    by_name = {each.scorer: each.value for each in scores}
    assert (by_name["uses"], by_name["counts"], by_name["no_repeated_search"]) == (0.0, 1.0, 1.0)


def test_a_search_of_other_documents_is_no_repetition() -> None:
    of = [Filters(document_ids=(DocumentId(f"doc_{n}"),)) for n in (1, 2)]
    told = seen(*searched("c1", filters=of[0]), *searched("c2", filters=of[1]))
    assert scorers.no_repeated_search()(told).value == 1.0


def test_the_rules_are_scored_unless_a_sample_says_no() -> None:
    names = [each.scorer for each in score(Expectations(), ANSWERED.turn, ANSWERED.events)]
    rules = ["known_sources", "one_rewrite", "rewrite_wired", "no_repeated_search"]
    assert names == [*rules, "within_budget", "nothing_after_answer"]
    fewer = score(Expectations(one_rewrite=False), ANSWERED.turn, ANSWERED.events)
    assert "one_rewrite" not in [each.scorer for each in fewer]


def test_no_call_at_all_may_be_expected() -> None:
    (found,) = [
        s for s in score(Expectations(calls_at_most=0), ANSWERED.turn, ANSWERED.events) if s.scorer == "calls_at_most"
    ]
    assert found.value == 0.0
