"""Steps: the parts of a deletion that are done, proved and, where they fail, tried again one by one."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from workbench.domain.deletions import Fate, Receipt, ReceiptItem, What

Keep = Callable[[Sequence[ReceiptItem]], None]
"""Writes items into the receipt at once, before the step goes on."""


class Step(NamedTuple):
    """One step of a deletion. It may run any number of times, and after a crash in the middle of it.

    ``keys`` name the items it settles; it is passed over once all of them are. ``run`` returns the items as they are then;
    whatever it raises makes them *could not confirm*, and the other steps go on.
    """

    name: str
    keys: tuple[tuple[What, str], ...]
    run: Callable[[Keep], Sequence[ReceiptItem]]


class Plan(Protocol):
    """The steps of one kind of deletion."""

    def first(self, receipt: Receipt) -> list[Step]:
        """The steps that are quick and after which nothing of it is found any more."""
        ...

    def rest(self, receipt: Receipt) -> list[Step]:
        """All other steps, in order."""
        ...


def proved(item: ReceiptItem, before: int, left: int) -> ReceiptItem:
    """Return the item after its step, by what was counted right before and right after it.

    The first count counts: a step that broke off may have deleted before it could say so.
    """
    before = max(before, item.before or 0)
    if left:
        fate, detail = Fate.UNCONFIRMED, f"{left:,} of {max(before, left):,} are still there."
    else:
        fate, detail = (Fate.DELETED if before else Fate.ALREADY_GONE), ""
    return item.model_copy(update={"before": before, "fate": fate, "detail": detail})


def kept(item: ReceiptItem, before: int, why: str) -> ReceiptItem:
    """Return the item of something that stays because something else uses it."""
    return item.model_copy(update={"before": before, "fate": Fate.KEPT, "detail": why})
