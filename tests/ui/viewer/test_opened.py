"""A citation's address opens its page with the passage marked, and steps through the evidence of its answer."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from workbench.domain.budgets import Profile
from workbench.domain.chunks import ChunkKind, Segment
from workbench.domain.citations import Citation, CitedAnswer, Mention
from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound
from workbench.domain.ids import ConversationId, TurnId
from workbench.services.evidence import Evidence
from workbench.ui.addresses import MentionAddress
from workbench.ui.session import Session
from workbench.ui.viewer import opened

pytestmark = pytest.mark.req("CITE-9")

CONVERSATION, TURN = ConversationId("conv_1"), TurnId("turn_1")


class OneTurn:
    """Conversations that hold one turn."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn

    def turn(self, access, turn_id):
        if turn_id != self._turn.id:
            raise NotFound("This answer does not exist.")
        return self._turn


def citation(document, number: int, page: int) -> Citation:
    return Citation(
        number=number,
        document_id=document.id,
        container_id=document.container_id,
        document=document.name,
        container="Contracts",
        kind=ChunkKind.TEXT,
        page=page,
        page_label=f"p. {page}",
        label=f"{document.name} p. {page}",
        quote="",
        refs=(),
    )


@pytest.fixture
def session(library, pdf) -> Session:
    """Three mentions: two passages of one document on two pages, and one whose passage was not located."""
    document = library.add("halden.pdf", pdf("Payment falls due within 45 days", "Liability is capped", "Nothing here"))
    passages = []
    for number, quote in ((1, "within 45 days"), (2, "Liability is capped")):
        start = library.workbench.library.page(library.access, document.id, number).text.index(quote)
        passages.append((quote, Segment(page=number, start=start, end=start + len(quote))))
    mentions = [
        Mention(start=0, end=1, citation=index + 1, refs=(), quote=quote, spans=(span,))
        for index, (quote, span) in enumerate(passages)
    ]
    turn = Turn(
        id=TURN,
        conversation_id=CONVERSATION,
        number=1,
        question="?",
        containers=(document.container_id,),
        profile=Profile.QUICK,
        model="test",
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        answer=CitedAnswer(
            text="...",
            citations=tuple(citation(document, number, number) for number in (1, 2, 3)),
            mentions=(*mentions, Mention(start=2, end=3, citation=3, refs=())),
        ),
    )
    conversations = OneTurn(turn)
    workbench = replace(
        library.workbench, conversations=conversations, highlights=Evidence(conversations, library.workbench.library)
    )
    return Session(workbench, library.access)


def test_the_passage_is_marked_and_the_others_of_the_document_are_paler(session: Session) -> None:
    found = opened.resolve(session, MentionAddress(CONVERSATION, TURN, 1))
    assert (found.page, found.quote, found.notices) == (2, "Liability is capped", [])
    assert [(mark.page, mark.active) for mark in found.highlights] == [(2, True), (1, False)]
    assert all(mark.boxes for mark in found.highlights)
    assert (found.evidence.index, found.evidence.count) == (1, 3)
    assert found.link == "/viewer?conversation=conv_1&turn=turn_1&mention=1"


def test_a_passage_that_was_not_located_is_said_to_be_so_and_not_marked(session: Session) -> None:
    found = opened.resolve(session, MentionAddress(CONVERSATION, TURN, 2))
    assert found.page == 3
    assert [notice.text for notice in found.notices] == ["Passage not located on this page. Nothing is highlighted."]
    assert not [mark for mark in found.highlights if mark.active]


@pytest.mark.parametrize(
    "address",
    [
        MentionAddress(CONVERSATION, TURN, 3),
        MentionAddress(ConversationId("another"), TURN, 0),
        MentionAddress(CONVERSATION, TurnId("another"), 0),
    ],
)
def test_an_address_that_does_not_hang_together_opens_nothing(session: Session, address: MentionAddress) -> None:
    with pytest.raises(NotFound):
        opened.resolve(session, address)


def test_the_rights_to_the_document_are_asked_anew(session: Session) -> None:
    stranger = replace(session, access=session.access.model_copy(update={"containers": frozenset()}))
    with pytest.raises(NotFound):
        opened.resolve(stranger, MentionAddress(CONVERSATION, TURN, 0))
