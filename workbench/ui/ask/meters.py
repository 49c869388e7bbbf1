"""Budgets of a turn against their ceilings, read from its events."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from workbench.domain.budgets import LimitName, Limits, Spend
from workbench.domain.events import (
    BudgetSpent,
    Event,
    ModelCallFinished,
    ModelCallStarted,
    SourcesGathered,
    ToolCallStarted,
    TurnFinished,
    TurnStarted,
)
from workbench.ui.ask.wording import amount, limit_name

_SHOWN = (
    LimitName.MODEL_CALLS,
    LimitName.TOOL_CALLS,
    LimitName.CHUNKS,
    LimitName.INPUT_TOKENS,
    LimitName.OUTPUT_TOKENS,
    LimitName.SECONDS,
)


@dataclass(frozen=True)
class Meter:
    """One thin bar: ``share`` is what is used of the ceiling, from 0 to 1; ``text`` reads "3 of 12"."""

    limit: LimitName
    name: str
    text: str
    share: float


@dataclass(frozen=True)
class Budget:
    """The newest known spend of a turn and its ceilings. ``priced`` tells whether it costs money at all."""

    limits: Limits
    spend: Spend
    priced: bool

    def at(self, seconds: float) -> "Budget":
        """Return the budget with the clock as it stands now, which runs on between events."""
        spend = self.spend.model_copy(update={"seconds": max(seconds, self.spend.seconds)})
        return replace(self, spend=spend)

    def meters(self) -> list[Meter]:
        shown = (*_SHOWN, LimitName.COST) if self.priced else _SHOWN
        return [self.meter(limit) for limit in shown]

    def meter(self, limit: LimitName) -> Meter:
        used, ceiling = self.spend.of(limit), self.limits.of(limit)
        share = min(1.0, used / ceiling) if ceiling > 0 else 1.0
        return Meter(limit, limit_name(limit), f"{amount(limit, used)} of {amount(limit, ceiling)}", share)


def budget(events: Iterable[Event]) -> Budget:
    """Return the budget as the last event leaves it; before the first one, the ceilings of the default profile.

    Between two accounts of what was spent, calls and passages are counted as their events come, so that the bars move while
    a batch runs; the next account is right whatever was counted.
    """
    limits, spend, priced = Limits(), Spend(), False
    for event in events:
        match event:
            case TurnStarted():
                limits = event.limits
            case BudgetSpent() | TurnFinished():
                spend = event.spend
            case ModelCallFinished():
                priced = priced or bool(event.cost)
            case _:
                spend = _counted(spend, event)
    return Budget(limits, spend, priced)


def _counted(spend: Spend, event: Event) -> Spend:
    match event:
        case ModelCallStarted():
            return spend.model_copy(update={"model_calls": spend.model_calls + 1})
        case ToolCallStarted():
            return spend.model_copy(update={"tool_calls": spend.tool_calls + 1})
        case SourcesGathered():
            return spend.model_copy(update={"chunks": spend.chunks + len(event.sources)})
        case _:
            return spend
