"""Which scorers a sample asks for, by the names of its expectations."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.domain.conversations import Turn
from workbench.domain.evals import Expectations, Score
from workbench.domain.events import Event
from workbench.services.evals import outcome_scorers as outcome
from workbench.services.evals import trajectory_scorers as trajectory
from workbench.services.evals.outcome_scorers import Scorer
from workbench.services.evals.trajectory import Trajectory

WITH_VALUE: Mapping[str, Callable[[Any], Scorer]] = {
    "status": outcome.status,
    "result": outcome.result,
    "contains": outcome.contains,
    "omits": outcome.omits,
    "matches": outcome.matches,
    "figures": outcome.figure,
    "cites": outcome.cites,
    "cites_only": outcome.cites_only,
    "uses": trajectory.uses,
    "avoids": trajectory.avoids,
    "order": trajectory.order,
    "counts": trajectory.counts,
    "at_most": trajectory.at_most,
    "calls_at_most": trajectory.calls_at_most,
    "enough": trajectory.enough,
    "stops_at": trajectory.stops_at,
}
"""Scorers that are told what is expected."""
SWITCHED: Mapping[str, Callable[[], Scorer]] = {
    "cites_nothing": outcome.cites_nothing,
    "refuses": outcome.refuses,
    "asks": outcome.asks,
    "grounded": outcome.grounded,
    "known_sources": outcome.known_sources,
    "broadens": trajectory.broadens,
    "one_rewrite": trajectory.one_rewrite,
    "rewrite_wired": trajectory.rewrite_wired,
    "no_repeated_search": trajectory.no_repeated_search,
    "within_budget": trajectory.within_budget,
    "nothing_after_answer": trajectory.nothing_after_answer,
}
"""Scorers that are switched on or off."""


def scorers(expect: Expectations) -> list[Scorer]:
    """Return the scorers of a sample: of the outcome first, then of the trajectory."""
    chosen = []
    for name in Expectations.model_fields:
        value = getattr(expect, name)
        if name in SWITCHED:
            chosen += [SWITCHED[name]()] if value else []
        elif value or (value == 0 and value is not None and name == "calls_at_most"):
            chosen.append(WITH_VALUE[name](value))
    return chosen


def score(expect: Expectations, turn: Turn, events: Sequence[Event]) -> tuple[Score, ...]:
    """Return what every scorer of a sample says of a stored turn."""
    seen = Trajectory(turn, tuple(events))
    return tuple(each(seen) for each in scorers(expect))
