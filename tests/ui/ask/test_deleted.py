"""What the Ask screen says of a source that was deleted, and of a conversation that was."""

from collections.abc import Callable

import pytest

from tests.ui.ask.desk import Desk, Open, html, search, shown_turn
from workbench.adapters.fakes.steps import say
from workbench.domain.conversations import Turn
from workbench.ui.ask.session_keys import AskKey

ANSWER = say("Payment is due within 45 days [S1].")


def asked_and_deleted(desk: Desk) -> Turn:
    turn = desk.asked()
    assert turn.answer.citations, turn
    desk.workbench.deletion.delete_document(desk.access, turn.answer.citations[0].document_id)
    return turn


def plain(element) -> str:
    return element.value.replace("\\", "")


@pytest.mark.req("CHAT-3")
def test_an_answer_keeps_its_text_and_says_that_its_source_was_deleted(
    desk_for: Callable[..., Desk], open_screen: Open
) -> None:
    desk = desk_for(search("payment"), ANSWER)
    turn = desk.asked()
    assert "deleted on" not in html(shown_turn(open_screen, turn))

    desk.workbench.deletion.delete_document(desk.access, turn.answer.citations[0].document_id)

    shown = html(shown_turn(open_screen, turn))
    assert "Payment is due within 45 days" in shown
    assert "deleted on" in shown


@pytest.mark.req("CHAT-3")
def test_opening_such_a_citation_says_when_the_source_was_deleted(
    desk_for: Callable[..., Desk], open_screen: Open
) -> None:
    desk = desk_for(search("payment"), ANSWER)
    turn = asked_and_deleted(desk)
    (receipt,) = desk.workbench.deletion.receipts(desk.access)
    day = f"{receipt.asked_at.day} {receipt.asked_at:%B %Y}"

    at = shown_turn(open_screen, turn, turn=turn.id, mention="0")
    assert [plain(each) for each in at.info if f"was deleted on {day}" in plain(each)]

    at = open_screen("viewer", conversation=turn.conversation_id, turn=turn.id, mention="0")
    assert at.header[0].value == "Deleted"
    assert f"was deleted on {day}" in at.text[0].value

    at = open_screen("viewer", document=turn.answer.citations[0].document_id, page="1")
    assert at.header[0].value == "Deleted"

    at = open_screen("viewer", document="doc_never", page="1")
    assert at.header[0].value == "Not found"


@pytest.mark.req("CHAT-2")
def test_the_receipt_of_a_conversation_is_said_once(desk_for: Callable[..., Desk], open_screen: Open) -> None:
    desk_for()
    at = open_screen("ask")
    at.session_state[AskKey.DELETED] = "Conversation of 4 May 2026 is deleted."
    at.run()
    assert [plain(each) for each in at.toast] == ["Conversation of 4 May 2026 is deleted."]
    at.run()
    assert not at.toast
