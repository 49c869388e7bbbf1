"""The Ask screen over real parts: only the model is a script, and the embedding a fake."""

from collections.abc import Callable
from threading import Event as Gate

import pytest

from tests.ui.ask.desk import QUESTION, Desk, Open, html, search, shown_turn
from workbench.adapters.fakes.steps import Step, say
from workbench.domain.budgets import Profile, UserLimits
from workbench.domain.errors import HistoryExpired, ModelUnavailable
from workbench.domain.items import UserMessage
from workbench.domain.results import TurnStatus
from workbench.ui.ask.running_turn import RunningTurn
from workbench.ui.ask.session_keys import AskKey

SEARCH = search("payment due")
ANSWER = say("Due in **45 days** [S1]. Costs $5 <b>net</b>.")


@pytest.mark.req("ASK-11")
def test_without_documents_the_screen_leads_to_them(library: object, open_screen: Open) -> None:
    at = open_screen("ask")

    assert [button.key for button in at.button if button.key == "ask.documents"] == ["ask.documents"]
    assert "There are no documents to ask about yet" in html(at)


@pytest.mark.req("ASK-11", "CITE-5")
def test_a_question_becomes_a_conversation_with_a_cited_answer(
    desk_for: Callable[..., Desk], open_screen: Open
) -> None:
    desk = desk_for(SEARCH, ANSWER)
    at = open_screen("ask")
    at.chat_input(key=AskKey.QUESTION).set_value(QUESTION).run()
    (conversation,) = desk.workbench.conversations.list(desk.access)
    (turn,) = desk.workbench.conversations.turns(desk.access, conversation.id)

    assert at.query_params["conversation"] == conversation.id
    assert turn.status is TurnStatus.ANSWERED
    assert f'href="/viewer?conversation={conversation.id}&amp;turn={turn.id}&amp;mention=0"' in html(at)
    assert "halden p. " in html(at)
    assert "search ‘payment due’</a>" in html(at)


@pytest.mark.req("ASK-11", "CITE-5")
def test_a_stored_turn_is_shown_again_exactly_as_it_was(desk_for: Callable[..., Desk], open_screen: Open) -> None:
    turn = desk_for(SEARCH, ANSWER).asked()
    first = html(shown_turn(open_screen, turn, turn=turn.id, tab="trace"))
    second = html(shown_turn(open_screen, turn, turn=turn.id, tab="trace"))

    assert first == second
    assert "Search ‘payment due’ in Contracts" in first


@pytest.mark.req("CITE-10")
def test_the_answer_is_not_markup(desk_for: Callable[..., Desk], open_screen: Open) -> None:
    turn = desk_for(SEARCH, ANSWER).asked()

    assert "Costs $5 &lt;b&gt;net&lt;/b&gt;." in html(shown_turn(open_screen, turn))


@pytest.mark.req("ASK-11")
def test_a_running_turn_is_taken_up_and_shown_to_its_end(
    desk_for: Callable[..., Desk], open_screen: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model waits in the middle of its answer until the screen has drawn the turn as running."""
    draw = RunningTurn._draw
    seen = Gate()
    desk = desk_for(SEARCH, ANSWER, after_piece=lambda _: seen.wait(20) and None)
    monkeypatch.setattr(RunningTurn, "_draw", lambda self, *args: (draw(self, *args), seen.set()))
    running = desk.workbench.turns.ask(desk.access, desk.conversation().id, QUESTION)
    at = shown_turn(open_screen, running)

    assert seen.is_set()
    assert "<strong>45 days</strong>" in html(at)
    assert 'class="pc-live"' not in html(at)


@pytest.mark.req("ASK-11")
def test_a_failed_turn_says_what_happened_and_asks_again(desk_for: Callable[..., Desk], open_screen: Open) -> None:
    failure = Step(error=ModelUnavailable("The provider did not answer.", "Ask again in a minute."))
    desk = desk_for(failure, SEARCH, ANSWER)
    turn = desk.asked()
    at = shown_turn(open_screen, turn)
    failed = html(at)
    at.button(key=f"ask-remedy-{turn.id}").click().run()

    assert "<b>No answer.</b> The provider did not answer. Ask again in a minute." in failed
    assert "<strong>45 days</strong>" in html(at)


@pytest.mark.req("ASK-11")
def test_an_expired_history_leads_to_a_new_chat_in_one_click(desk_for: Callable[..., Desk], open_screen: Open) -> None:
    turn = desk_for(Step(error=HistoryExpired("The provider forgot it.", "Start a new chat."))).asked()
    at = shown_turn(open_screen, turn)
    at.button(key=f"ask-remedy-{turn.id}").click().run()

    assert "conversation" not in at.query_params
    assert "Ask your documents" in html(at)


@pytest.mark.req("ASK-13", "ASK-12")
def test_an_expired_history_goes_on_from_our_copy(desk_for: Callable[..., Desk], open_screen: Open) -> None:
    expired = Step(error=HistoryExpired("The provider forgot it.", "Start a new chat."))
    desk = desk_for(SEARCH, ANSWER, expired, say("As said before."))
    talk = desk.asked().conversation_id
    turns = desk.workbench.turns
    turn = turns.wait(desk.access, turns.ask(desk.access, talk, "And the fee?").id)
    at = shown_turn(open_screen, turn)
    at.button(key=f"ask-remedy-{turn.id}-second").click().run()

    assert at.query_params["conversation"] == talk
    assert "As said before." in html(at)
    last = desk.workbench.model.requests[-1]
    assert last.previous_response_id is None
    assert [item.type for item in last.history] == [
        "user_message",
        "function_call",
        "function_call_output",
        "assistant_message",
    ]
    assert last.input == (UserMessage(text="And the fee?"),)


@pytest.mark.req("ASK-14")
def test_a_question_over_the_users_limit_is_kept_with_the_time_of_the_next_try(
    desk_for: Callable[..., Desk], open_screen: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_for(SEARCH, ANSWER)
    monkeypatch.setattr(desk.workbench.turns._rates, "_limits", UserLimits(turns_per_minute=1))
    turn = desk.asked()
    at = shown_turn(open_screen, turn)
    at.chat_input(key=AskKey.QUESTION).set_value("And the fee?").run()

    assert "<b>Not asked.</b> You have asked 1 question within a minute; the limit is 1. Ask again at" in html(at)
    assert "And the fee?" in html(at)
    assert len(desk.workbench.conversations.turns(desk.access, turn.conversation_id)) == 1


@pytest.mark.req("ASK-8")
def test_the_profile_is_remembered_with_the_conversation(desk_for: Callable[..., Desk], open_screen: Open) -> None:
    desk = desk_for(SEARCH, ANSWER)
    turn = desk.asked()
    at = shown_turn(open_screen, turn)
    at.segmented_control(key=f"ask-profile-{turn.conversation_id}").set_value(Profile.THOROUGH).run()
    again = shown_turn(open_screen, turn)

    assert desk.workbench.conversations.get(desk.access, turn.conversation_id).profile is Profile.THOROUGH
    assert again.segmented_control(key=f"ask-profile-{turn.conversation_id}").value is Profile.THOROUGH


@pytest.mark.req("ASK-11")
def test_a_question_without_a_container_is_refused_and_kept(desk_for: Callable[..., Desk], open_screen: Open) -> None:
    desk = desk_for()
    at = open_screen("ask")
    at.multiselect(key="ask-containers-draft").set_value([]).run()
    at.chat_input(key=AskKey.QUESTION).set_value(QUESTION).run()

    assert "<b>Not asked.</b> No container is chosen" in html(at)
    assert QUESTION in html(at)
    assert desk.workbench.conversations.list(desk.access) == []


@pytest.mark.req("CITE-9")
def test_a_conversation_that_is_not_there_is_said_to_be_missing(
    desk_for: Callable[..., Desk], open_screen: Open
) -> None:
    desk_for()
    at = open_screen("ask", conversation="conv_nowhere", turn="turn_x", mention="0")

    assert "This conversation does not exist" in at.warning[0].value
    assert "Ask your documents" in html(at)


@pytest.mark.req("TRACE-1")
def test_the_banner_goes_for_the_session_once_dismissed(library: object, open_screen: Open) -> None:
    at = open_screen("ask")
    before = html(at)
    at.button(key="ask-banner-hide").click().run()

    assert "No language model is configured" in before
    assert "No language model is configured" not in html(at)
