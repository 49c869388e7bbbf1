"""A conversation store in memory."""

import threading
from collections.abc import Sequence

from workbench.domain.conversations import Conversation, Turn
from workbench.domain.errors import NotFound, TurnError, TurnInProgress
from workbench.domain.events import Event
from workbench.domain.ids import ConversationId, TurnId, UserId
from workbench.domain.results import TurnStatus


class MemoryConversationStore:
    """A :class:`~workbench.services.ports.ConversationStore` that ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._conversations: dict[ConversationId, Conversation] = {}
        self._turns: dict[TurnId, Turn] = {}
        self._events: dict[TurnId, dict[int, Event]] = {}

    def save_conversation(self, conversation: Conversation) -> None:
        with self._lock:
            self._conversations[conversation.id] = conversation

    def conversation(self, conversation_id: ConversationId) -> Conversation | None:
        return self._conversations.get(conversation_id)

    def conversations(self, user_id: UserId) -> list[Conversation]:
        with self._lock:
            found = [held for held in self._conversations.values() if held.user_id == user_id]
        return sorted(found, key=lambda held: (-held.updated_at.timestamp(), held.id))

    def delete_conversation(self, conversation_id: ConversationId) -> None:
        with self._lock:
            self._conversations.pop(conversation_id, None)
            for turn in self.turns(conversation_id):
                del self._turns[turn.id]
                self._events.pop(turn.id, None)

    def add_turn(self, turn: Turn) -> None:
        with self._lock:
            if turn.conversation_id not in self._conversations:
                raise NotFound("The conversation does not exist; it may have been deleted.", "Start a new chat.")
            numbers = {held.number for held in self.turns(turn.conversation_id)}
            if turn.number in numbers or turn.id in self._turns:
                raise TurnInProgress(f"Question {turn.number} of this conversation has been asked already.")
            self._turns[turn.id] = turn

    def save_turn(self, turn: Turn) -> None:
        with self._lock:
            self._require(turn.id)
            self._turns[turn.id] = turn

    def turn(self, turn_id: TurnId) -> Turn | None:
        return self._turns.get(turn_id)

    def turns(self, conversation_id: ConversationId) -> list[Turn]:
        with self._lock:
            found = [turn for turn in self._turns.values() if turn.conversation_id == conversation_id]
        return sorted(found, key=lambda turn: turn.number)

    def running_turns(self) -> list[Turn]:
        with self._lock:
            found = [turn for turn in self._turns.values() if turn.status is TurnStatus.RUNNING]
        return sorted(found, key=lambda turn: (turn.conversation_id, turn.number))

    def append_events(self, turn_id: TurnId, events: Sequence[Event]) -> None:
        if not events:
            return
        with self._lock:
            self._require(turn_id)
            held = self._events.setdefault(turn_id, {})
            new = {event.seq: event for event in events}
            if len(new) < len(events) or new.keys() & held.keys():
                raise TurnError(f"An event of turn {turn_id} was recorded twice; the second one is refused.")
            held.update(new)

    def events(self, turn_id: TurnId) -> list[Event]:
        with self._lock:
            return [event for _, event in sorted(self._events.get(turn_id, {}).items())]

    def _require(self, turn_id: TurnId) -> None:
        if turn_id not in self._turns:
            raise NotFound(f"The turn {turn_id} does not exist; its conversation may have been deleted.")
