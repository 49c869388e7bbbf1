"""Planning: what a question asks for, about which documents, and whether it compares."""

from typing import NamedTuple

from workbench.adapters.extractive import phrasing
from workbench.adapters.extractive.naming import Group, Roster
from workbench.domain.ids import DocumentId


class Part(NamedTuple):
    """One thing asked: its own words, and the groups it is asked of (none: the whole scope)."""

    topic: str
    groups: tuple[Group, ...] = ()


class Plan(NamedTuple):
    """What to do about a question.

    ``question`` is it in whole, corrected. ``named`` tells that the user named the groups, rather than the talk before.
    ``wanted`` and ``latest`` say how many contracts to compare and whether the most recent ones.
    """

    question: str
    parts: tuple[Part, ...] = ()
    comparing: bool = False
    named: bool = False
    wanted: int | None = None
    latest: bool = False
    tags: tuple[tuple[str, str], ...] = ()
    page: int | None = None

    @property
    def vague(self) -> bool:
        return self.page is None and not any(phrasing.telling(part.topic) for part in self.parts)

    @property
    def groups(self) -> tuple[Group, ...]:
        return tuple(dict.fromkeys(group for part in self.parts for group in part.groups))

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part.topic for part in self.parts))


def interpret(question: str, roster: Roster, before: Plan | None, cited: frozenset[DocumentId]) -> Plan:
    """Read a question in the light of the turn before it: its plan, and the documents its answer cited."""
    found = [roster.find(piece) for piece in phrasing.pieces(question)]
    groups = tuple(dict.fromkeys(group for piece in found for group in piece.groups))
    comparing = len(roster.groups) > 1 and (
        phrasing.compares(question) or any(len(piece.groups) > 1 for piece in found)
    )
    parts = tuple(
        Part(topic, piece.groups or groups)
        for piece in found
        for topic in phrasing.topics(piece.rest, comparing=comparing)
        if phrasing.telling(topic)
    )
    plan = Plan(
        question=question,
        parts=parts or (Part("", groups),),
        comparing=comparing and len(groups) != 1,
        named=bool(groups),
        wanted=phrasing.wanted(question),
        latest=phrasing.latest(question),
        tags=roster.with_tag(question),
        page=phrasing.page(question),
    )
    return plan if before is None else _followed(plan, before, roster.groups_of(tuple(sorted(cited))))


def merged(question: str, reply: str) -> str:
    """Join a question that was too vague with the reply to ours."""
    first = question.strip().rstrip("?.! ")
    if not phrasing.telling(first) and not phrasing.compares(first) and phrasing.page(first) is None:
        return reply
    return f"{first}: {reply.strip()}"


def _followed(plan: Plan, before: Plan, cited: tuple[Group, ...]) -> Plan:
    """Take from the turn before what a follow-up leaves out: the topic, or the documents."""
    if plan.vague and plan.groups:
        return plan._replace(parts=tuple(Part(topic, plan.groups) for topic in before.topics))
    if plan.vague and plan.comparing:
        return plan._replace(parts=tuple(Part(topic) for topic in before.topics))
    if plan.vague or plan.named or plan.comparing or not phrasing.goes_on(plan.question):
        return plan
    groups = before.groups or (() if before.comparing else cited[:1])
    return plan._replace(
        parts=tuple(Part(part.topic, groups) for part in plan.parts),
        comparing=before.comparing,
        wanted=before.wanted,
        latest=before.latest,
        tags=plan.tags or before.tags,
    )
