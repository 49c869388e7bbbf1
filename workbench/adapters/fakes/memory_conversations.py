"""A conversation store in memory."""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime

from workbench.domain.conversations import USE_KEPT, Conversation, ConversationPage, Turn, Use, plain, spoken, used
from workbench.domain.errors import NotFound, StaleConversation, TurnError
from workbench.domain.events import Event
from workbench.domain.ids import ConversationId, TurnId, UserId
from workbench.domain.recordings import Recording
from workbench.domain.results import TurnStatus


class MemoryConversationStore:
    """A :class:`~workbench.services.ports.ConversationStore` that ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._conversations: dict[ConversationId, Conversation] = {}
        self._turns: dict[TurnId, Turn] = {}
        self._events: dict[TurnId, dict[int, Event]] = {}
        self._recordings: dict[TurnId, Recording] = {}
        self._uses: dict[TurnId, tuple[UserId, Use]] = {}

    def save_conversation(self, conversation: Conversation) -> None:
        with self._lock:
            self._conversations[conversation.id] = conversation

    def conversation(self, conversation_id: ConversationId) -> Conversation | None:
        return self._conversations.get(conversation_id)

    def conversations(self, user_id: UserId) -> list[Conversation]:
        with self._lock:
            found = [held for held in self._conversations.values() if held.user_id == user_id]
        return sorted(found, key=lambda held: (-held.updated_at.timestamp(), held.id))

    def find_conversations(
        self, user_id: UserId, words: Sequence[str], limit: int, offset: int = 0
    ) -> ConversationPage:
        with self._lock:
            found = [held for held in self._conversations.values() if held.user_id == user_id]
            found = [held for held in found if all(self._holds(held, word) for word in words)]
        found.sort(key=lambda held: (held.pinned, held.updated_at, held.id), reverse=True)
        return ConversationPage(found[offset : offset + limit], len(found))

    def idle_conversations(self, before: datetime) -> list[Conversation]:
        with self._lock:
            busy = {turn.conversation_id for turn in self.running_turns()}
            found = [held for held in self._conversations.values() if held.updated_at < before and not held.pinned]
        return sorted((held for held in found if held.id not in busy), key=lambda held: (held.updated_at, held.id))

    def change_conversation(
        self, conversation_id: ConversationId, change: Callable[[Conversation], Conversation]
    ) -> Conversation | None:
        with self._lock:
            held = self._conversations.get(conversation_id)
            if held is None:
                return None
            self._conversations[conversation_id] = change(held)
            return self._conversations[conversation_id]

    def delete_conversation(self, conversation_id: ConversationId) -> None:
        with self._lock:
            self._conversations.pop(conversation_id, None)
            for turn in self.turns(conversation_id):
                del self._turns[turn.id]
                self._events.pop(turn.id, None)
                self._recordings.pop(turn.id, None)

    def add_turn(self, turn: Turn) -> None:
        with self._lock:
            if turn.conversation_id not in self._conversations:
                raise NotFound("The conversation does not exist; it may have been deleted.", "Start a new chat.")
            latest = max((held.number for held in self.turns(turn.conversation_id)), default=0)
            if turn.number != latest + 1 or turn.id in self._turns:
                raise StaleConversation(
                    "This conversation went on in another tab.", "Read what is new, then ask your question again."
                )
            self._turns[turn.id] = turn
            self._uses[turn.id] = self._conversations[turn.conversation_id].user_id, used(turn)
            oldest = turn.started_at - USE_KEPT
            self._uses = {key: held for key, held in self._uses.items() if held[1].started_at >= oldest}

    def save_turn(self, turn: Turn) -> None:
        with self._lock:
            self._require(turn.id)
            self._turns[turn.id] = turn
            if turn.id in self._uses:
                self._uses[turn.id] = self._uses[turn.id][0], used(turn)

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

    def uses_since(self, user_id: UserId, start: datetime) -> list[Use]:
        with self._lock:
            found = [use for owner, use in self._uses.values() if owner == user_id and use.started_at >= start]
        return sorted(found)

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

    def save_recording(self, turn_id: TurnId, recording: Recording) -> None:
        with self._lock:
            self._require(turn_id)
            self._recordings[turn_id] = recording

    def recording(self, turn_id: TurnId) -> Recording | None:
        return self._recordings.get(turn_id)

    def _holds(self, conversation: Conversation, word: str) -> bool:
        return word in plain(conversation.title) or any(word in spoken(turn) for turn in self.turns(conversation.id))

    def _require(self, turn_id: TurnId) -> None:
        if turn_id not in self._turns:
            raise NotFound(f"The turn {turn_id} does not exist; its conversation may have been deleted.")
