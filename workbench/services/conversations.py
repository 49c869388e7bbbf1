"""Conversations: make, list, open, rename, delete, and remember what was chosen."""

from collections.abc import Callable, Sequence

from workbench.domain.budgets import Profile
from workbench.domain.conversations import Conversation, ConversationPage, Turn, search_words
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.events import Event
from workbench.domain.ids import ContainerId, ConversationId, TurnId, new_id
from workbench.domain.scope import Access, Filters
from workbench.services.ports import Clock, ConversationStore

TITLE_LENGTH = 80


class Conversations:
    """A user's conversations. One of another user looks the same as one that does not exist."""

    def __init__(self, store: ConversationStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def create(
        self,
        access: Access,
        containers: Sequence[ContainerId] = (),
        filters: Filters | None = None,
        profile: Profile = Profile.QUICK,
    ) -> Conversation:
        now = self._clock.now()
        conversation = Conversation(
            id=ConversationId(new_id("conv")),
            user_id=access.user_id,
            containers=tuple(containers),
            filters=filters or Filters(),
            profile=profile,
            created_at=now,
            updated_at=now,
        )
        self._store.save_conversation(conversation)
        return conversation

    def get(self, access: Access, conversation_id: ConversationId) -> Conversation:
        """Raises NotFound where the conversation is missing or another user's."""
        conversation = self._store.conversation(conversation_id)
        if conversation is None or conversation.user_id != access.user_id:
            raise _missing()
        return conversation

    def list(self, access: Access) -> list[Conversation]:
        return self._store.conversations(access.user_id)

    def find(self, access: Access, text: str = "", *, limit: int, offset: int = 0) -> ConversationPage:
        """Return a page of the user's conversations, pinned ones first and then the one used last.

        With ``text`` those in whose title, questions or answers every word of it stands, in any case and with or without
        accents.
        """
        return self._store.find_conversations(access.user_id, search_words(text), limit, offset)

    def turns(self, access: Access, conversation_id: ConversationId) -> Sequence[Turn]:
        return self._store.turns(self.get(access, conversation_id).id)

    def turn(self, access: Access, turn_id: TurnId) -> Turn:
        """Raises NotFound where the turn is missing or another user's."""
        turn = self._store.turn(turn_id)
        owner = self._store.conversation(turn.conversation_id) if turn else None
        if turn is None or owner is None or owner.user_id != access.user_id:
            raise NotFound("This answer does not exist.", "Open the conversation again from the list.")
        return turn

    def events(self, access: Access, turn_id: TurnId) -> Sequence[Event]:
        """Return the trace of a turn as far as it is stored. Raises NotFound as :meth:`turn` does."""
        return self._store.events(self.turn(access, turn_id).id)

    def rename(self, access: Access, conversation_id: ConversationId, title: str) -> Conversation:
        title = " ".join(title.split())[:TITLE_LENGTH]
        if not title:
            raise PinciteError("A conversation needs a name.", "Write a few words.")
        return self._change(access, conversation_id, lambda _: {"title": title})

    def pin(self, access: Access, conversation_id: ConversationId, *, pinned: bool) -> Conversation:
        """Keep the conversation first in the list, and from being deleted for its age; or no longer."""
        return self._change(access, conversation_id, lambda _: {"pinned": pinned})

    def choose(
        self,
        access: Access,
        conversation_id: ConversationId,
        containers: Sequence[ContainerId],
        filters: Filters,
        profile: Profile,
    ) -> Conversation:
        """Remember the choices for the turns to come."""
        changes = {"containers": tuple(containers), "filters": filters, "profile": profile}
        return self._change(access, conversation_id, lambda _: changes)

    def touch(self, access: Access, conversation_id: ConversationId, title: str) -> Conversation:
        """Note that a turn was asked; the first question names the conversation."""
        named, now = _shortened(" ".join(title.split())), self._clock.now()
        return self._change(access, conversation_id, lambda held: {"title": held.title or named, "updated_at": now})

    def _change(
        self, access: Access, conversation_id: ConversationId, changes: Callable[[Conversation], dict[str, object]]
    ) -> Conversation:
        self.get(access, conversation_id)
        changed = self._store.change_conversation(conversation_id, lambda held: held.model_copy(update=changes(held)))
        if changed is None:
            raise _missing()
        return changed


def _missing() -> NotFound:
    return NotFound("This conversation does not exist.", "Choose one from the list or start a new one.")


def _shortened(text: str) -> str:
    return text if len(text) <= TITLE_LENGTH else text[: TITLE_LENGTH - 1].rstrip() + "…"
