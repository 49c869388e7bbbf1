"""Every scorer of the outcome with what passes and what fails."""

import pytest

from tests.services.evals.stored import LEASE, answer, called, gathered, searched, seen
from workbench.domain.evals import Place
from workbench.domain.results import ResultType, TurnStatus
from workbench.services.evals import outcome_scorers as scorers
from workbench.services.evals.outcome_scorers import Scorer
from workbench.services.evals.trajectory import Trajectory

pytestmark = pytest.mark.req("EVAL-1")

CITED = seen(text="The notice period is three months.", cited=[(LEASE, 4)])
ASKED = seen(text="Which lease do you mean?", result_type=ResultType.CLARIFICATION)
MONEY = seen(text="The rent is EUR 1,250,000 a year, payable within 45 days.", cited=[(LEASE, 77)])
NOTHING = seen(text="The documents do not say it.")

CASES: dict[str, tuple[Scorer, Trajectory, Trajectory]] = {
    "status": (scorers.status(TurnStatus.ANSWERED), CITED, seen(status=TurnStatus.PARTIAL)),
    "result": (scorers.result(ResultType.CLARIFICATION), ASKED, CITED),
    "contains": (scorers.contains(["notice  PERIOD", "three"]), CITED, NOTHING),
    "omits": (scorers.omits(["six months"]), CITED, seen(text="Six  months.")),
    "matches": (scorers.matches([r"three\s+months"]), CITED, NOTHING),
    "figures": (scorers.figure(["1.25 million EUR", "45 days"]), MONEY, CITED),
    "a digit swapped": (
        scorers.figure(["EUR 1,250,000"]),
        MONEY,
        seen(text="The rent is EUR 1,520,000 a year."),
    ),
    "another unit": (scorers.figure(["45 days"]), MONEY, seen(text="Payable within 45 months.")),
    "a page number is no figure": (scorers.figure(["4"]), seen(text="It has 4 annexes."), CITED),
    "cites": (scorers.cites([Place(document=LEASE, pages=(3, 4))]), CITED, seen(text="x", cited=[(LEASE, 5)])),
    "cites anywhere": (scorers.cites([Place(document=LEASE)]), CITED, seen(text="x", cited=[("other.pdf", 4)])),
    "cites_only": (scorers.cites_only([LEASE]), CITED, seen(text="x", cited=[(LEASE, 4), ("other.pdf", 1)])),
    "cites_nothing": (scorers.cites_nothing(), NOTHING, CITED),
    "known_sources": (
        scorers.known_sources(),
        CITED,
        seen(answer=answer("Sold.").model_copy(update={"unknown_refs": ("S9",)})),
    ),
    "refuses": (scorers.refuses(), NOTHING, CITED),
    "refuses by policy": (scorers.refuses(), seen(status=TurnStatus.REFUSED), seen(status=TurnStatus.FAILED)),
    "a figure of its own is no refusal": (scorers.refuses(), NOTHING, seen(text="I cannot say; perhaps EUR 900.")),
    "asks": (scorers.asks(), ASKED, CITED),
    "grounded": (
        scorers.grounded(),
        seen(gathered("c1", "Rent: EUR 1,250,000. Payable within 45 days."), text=MONEY.turn.answer.text),
        seen(gathered("c1", "Rent: EUR 1,520,000. Payable within 45 days."), text=MONEY.turn.answer.text),
    ),
    "grounded by quotes": (
        scorers.grounded(),
        seen(*searched("c1", output="Notice: three months."), answer=CITED.turn.answer),
        seen(answer=answer("The notice period is long.", [(LEASE, 4)], quote="")),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_one_passes_and_the_other_fails(case: str) -> None:
    score, passing, failing = CASES[case]
    assert score(passing).value == 1.0, score(passing).explanation
    failed = score(failing)
    assert failed.value is not None
    assert failed.value < 1.0
    assert failed.explanation


def test_part_of_what_is_expected_gives_part_of_the_score() -> None:
    places = [Place(document=LEASE, pages=(4,)), Place(document="annex.pdf", pages=(1,))]
    half = scorers.cites(places)(CITED)
    assert (half.value, half.explanation) == (0.5, "Not cited: annex.pdf, p. 1.")


@pytest.mark.parametrize(
    ("said", "retrieved", "right", "faithful"),
    [
        ("The cap is EUR 300,000.", "The cap is EUR 200,000.", 1.0, 0.0),
        ("The cap is EUR 200,000.", "The cap is EUR 200,000.", 0.0, 1.0),
    ],
)
def test_faithful_is_judged_by_what_was_retrieved_and_right_by_what_is_expected(
    said: str, retrieved: str, right: float, faithful: float
) -> None:
    told = seen(*searched("c1", output=retrieved), text=said)
    assert scorers.figure(["EUR 300,000"])(told).value == right
    assert scorers.grounded()(told).value == faithful


def test_an_answer_without_claims_is_not_scored_for_faithfulness_and_is_no_zero() -> None:
    score = scorers.grounded()(seen(text="I do not know."))
    assert (score.value, score.failed) == (None, False)


def test_what_stands_in_the_question_or_came_from_a_calculation_is_no_claim_out_of_nothing() -> None:
    told = seen(
        *called("c1", "run_code", output="VALUE: 702.00"),
        question="What do 30 hours cost?",
        text="30 hours cost GBP 702.00.",
    )
    assert scorers.grounded()(told).value == 1.0
