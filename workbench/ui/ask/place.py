"""Where the Ask screen stands, as the address says it: which conversation, which answer's evidence, which tab.

The address is the only memory of it, so that reload, Back, a second tab and a copied link all show the same.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from workbench.domain.ids import ConversationId, DocumentId, TurnId
from workbench.ui import addresses
from workbench.ui.addresses import MentionAddress, PageAddress


class Tab(StrEnum):
    """The tabs of the panel. The values stand in the address and, capitalised, on the tabs."""

    SOURCE = "source"
    TRACE = "trace"


class ListPage(NamedTuple):
    """The page to which one turn's list of documents is turned, from 1. Lists of other turns stand at the page they came
    with."""

    turn: TurnId
    page: int


class Place(NamedTuple):
    """``tab`` is None while the panel is closed. ``mention`` is an index into the answer's position map, from 0;
    ``document`` is a page opened from a list instead. ``step`` names the step of the trace that is looked at: its tool call.
    """

    conversation: ConversationId | None = None
    turn: TurnId | None = None
    mention: int | None = None
    tab: Tab | None = None
    document: PageAddress | None = None
    listed: ListPage | None = None
    step: str | None = None

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "Place":
        """Read an address. Parts that make no sense, such as a mention without its turn, are left out."""
        conversation, turn = query.get("conversation"), query.get("turn")
        if not conversation:
            return cls()
        place = cls(ConversationId(conversation), listed=_list_page(query))
        document = _document(query)
        if turn is None and document is not None:
            return place.at_document(document)
        if not turn:
            return place
        mention = _number(query.get("mention", ""))
        tab = Tab.TRACE if query.get("tab") == Tab.TRACE or (mention is None and document is None) else Tab.SOURCE
        step = query.get("step") if tab is Tab.TRACE else None
        return place._replace(turn=TurnId(turn), mention=mention, tab=tab, document=document, step=step)

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
        if self.document is not None:
            parts |= self.document.query
        if self.tab is Tab.TRACE:
            parts["tab"] = Tab.TRACE.value
            parts |= {"step": self.step} if self.step is not None else {}
        if self.listed is not None:
            parts |= {"list": self.listed.turn, "list_page": str(self.listed.page)}
        return parts

    def followed(self, link: Mapping[str, str]) -> "Place":
        """Return where a link leads from here: to the same evidence, page or step of a trace, in the panel."""
        if "step" in link:
            return Place.read(link)._replace(listed=self.listed)
        match addresses.read(link):
            case MentionAddress() as address:
                there = self._replace(conversation=address.conversation_id)
                return there.at_mention(address.turn_id, address.mention)
            case PageAddress() as address:
                return self.at_document(address)
            case _:
                return self

    def closed(self) -> "Place":
        return Place(self.conversation, listed=self.listed)

    def at_mention(self, turn: TurnId, mention: int) -> "Place":
        return Place(self.conversation, turn, mention, Tab.SOURCE, listed=self.listed)

    def at_document(self, document: PageAddress) -> "Place":
        return Place(self.conversation, tab=Tab.SOURCE, document=document, listed=self.listed)

    def at_trace(self, turn: TurnId) -> "Place":
        """Keep the evidence that is open: the other tab still shows it."""
        if self.document is not None:
            return self._replace(turn=turn, tab=Tab.TRACE)
        mention = self.mention if turn == self.turn else None
        return Place(self.conversation, turn, mention, Tab.TRACE, listed=self.listed)

    def at_list(self, turn: TurnId, page: int) -> "Place":
        return self._replace(listed=ListPage(turn, page))

    def list_page(self, turn: TurnId) -> int | None:
        """Return the page to which this turn's list is turned; None where it stands as it came."""
        return self.listed.page if self.listed is not None and self.listed.turn == turn else None


def _document(query: Mapping[str, str]) -> PageAddress | None:
    page = _number(query.get("page", "1"))
    if not query.get("document") or page is None or "mention" in query:
        return None
    return PageAddress(DocumentId(query["document"]), max(1, page))


def _list_page(query: Mapping[str, str]) -> ListPage | None:
    page = _number(query.get("list_page", ""))
    return ListPage(TurnId(query["list"]), page) if query.get("list") and page else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
