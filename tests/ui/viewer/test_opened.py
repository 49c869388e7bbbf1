"""A citation's address opens its page with the passage marked, and steps through the evidence of its answer."""

import io
from dataclasses import replace
from datetime import UTC, datetime

import openpyxl
import pytest

from workbench.domain.budgets import Profile
from workbench.domain.chunks import ChunkKind, Segment
from workbench.domain.citations import Citation, CitedAnswer, Mention
from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound
from workbench.domain.ids import ConversationId, TurnId
from workbench.services.evidence import Evidence
from workbench.ui.addresses import MentionAddress, PageAddress
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


def turn_of(document, answer: CitedAnswer) -> Turn:
    return Turn(
        id=TURN,
        conversation_id=CONVERSATION,
        number=1,
        question="?",
        containers=(document.container_id,),
        profile=Profile.QUICK,
        model="test",
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        answer=answer,
    )


def session_over(library, turn: Turn) -> Session:
    """A session whose only turn is this one, over the real library."""
    conversations = OneTurn(turn)
    evidence = Evidence(conversations, library.workbench.library, library.workbench.deletion.sources)
    return Session(replace(library.workbench, conversations=conversations, highlights=evidence), library.access)


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
    answer = CitedAnswer(
        text="...",
        citations=tuple(citation(document, number, number) for number in (1, 2, 3)),
        mentions=(*mentions, Mention(start=2, end=3, citation=3, refs=())),
    )
    return session_over(library, turn_of(document, answer))


def test_the_passage_is_marked_and_the_others_of_the_document_are_paler(session: Session) -> None:
    found = opened.resolve(session, MentionAddress(CONVERSATION, TURN, 1))
    assert (found.page, found.quote, found.notices) == (2, "Liability is capped", [])
    assert [(mark.page, mark.active) for mark in found.highlights] == [(2, True), (1, False)]
    assert all(mark.boxes for mark in found.highlights)
    assert (found.evidence.index, found.evidence.count) == (1, 3)
    assert found.link == "/viewer?conversation=conv_1&turn=turn_1&mention=1"
    (stop,) = found.evidence.stops  # the reader may be taken there before Python knows; what was not located is none
    assert (stop.mention, stop.page) == (0, 1)
    assert stop.link == "/viewer?conversation=conv_1&turn=turn_1&mention=0"
    assert [(mark.page, mark.boxes) for mark in stop.highlights] == [(1, found.highlights[1].boxes)]


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


@pytest.mark.req("LIB-8")
def test_a_replaced_version_says_so_and_leads_to_the_newer_one(library, pdf) -> None:
    first = library.add("lease.pdf", pdf("The rent is 40"))
    second = library.add("lease.pdf", pdf("The rent is 50"))
    session = Session(library.workbench, library.access)
    found = opened.resolve(session, PageAddress(first.id, 1))
    assert found.document.id == first.id
    (notice,) = found.notices
    assert notice.text == "This is version 1 of lease.pdf; a newer version exists."
    assert (notice.link, notice.label) == (PageAddress(second.id, 1).url, "Open version 2")
    assert opened.resolve(session, PageAddress(second.id, 1)).notices == []


@pytest.mark.req("CITE-6")
def test_of_a_file_without_pages_of_its_own_it_is_said_whose_pages_they_are(library, pdf) -> None:
    memo = library.add("memo.md", b"# Memo\n\nThe pier is closed in winter.\n")
    session = Session(library.workbench, library.access)
    (notice,) = opened.resolve(session, PageAddress(memo.id, 1)).notices
    assert "as Pincite lays this file out" in notice.text
    book = library.add("memo.pdf", pdf("The pier is closed in winter"))
    assert opened.resolve(session, PageAddress(book.id, 1)).notices == []


@pytest.mark.req("CITE-8")
def test_cells_that_are_cited_are_named_by_sheet_also_where_no_page_shows_them(library) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Bob's list"
    for row in (["Item", "Price"], ["Buoy", 12], ["Rope", 3]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    document = library.add("prices.xlsx", out.getvalue())
    labels = ("'Bob''s list' A1:B1, A3:B3", "'Bob''s list' B2")
    citations = tuple(
        citation(document, number, 1).model_copy(update={"page_label": label, "kind": ChunkKind.TABLE})
        for number, label in enumerate(labels, 1)
    )
    mentions = tuple(Mention(start=n, end=n + 1, citation=n + 1, refs=()) for n in range(2))
    answer = CitedAnswer(text="...", citations=citations, mentions=mentions)
    session = session_over(library, turn_of(document, answer))
    found = opened.resolve(session, MentionAddress(CONVERSATION, TURN, 1))
    assert [(cells.sheet, cells.active) for cells in found.cells or ()] == [("Bob's list", False), ("Bob's list", True)]
    assert [tuple(each) for cells in found.cells or () for each in cells.ranges] == [
        (1, 1, 1, 2),
        (3, 1, 3, 2),
        (2, 2, 2, 2),
    ]
    assert found.notices == []
