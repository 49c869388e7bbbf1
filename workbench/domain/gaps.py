"""Gaps: what people looked for and the collection lacks, one record a time it was asked, grouped into topics."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from workbench.domain.ids import ContainerId, ConversationId, GapId, UserId
from workbench.domain.scope import Filters
from workbench.domain.values import Value
from workbench.domain.words import is_among, telling


class GapOrigin(StrEnum):
    """Who looked, in words for people."""

    ASSISTANT = "in a conversation"
    SCREEN = "on the Search screen"
    COMMAND_LINE = "at the command line"


class GapReason(StrEnum):
    """What was missing, in words for people."""

    NOTHING_FOUND = "the search found nothing"
    NOT_ANSWERED = "the documents did not answer it"


class Gap(Value):
    """One search that found nothing, or one question that the documents did not answer.

    ``conversation_id`` is set where it was asked in one: it is removed together with that conversation.
    """

    id: GapId
    user_id: UserId
    containers: tuple[ContainerId, ...] = Field(min_length=1)
    query: str
    filters: Filters = Filters()
    origin: GapOrigin
    reason: GapReason
    asked_at: datetime
    conversation_id: ConversationId | None = None


class Topic(Value):
    """What was asked for in the same or nearly the same words; ``gaps`` from the latest on."""

    gaps: tuple[Gap, ...] = Field(min_length=1)

    @property
    def query(self) -> str:
        """The latest wording."""
        return self.gaps[0].query

    @property
    def wordings(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(gap.query for gap in self.gaps))

    @property
    def count(self) -> int:
        return len(self.gaps)

    @property
    def last_asked(self) -> datetime:
        return self.gaps[0].asked_at

    @property
    def containers(self) -> tuple[ContainerId, ...]:
        return tuple(dict.fromkeys(container for gap in self.gaps for container in gap.containers))

    @property
    def reasons(self) -> tuple[GapReason, ...]:
        return tuple(dict.fromkeys(gap.reason for gap in self.gaps))


ALIKE = 0.75
"""The share of the longer query's words that two queries on one topic have in common."""


def topics(gaps: Iterable[Gap]) -> list[Topic]:
    """Group gaps into topics, the one asked most often first and then the one asked last."""
    groups: list[tuple[tuple[str, ...], list[Gap]]] = []
    exact: dict[frozenset[str], list[Gap]] = {}
    by_beginning: dict[str, list[int]] = {}
    for gap in sorted(gaps, key=lambda each: (each.asked_at, each.id), reverse=True):
        words = telling(gap.query)
        known = exact.get(frozenset(words))
        if known is None:
            near = {index for word in words for index in by_beginning.get(word[:3], ())}
            known = next((groups[index][1] for index in sorted(near) if alike(words, groups[index][0])), None)
        if known is None:
            known = []
            for word in words:
                by_beginning.setdefault(word[:3], []).append(len(groups))
            groups.append((words, known))
        exact.setdefault(frozenset(words), known)
        known.append(gap)
    found = [Topic(gaps=tuple(group)) for _, group in groups]
    return sorted(found, key=lambda topic: (-topic.count, -topic.last_asked.timestamp(), topic.gaps[0].id))


def alike(words: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether two queries, given by their telling words, are about the same thing, whatever their endings and order."""
    shared = min(
        sum(is_among(word, tuple(others)) for word in words), sum(is_among(word, tuple(words)) for word in others)
    )
    return shared > 0 and shared >= ALIKE * max(len(words), len(others))
