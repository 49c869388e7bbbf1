"""Searches: which calls a plan needs, and how a weak result is broadened."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.adapters.extractive.concepts import asked
from workbench.adapters.extractive.naming import Group, Roster
from workbench.adapters.extractive.plan import Part, Plan
from workbench.adapters.extractive.words import content
from workbench.domain.ids import DocumentId
from workbench.domain.sources import SourceBlock

LONGEST_QUERY = 1000
MOST_GROUPS = 8
"""How many suppliers one answer compares: each costs a search."""

MOST_CALLS = 12
"""How many calls a turn makes at most, as many as the quick profile allows."""


class SearchCall(NamedTuple):
    """One search: its query, and the documents or tags it keeps to (None: all in scope)."""

    query: str
    document_ids: tuple[DocumentId, ...] | None = None
    tags: tuple[tuple[str, str], ...] | None = None

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments of the tool call."""
        return {
            "query": self.query,
            "document_ids": None if self.document_ids is None else list(self.document_ids),
            "tags": None if self.tags is None else [{"key": key, "value": value} for key, value in self.tags],
            **dict.fromkeys(("language", "date_from", "date_to", "period")),
        }


def query_for(topic: str) -> str:
    """Return the query for a topic: its words. How documents word the notions it is about is added by the search itself."""
    return topic.rstrip(" ?.!")[:LONGEST_QUERY]


def broader_query(topic: str) -> str:
    """Return a second query for a topic that found little: only the usual wording, or only the bare content words."""
    concepts = asked(topic)
    if concepts:
        return " ".join(concept.terms for concept in concepts)[:LONGEST_QUERY]
    return " ".join(content(topic))[:LONGEST_QUERY] or topic


def needs_ranking(plan: Plan, roster: Roster) -> bool:
    """Tell whether one broad search must first say which suppliers to compare."""
    return plan.comparing and not plan.groups and candidates(plan, roster) is None


def candidates(plan: Plan, roster: Roster) -> tuple[Group, ...] | None:
    """Return the groups to compare where they are clear without a search, else None."""
    if plan.groups:
        return plan.groups[:MOST_GROUPS]
    if plan.wanted is not None and plan.wanted < len(roster.groups):
        return roster.latest(min(plan.wanted, MOST_GROUPS)) if plan.latest else None
    return roster.groups if len(roster.groups) <= MOST_GROUPS else None


def ranked(plan: Plan, roster: Roster, blocks: Sequence[SourceBlock]) -> tuple[Group, ...]:
    """Return the groups to compare in the order in which a broad search found them, filled up by name."""
    count = min(plan.wanted or MOST_GROUPS, MOST_GROUPS)
    found = roster.groups_of([block.document for block in blocks])
    return tuple(dict.fromkeys((*found, *roster.groups)))[:count]


def broad_search(plan: Plan) -> SearchCall:
    """One search over the whole scope about everything the plan asks."""
    return SearchCall(query_for(", ".join(plan.topics)), None, plan.tags or None)


def comparison(plan: Plan, groups: Sequence[Group]) -> list[SearchCall]:
    """One search a group and topic; the topics share one search where there would be too many."""
    topics = plan.topics
    if len(topics) * len(groups) > MOST_GROUPS:
        topics = (", ".join(topics),)
    return [SearchCall(query_for(topic), group.documents) for group in groups for topic in topics]


def lookups(plan: Plan) -> list[SearchCall]:
    """One search a part."""
    calls = (SearchCall(query_for(part.topic), _ids(part), plan.tags or None) for part in plan.parts)
    return list(dict.fromkeys(calls))[:MOST_GROUPS]


def broadened(plan: Plan, weak: Sequence[Part]) -> list[SearchCall]:
    """Search once more for what found nothing: in other words, one search a topic, and without restrictions that the user
    did not make."""
    calls = []
    for topic in dict.fromkeys(part.topic for part in weak):
        groups = tuple(group for part in weak if part.topic == topic for group in part.groups)
        kept = _ids(Part(topic, groups)) if plan.named or plan.comparing else None
        calls.append(SearchCall(broader_query(topic), kept))
    return calls


def _ids(part: Part) -> tuple[DocumentId, ...] | None:
    return tuple(one for group in part.groups for one in group.documents) or None
