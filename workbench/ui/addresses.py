"""The addresses inside the app: what a link says, and the same read back from a query."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from workbench.domain.addresses import VIEWER, MentionAddress
from workbench.domain.ids import ConversationId, DocumentId, TurnId

__all__ = ["DOCUMENT", "VIEWER", "DocumentAddress", "MentionAddress", "PageAddress", "read"]

DOCUMENT = "/document"


class DocumentAddress(NamedTuple):
    """The page that tells of a document."""

    document_id: DocumentId

    @property
    def query(self) -> dict[str, str]:
        return {"document": self.document_id}

    @property
    def url(self) -> str:
        return f"{DOCUMENT}?{urlencode(self.query)}"


class PageAddress(NamedTuple):
    """A page of a document. ``passage`` is the number of a passage to mark there, for the ``words`` it was found by."""

    document_id: DocumentId
    page: int
    passage: int | None = None
    words: str = ""

    @property
    def query(self) -> dict[str, str]:
        query = {"document": self.document_id, "page": str(self.page)}
        return query if self.passage is None else {**query, "passage": str(self.passage), "words": self.words}

    @property
    def url(self) -> str:
        return f"{VIEWER}?{urlencode(self.query)}"


def read(query: Mapping[str, str]) -> PageAddress | MentionAddress | None:
    """Return the address that ``query`` names, or None where it names none. A number that is not one names none."""
    if {"conversation", "turn", "mention"} <= query.keys() and _is_number(query["mention"]):
        return MentionAddress(
            ConversationId(query["conversation"]), TurnId(query["turn"]), mention=int(query["mention"])
        )
    if "document" in query and _is_number(query.get("page", "1")):
        page = PageAddress(DocumentId(query["document"]), page=max(1, int(query.get("page", "1"))))
        passage = query.get("passage", "")
        return page._replace(passage=int(passage), words=query.get("words", "")) if _is_number(passage) else page
    return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
