"""Means with their uncertainty: every share that is told carries the number of values behind it."""

import math
from collections.abc import Iterable
from statistics import fmean, stdev
from typing import NamedTuple


class Spread(NamedTuple):
    """A mean over ``number`` values. ``mean`` is None where there is none, ``standard_error`` of fewer than two values."""

    number: int
    mean: float | None = None
    standard_error: float | None = None


def spread(values: Iterable[float | None]) -> Spread:
    """Return the mean and standard error of the values; None and what is no number are passed over, and not counted."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    if not known:
        return Spread(0)
    error = stdev(known) / math.sqrt(len(known)) if len(known) > 1 else None
    return Spread(len(known), fmean(known), error)
