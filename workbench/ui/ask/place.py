"""Where the Ask screen stands, as the address says it: which conversation, which answer's evidence, which tab.

The address is the only memory of it, so that reload, Back, a second tab and a copied link all show the same.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from workbench.domain.ids import ConversationId, TurnId


class Tab(StrEnum):
    """The tabs of the panel. The values stand in the address and, capitalised, on the tabs."""

    SOURCE = "source"
    TRACE = "trace"


class Place(NamedTuple):
    """``tab`` is None while the panel is closed. ``mention`` is an index into the answer's position map, from 0."""

    conversation: ConversationId | None = None
    turn: TurnId | None = None
    mention: int | None = None
    tab: Tab | None = None

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "Place":
        """Read an address. Parts that make no sense, such as a mention without its turn, are left out."""
        conversation, turn = query.get("conversation"), query.get("turn")
        if not conversation:
            return cls()
        if not turn:
            return cls(ConversationId(conversation))
        number = query.get("mention", "")
        mention = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None
        tab = Tab.TRACE if query.get("tab") == Tab.TRACE or mention is None else Tab.SOURCE
        return cls(ConversationId(conversation), TurnId(turn), mention, tab)

    @property
    def query(self) -> dict[str, str]:
        """The address's query: everything at once, so that it makes one entry in the browser's history."""
        parts: dict[str, str] = {}
        if self.conversation is not None:
            parts["conversation"] = self.conversation
        if self.turn is not None:
            parts["turn"] = self.turn
        if self.mention is not None:
            parts["mention"] = str(self.mention)
        if self.tab is Tab.TRACE:
            parts["tab"] = Tab.TRACE.value
        return parts

    def closed(self) -> "Place":
        return Place(self.conversation)

    def at_mention(self, turn: TurnId, mention: int) -> "Place":
        return Place(self.conversation, turn, mention, Tab.SOURCE)

    def at_trace(self, turn: TurnId) -> "Place":
        return Place(self.conversation, turn, self.mention if turn == self.turn else None, Tab.TRACE)
