"""Numbers, durations, filters and names in the words that the Ask screen uses."""

import json
from collections.abc import Mapping, Sequence
from datetime import date as date_type

from workbench.domain.budgets import UNITS, LimitName
from workbench.domain.listing import Listing, ListingQuery, Sort
from workbench.domain.scope import Filters
from workbench.ui.ask.visible_text import one_line

_NBSP = "\u00a0"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_ORDERS = {Sort.NEWEST: "newest first", Sort.OLDEST: "oldest first", Sort.NAME: "by name"}


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


def day(date: date_type) -> str:
    """Return "1 Jan 2025", which reads the same everywhere."""
    return f"{date.day}{_NBSP}{_MONTHS[date.month - 1]}{_NBSP}{date.year}"


def narrowing(filters: Filters | None, titles: Mapping[str, str]) -> str:
    """Return to what a search was narrowed, such as "Only in halden.pdf, tagged year: 2025"; empty where it was not.

    ``titles`` names documents by their ids, as far as the turn has met them.
    """
    if filters is None:
        return ""
    parts = [] if filters.document_ids is None else [f"in {_documents(filters.document_ids, titles)}"]
    parts += _qualities(filters.tags, filters.language, filters.date_from, filters.date_to)
    if not parts:
        return ""
    return f"Only {'documents ' if filters.document_ids is None else ''}{', '.join(parts)}"


def listing_in_words(query: ListingQuery) -> str:
    """Return what a list was asked for, such as "tagged supplier: Halden, dated 1 Jan 2025 or later, newest first"."""
    matching = [f"matching ‘{one_line(query.text, 80)}’"] if query.text else []
    qualities = _qualities(query.tags, query.language, query.date_from, query.date_to)
    return ", ".join([*matching, *qualities, _ORDERS[query.sort]])


def found_in_words(listing: Listing) -> str:
    """Return how many documents a list has, and which page of it this is where there are several."""
    if not listing.total:
        return "nothing found"
    page = f", page {listing.page} of {listing.pages}" if listing.pages > 1 else ""
    return f"{counted(listing.total, 'document')}{page}"


def left_out(listing: Listing) -> list[str]:
    """Say which documents a list leaves out only because something is not known of them."""
    reasons = ((listing.undated, "no date"), (listing.without_language, "no language"))
    return [f"{counted(count, 'document')} left out: {reason} is known" for count, reason in reasons if count]


def _documents(ids: Sequence[str], titles: Mapping[str, str]) -> str:
    if not ids:
        return "no document"
    names = list(dict.fromkeys(one_line(titles[each], 48) for each in ids if each in titles))
    if len(names) == len(ids) <= 3:
        return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return "one document" if len(ids) == 1 else counted(len(ids), "document")


def _qualities(
    tags: Mapping[str, Sequence[str]], language: str | None, first: date_type | None, last: date_type | None
) -> list[str]:
    parts = [f"tagged {key}: {' or '.join(values) or 'nothing'}" for key, values in tags.items()]
    if language is not None:
        parts.append(f"in the language ‘{language}’")
    if first is not None and last is not None:
        parts.append(f"dated {day(first)}" if first == last else f"dated {day(first)} to {day(last)}")
    elif first is not None:
        parts.append(f"dated {day(first)} or later")
    elif last is not None:
        parts.append(f"dated {day(last)} or earlier")
    return parts


def argument(arguments: str, name: str) -> str:
    """Return one argument of a tool call as text; empty where the model's JSON is broken or lacks it."""
    try:
        values = json.loads(arguments)
    except json.JSONDecodeError:
        return ""
    value = values.get(name) if isinstance(values, dict) else None
    return "" if value is None else str(value)
