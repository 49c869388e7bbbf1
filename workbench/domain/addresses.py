"""The address of a place of an answer, as links to it are written."""

from typing import NamedTuple
from urllib.parse import urlencode

from workbench.domain.ids import ConversationId, TurnId

VIEWER = "/viewer"


class MentionAddress(NamedTuple):
    """One place of an answer that cites. ``mention`` is its index in the answer's position map, from 0."""

    conversation_id: ConversationId
    turn_id: TurnId
    mention: int

    @property
    def query(self) -> dict[str, str]:
        return {"conversation": self.conversation_id, "turn": self.turn_id, "mention": str(self.mention)}

    @property
    def url(self) -> str:
        return f"{VIEWER}?{urlencode(self.query)}"
