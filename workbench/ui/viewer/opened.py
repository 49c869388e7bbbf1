"""What an address opens: a document at a page, or the evidence behind one place of an answer (CITE-9)."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.conversations import Turn
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound
from workbench.domain.pages import Box
from workbench.ui.addresses import MentionAddress, PageAddress
from workbench.ui.session import Session
from workbench.ui.viewer.component import Evidence, Highlight

NOT_LOCATED = "The passage could not be located on this page, so nothing is highlighted."


class Opened(NamedTuple):
    """All that ``viewer.show`` needs, with the quote that is looked at (empty where there is none)."""

    document: Document
    page: int
    link: str
    highlights: Sequence[Highlight] = ()
    notice: str = ""
    evidence: Evidence | None = None
    quote: str = ""


def resolve(session: Session, address: PageAddress | MentionAddress) -> Opened:
    """Return what ``address`` opens, with the rights of ``session``.

    Raises NotFound for what is missing and what is forbidden alike.
    """
    return _page(session, address) if isinstance(address, PageAddress) else _mention(session, address)


def _page(session: Session, address: PageAddress) -> Opened:
    document = session.workbench.library.document(session.access, address.document_id)
    page = min(address.page, max(1, document.page_count))
    return Opened(document, page, link=PageAddress(document.id, page).url)


def _mention(session: Session, address: MentionAddress) -> Opened:
    turn = session.workbench.conversations.turn(session.access, address.turn_id)
    if turn.conversation_id != address.conversation_id or address.mention >= len(turn.answer.mentions):
        raise NotFound("This citation does not exist.", "Open the conversation again and choose a citation there.")
    found = session.workbench.highlights.of_mention(session.access, turn.id, address.mention)
    document = session.workbench.library.document(session.access, found.document_id)
    return Opened(
        document,
        found.page,
        link=address.url,
        highlights=_highlights(session, turn, address.mention),
        notice="" if any(marked.boxes for marked in found.pages) else NOT_LOCATED,
        evidence=Evidence(address.mention, len(turn.answer.mentions)),
        quote=found.quote,
    )


def _highlights(session: Session, turn: Turn, active: int) -> list[Highlight]:
    """The passages of the answer that stand in the active mention's document, the active one first; none twice."""
    mentions = turn.answer.mentions
    document_of = [turn.answer.citation(mention.citation).document_id for mention in mentions]
    same = [index for index in range(len(mentions)) if document_of[index] == document_of[active]]
    highlights: list[Highlight] = []
    seen: set[tuple[int, tuple[Box, ...]]] = set()
    for index in sorted(same, key=lambda index: index != active):
        found = session.workbench.highlights.of_mention(session.access, turn.id, index)
        for marked in found.pages:
            place = (marked.page, marked.boxes)
            if marked.boxes and place not in seen:
                seen.add(place)
                highlights.append(Highlight(marked.page, marked.boxes, active=index == active))
    return highlights
