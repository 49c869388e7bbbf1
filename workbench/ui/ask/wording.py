"""Numbers, durations, filters and names in the words that the Ask screen uses."""

import json
from collections.abc import Sequence

from workbench.domain.budgets import UNITS, LimitName
from workbench.domain.scope import Filters
from workbench.ui.ask.visible_text import one_line

_NBSP = "\u00a0"


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return "1 search", "3 searches"."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def duration(seconds: float) -> str:
    """Return "0.2 s" below ten seconds, then "12 s", then "3 min 5 s"; numbers stay with their units."""
    if seconds < 9.95:
        return f"{seconds:.1f}{_NBSP}s"
    minutes, rest = divmod(round(seconds), 60)
    parts = [f"{minutes}{_NBSP}min"] if minutes else []
    return _NBSP.join([*parts, f"{rest}{_NBSP}s"] if rest or not parts else parts)


def dollars(amount: float) -> str:
    """Return US dollars with as many digits as small prices need."""
    return f"${amount:.2f}" if amount >= 1 else f"${amount:.4f}"


def amount(limit: LimitName, value: float) -> str:
    """Return a number in the unit of its limit."""
    if limit is LimitName.COST:
        return dollars(value)
    return duration(value) if limit is LimitName.SECONDS else f"{value:,.0f}"


def limit_name(limit: LimitName) -> str:
    """Return what a limit measures, for use beside :func:`amount`, which says the unit of time and money."""
    return {LimitName.SECONDS: "time", LimitName.COST: "cost"}.get(limit, UNITS[limit])


def container_names(names: Sequence[str]) -> str:
    """Return up to two names, or how many there are."""
    shown = [one_line(name, 32) for name in names]
    return " and ".join(shown) if len(shown) <= 2 else f"{len(shown)} containers"


def filters_in_words(filters: Filters | None) -> str:
    """Return the narrowings of a search, parted by middle dots; empty where there are none."""
    if filters is None:
        return ""
    parts = [f"{key}: {' or '.join(values) or 'nothing'}" for key, values in filters.tags.items()]
    if filters.document_ids is not None:
        parts.append(counted(len(filters.document_ids), "chosen document"))
    if filters.language is not None:
        parts.append(f"language {filters.language}")
    if filters.date_from is not None:
        parts.append(f"dated from {filters.date_from.isoformat()}")
    if filters.date_to is not None:
        parts.append(f"dated to {filters.date_to.isoformat()}")
    return " · ".join(parts)


def argument(arguments: str, name: str) -> str:
    """Return one argument of a tool call as text; empty where the model's JSON is broken or lacks it."""
    try:
        values = json.loads(arguments)
    except json.JSONDecodeError:
        return ""
    value = values.get(name) if isinstance(values, dict) else None
    return "" if value is None else str(value)
