"""Findings: for each thing asked, of each supplier asked about, the sentences that answer it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.adapters.extractive.naming import Group, Roster
from workbench.adapters.extractive.plan import Part, Plan
from workbench.adapters.extractive.searches import query_for
from workbench.adapters.extractive.selection import Pick, Selector
from workbench.adapters.extractive.transcript import SEARCH, TurnSoFar
from workbench.domain.ids import DocumentId
from workbench.domain.sources import SourceBlock, parse_blocks

SENTENCES = 3
AMENDING_SHARE = 0.75
"""An amendment's sentence counts as about the same clause from this share of the original's score on."""


class Finding(NamedTuple):
    """One part with what answers it: ``picks`` of the contracts, ``amended`` of what amends them.

    ``read`` tells whether the turn was given any passage of the documents at all: at the end of its budget it is not.
    """

    part: Part
    picks: tuple[Pick, ...]
    amended: tuple[Pick, ...] = ()
    read: bool = True

    @property
    def empty(self) -> bool:
        return not self.picks and not self.amended


def compared(
    selector: Selector, plan: Plan, groups: Sequence[Group], turn: TurnSoFar, vocabulary: Mapping[str, int]
) -> list[Finding]:
    """Return one finding a group and topic, the groups in order: the best sentence of each."""
    return [
        _finding(selector, Part(topic, (group,)), turn, vocabulary, limit=1)
        for group in groups
        for topic in plan.topics
    ]


def looked_up(
    selector: Selector, plan: Plan, roster: Roster, turn: TurnSoFar, vocabulary: Mapping[str, int]
) -> list[Finding]:
    """Return one finding a part."""
    alone = len(plan.parts) == 1
    limit = SENTENCES if alone else SENTENCES - 1
    return [
        _finding(selector, part if part.groups else Part(part.topic, roster.groups), turn, vocabulary, limit)._replace(
            part=part
        )
        for part in plan.parts
    ]


def _finding(selector: Selector, part: Part, turn: TurnSoFar, vocabulary: Mapping[str, int], limit: int) -> Finding:
    amendments = frozenset(one for group in part.groups for one in group.amendments)
    documents = frozenset(one for group in part.groups for one in group.documents)
    blocks = [block for block in _blocks(turn, part.topic) if block.document in documents]
    picks = selector.select(part.topic, _of(blocks, amendments, wanted=False), vocabulary, limit)
    amended = selector.select(part.topic, _of(blocks, amendments, wanted=True), vocabulary, 1)
    if picks and amended and amended[0].score < AMENDING_SHARE * picks[0].score:
        amended = []
    return Finding(part, tuple(picks), tuple(amended), read=bool(blocks))


def _of(blocks: Sequence[SourceBlock], amendments: frozenset[DocumentId], *, wanted: bool) -> list[SourceBlock]:
    return [block for block in blocks if (block.document in amendments) is wanted]


def _blocks(turn: TurnSoFar, topic: str) -> list[SourceBlock]:
    """All sources of the turn, those found by the search for this topic first: a passage is given only once a turn, so
    what answers one part may stand in the result of another."""
    query = query_for(topic)
    own = [
        block.ref
        for call in turn.calls
        if call.name == SEARCH and call.output is not None and call.arguments.get("query") == query
        for block in parse_blocks(call.output)
    ]
    return sorted(turn.blocks, key=lambda block: block.ref not in own)
