"""Conversations: make, list, open, rename, delete, and remember what was chosen."""

from collections.abc import Sequence

from workbench.domain.budgets import Profile
from workbench.domain.conversations import Conversation, Turn
from workbench.domain.errors import NotFound, PinciteError
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
            raise NotFound("This conversation does not exist.", "Choose one from the list or start a new one.")
        return conversation

    def list(self, access: Access) -> list[Conversation]:
        return self._store.conversations(access.user_id)

    def turns(self, access: Access, conversation_id: ConversationId) -> Sequence[Turn]:
        return self._store.turns(self.get(access, conversation_id).id)

    def turn(self, access: Access, turn_id: TurnId) -> Turn:
        """Raises NotFound where the turn is missing or another user's."""
        turn = self._store.turn(turn_id)
        owner = self._store.conversation(turn.conversation_id) if turn else None
        if turn is None or owner is None or owner.user_id != access.user_id:
            raise NotFound("This answer does not exist.", "Open the conversation again from the list.")
        return turn

    def rename(self, access: Access, conversation_id: ConversationId, title: str) -> Conversation:
        title = " ".join(title.split())[:TITLE_LENGTH]
        if not title:
            raise PinciteError("A conversation needs a name.", "Write a few words.")
        return self._change(access, conversation_id, {"title": title})

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
        return self._change(access, conversation_id, changes)

    def touch(self, access: Access, conversation_id: ConversationId, title: str) -> Conversation:
        """Note that a turn was asked; the first question names the conversation."""
        current = self.get(access, conversation_id)
        named = current.title or _shortened(" ".join(title.split()))
        return self._change(access, conversation_id, {"title": named, "updated_at": self._clock.now()})

    def _change(self, access: Access, conversation_id: ConversationId, changes: dict[str, object]) -> Conversation:
        changed = self.get(access, conversation_id).model_copy(update=changes)
        self._store.save_conversation(changed)
        return changed


def _shortened(text: str) -> str:
    return text if len(text) <= TITLE_LENGTH else text[: TITLE_LENGTH - 1].rstrip() + "…"
