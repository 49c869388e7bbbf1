"""The deletion of conversations: what the providers keep of them is written down first, then our rows go, then theirs."""

from collections.abc import Callable, Sequence
from functools import partial

from workbench.domain.conversations import Conversation
from workbench.domain.deletions import ProviderObject, Receipt, ReceiptItem, What
from workbench.domain.errors import ModelUnavailable, PinciteError, RateLimited
from workbench.domain.events import CodeRan
from workbench.domain.ids import ConversationId, TurnId, UserId
from workbench.services.deletion.provider_objects import collected
from workbench.services.deletion.steps import Keep, Step, proved
from workbench.services.ports import ConversationStore, GapStore, ProviderObjects

_ROWS = (What.RECORD, What.TURNS, What.TRACE, What.CODE_RUNS, What.GAPS)


class ConversationPlan:
    """Deletes conversations, here and at the providers of their models.

    The ids of everything kept elsewhere are in the receipt before a row of ours goes: so nothing that was said can be read
    here any more while a provider is slow or away. ``end_turns`` ends the turns that still run, whose ids would be missed.
    """

    def __init__(
        self,
        *,
        store: ConversationStore,
        gaps: GapStore,
        providers: Sequence[ProviderObjects],
        end_turns: Callable[[UserId, ConversationId], None],
    ) -> None:
        self._store = store
        self._gaps = gaps
        self._providers = providers
        self._end_turns = end_turns

    def items(self, conversation: Conversation) -> tuple[ReceiptItem, ...]:
        """Return our own rows, counted."""
        counts = self._rows(conversation.id, self._turn_ids(conversation.id))
        return tuple(ReceiptItem(what=what, subject=conversation.id, before=counts[what]) for what in _ROWS)

    def first(self, receipt: Receipt) -> list[Step]:
        keys = tuple((what, receipt.subject) for what in _ROWS)
        return [Step("rows", keys, partial(self._remove_rows, receipt))]

    def rest(self, receipt: Receipt) -> list[Step]:
        away: dict[str, str] = {}
        return [
            Step(f"{kept.what.value} {kept.id}", (item.key,), partial(self._remove_object, item, kept, away))
            for item in receipt.items
            if (kept := item.at_provider) is not None
        ]

    def _remove_rows(self, receipt: Receipt, keep: Keep) -> Sequence[ReceiptItem]:
        conversation_id = ConversationId(receipt.subject)
        self._end_turns(receipt.asked_by, conversation_id)
        keep(self._collect(receipt, conversation_id))
        turns = self._turn_ids(conversation_id)
        before = self._rows(conversation_id, turns)
        self._store.delete_conversation(conversation_id)
        self._gaps.delete_gaps_of(conversation_id)
        left = self._rows(conversation_id, turns)
        return [proved(item, before[item.what], left[item.what]) for item in receipt.items if item.what in _ROWS]

    def _collect(self, receipt: Receipt, conversation_id: ConversationId) -> list[ReceiptItem]:
        known = {item.key for item in receipt.items}
        found: dict[tuple[What, str], ReceiptItem] = {}
        for turn in self._store.turns(conversation_id):
            for kept in collected(turn, self._store.events(turn.id)):
                item = ReceiptItem(what=kept.what, subject=kept.id, name=kept.id, before=1, at_provider=kept)
                found.setdefault(item.key, item)
        return [item for key, item in found.items() if key not in known]

    def _remove_object(
        self, item: ReceiptItem, kept: ProviderObject, away: dict[str, str], _: Keep
    ) -> Sequence[ReceiptItem]:
        """Delete one object; a provider that does not answer is asked once for all of its objects."""
        if kept.provider in away:
            raise ModelUnavailable(away[kept.provider])
        try:
            fate = self._provider_of(kept).delete(kept)
        except (ModelUnavailable, RateLimited) as error:
            away[kept.provider] = error.message
            raise
        return [item.model_copy(update={"fate": fate, "detail": ""})]

    def _provider_of(self, kept: ProviderObject) -> ProviderObjects:
        if not kept.provider:
            raise PinciteError("Which provider made it was not recorded.", "Look for it at your providers.")
        found = next((each for each in self._providers if each.keeps(kept.provider)), None)
        if found is None:
            address = kept.provider.partition("#")[0]
            raise PinciteError(
                f"It was made by {address}, which is not the provider that is set now.",
                "It is tried again at each start with that provider set.",
            )
        return found

    def _turn_ids(self, conversation_id: ConversationId) -> list[TurnId]:
        return [turn.id for turn in self._store.turns(conversation_id)]

    def _rows(self, conversation_id: ConversationId, turn_ids: Sequence[TurnId]) -> dict[What, int]:
        """Count what is there: the conversation, turns found by it or by their ids, the events and code runs of those, and
        what the collection was noted to lack."""
        turns = {*turn_ids, *self._turn_ids(conversation_id)}
        events = [event for turn_id in turns for event in self._store.events(turn_id)]
        return {
            What.RECORD: int(self._store.conversation(conversation_id) is not None),
            What.TURNS: sum(self._store.turn(turn_id) is not None for turn_id in turns),
            What.TRACE: len(events),
            What.CODE_RUNS: sum(isinstance(event, CodeRan) for event in events),
            What.GAPS: len(self._gaps.gaps_of(conversation_id)),
        }
