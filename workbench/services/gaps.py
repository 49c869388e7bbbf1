"""Gaps: what was looked for and not found, recorded, and listed by topic for those who may see where it was looked for."""

import logging
from collections.abc import Sequence

from workbench.domain.conversations import Turn
from workbench.domain.errors import PinciteError
from workbench.domain.events import Event, SearchFinished
from workbench.domain.gaps import Gap, GapOrigin, GapReason, Topic, topics
from workbench.domain.ids import ContainerId, ConversationId, GapId, TurnId, UserId, new_id
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.rights import Access, Action, allowed
from workbench.domain.scope import Filters
from workbench.services.ports import Clock, ConversationStore, GapStore

log = logging.getLogger(__name__)

LONGEST = 1000
"""Characters of a query that are kept."""


class Gaps:
    """The use case of gaps.

    A gap of a conversation tells what was asked in it, so it goes with the conversation. Recording never fails: where the
    store does not take a gap, the search or the turn goes on and the log says so.
    """

    def __init__(self, store: GapStore, conversations: ConversationStore, clock: Clock) -> None:
        self._store = store
        self._conversations = conversations
        self._clock = clock

    def record(
        self,
        user_id: UserId,
        containers: Sequence[ContainerId],
        query: str,
        filters: Filters,
        origin: GapOrigin,
        reason: GapReason = GapReason.NOTHING_FOUND,
        conversation_id: ConversationId | None = None,
    ) -> None:
        """Note that something was looked for in vain. An empty query is none."""
        query = " ".join(query.split())[:LONGEST]
        if not query:
            return
        gap = Gap(
            id=GapId(new_id("gap")),
            user_id=user_id,
            containers=tuple(containers),
            query=query,
            filters=filters,
            origin=origin,
            reason=reason,
            asked_at=self._clock.now(),
            conversation_id=conversation_id,
        )
        try:
            self._store.add_gap(gap)
        except PinciteError as error:
            log.warning("a gap could not be recorded: %s", error)

    def take_turn(self, turn_id: TurnId) -> None:
        """Record the gaps of a turn that has ended, from its stored events.

        A question that was searched for and answered without any citation is one gap; else each search that found nothing is.
        """
        try:
            turn = self._conversations.turn(turn_id)
            conversation = self._conversations.conversation(turn.conversation_id) if turn else None
            events = self._conversations.events(turn_id) if conversation else []
        except PinciteError as error:
            log.warning("the gaps of turn %s could not be read: %s", turn_id, error)
            return
        if turn is None or conversation is None:
            return
        for query, filters, reason in _missed(turn, events):
            self.record(
                conversation.user_id, turn.containers, query, filters, GapOrigin.ASSISTANT, reason, conversation.id
            )

    def topics(self, access: Access) -> list[Topic]:
        """Return the topics of the gaps all of whose containers the user may see, the most asked first."""
        return topics(gap for gap in self._store.gaps() if gap.containers and all(map(access.may_see, gap.containers)))

    def dismiss(self, access: Access, gap_ids: Sequence[GapId]) -> None:
        """Forget these gaps, as far as the user may: an editor of where was looked, or who looked in vain.

        Their topic returns when it is asked for again.
        """
        visible = [gap for topic in self.topics(access) for gap in topic.gaps]
        mine = {gap.id for gap in visible if _may_dismiss(access, gap)}
        self._store.delete_gaps([each for each in gap_ids if each in mine])


def _may_dismiss(access: Access, gap: Gap) -> bool:
    return gap.user_id == access.user_id or all(allowed(access, each, Action.EDIT) for each in gap.containers)


def _missed(turn: Turn, events: Sequence[Event]) -> list[tuple[str, Filters, GapReason]]:
    searches = [event for event in events if isinstance(event, SearchFinished)]
    answered = turn.status is TurnStatus.ANSWERED and turn.result_type is ResultType.ANSWER
    if searches and answered and not turn.answer.citations:
        return [(turn.question, turn.filters, GapReason.NOT_ANSWERED)]
    failed = {event.query: event for event in searches if found_nothing(event)}
    return [(event.query, event.filters or turn.filters, GapReason.NOTHING_FOUND) for event in failed.values()]


def found_nothing(search: SearchFinished) -> bool:
    """Tell whether a search of a turn had no passage to give, as opposed to none that was new or within the budget."""
    held_back = ("already given as", "nearly the same as", "the turn's budget")
    return not search.kept and not any(hit.reason.startswith(held_back) for hit in search.cut)
