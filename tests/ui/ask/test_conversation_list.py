"""The list of conversations, and one conversation in two tabs."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.ask.desk import QUESTION, Desk, Open, html
from workbench.adapters.fakes.steps import say
from workbench.domain.budgets import Profile
from workbench.domain.conversations import Conversation
from workbench.ui.ask.conversation_list import SHOWN
from workbench.ui.ask.session_keys import AskKey

pytestmark = pytest.mark.req("CHAT-1")

Make = Callable[..., Desk]
HOSTILE = "**bold** [x](javascript:1) <b>html</b> :material/home: $x$ " + "long " * 10


def listed(at: AppTest) -> list[str]:
    return [button.key.removeprefix("ask-open-") for button in at.sidebar.button if button.key.startswith("ask-open-")]


def talks(desk: Desk, *titles: str) -> list[Conversation]:
    return [desk.workbench.conversations.rename(desk.access, desk.conversation().id, title) for title in titles]


def test_the_list_is_searched_and_turned_page_by_page(desk_for: Make, open_screen: Open) -> None:
    desk = desk_for()
    made = talks(desk, *(f"Talk {number}" for number in range(1, SHOWN + 6)))
    desk.workbench.conversations.pin(desk.access, made[3].id, pinned=True)
    at = open_screen("ask")

    first = listed(at)
    at.sidebar.button(key="ask.list.older").click().run()
    rest = listed(at)
    at.sidebar.text_input(key=AskKey.LIST_WORDS).set_value("talk 17").run()

    assert first[0] == made[3].id
    assert (len(first), len(rest)) == (SHOWN, 5)
    assert {*first, *rest} == {each.id for each in made}
    assert listed(at) == [made[16].id]
    at.sidebar.text_input(key=AskKey.LIST_WORDS).set_value("quokka").run()
    assert listed(at) == []
    assert [caption.value for caption in at.sidebar.caption] == ["No conversation has all of these words."]


def test_the_open_conversation_stands_in_the_list_wherever_it_belongs(desk_for: Make, open_screen: Open) -> None:
    desk = desk_for()
    made = talks(desk, *(f"Talk {number}" for number in range(SHOWN + 1)))
    last = desk.workbench.conversations.find(desk.access, limit=1, offset=SHOWN).items[0]

    at = open_screen("ask", conversation=last.id)

    assert listed(at)[0] == last.id
    assert len(listed(at)) == SHOWN + 1 == len(made)


@pytest.mark.req("CITE-10")
def test_a_long_hostile_title_is_text_on_one_short_line(desk_for: Make, open_screen: Open) -> None:
    desk = desk_for()
    (talk,) = talks(desk, HOSTILE)
    button = next(each for each in open_screen("ask").sidebar.button if each.key == f"ask-open-{talk.id}")

    assert len(button.label) < 120
    for mark in ("**", "[x]", "<b>", ":material/", "$x$"):
        assert mark not in button.label


@pytest.mark.req("CHAT-4")
def test_a_tab_that_is_behind_is_told_and_refreshed_and_keeps_its_question(desk_for: Make, open_screen: Open) -> None:
    desk = desk_for(say("First."), say("Second."), say("Third."))
    talk = desk.asked().conversation_id
    behind, ahead = open_screen("ask", conversation=talk), open_screen("ask", conversation=talk)
    ahead.chat_input(key=AskKey.QUESTION).set_value("From the tab ahead?").run()

    behind.chat_input(key=AskKey.QUESTION).set_value("From the tab behind?").run()

    told = html(behind)
    assert "This conversation went on in another tab." in told
    assert "From the tab behind?" in told
    assert "From the tab ahead?" in told
    asked = [turn.question for turn in desk.workbench.conversations.turns(desk.access, talk)]
    assert asked == [QUESTION, "From the tab ahead?"]

    behind.chat_input(key=AskKey.QUESTION).set_value("From the tab behind?").run()

    asked = [turn.question for turn in desk.workbench.conversations.turns(desk.access, talk)]
    assert asked == [QUESTION, "From the tab ahead?", "From the tab behind?"]
    assert "went on in another tab" not in html(behind)


@pytest.mark.req("CHAT-4")
def test_a_conversation_deleted_in_another_tab_is_told_and_the_question_is_kept(
    desk_for: Make, open_screen: Open
) -> None:
    desk = desk_for(say("First."), say("Second."))
    talk = desk.asked().conversation_id
    behind = open_screen("ask", conversation=talk)
    desk.workbench.deletion.delete_conversation(desk.access, talk)

    behind.chat_input(key=AskKey.QUESTION).set_value("Still there?").run()

    assert not behind.exception
    assert "This conversation does not exist" in behind.warning[0].value
    assert "Still there?" in html(behind)
    assert desk.workbench.conversations.list(desk.access) == []


@pytest.mark.req("CHAT-4", "ASK-8")
def test_what_was_chosen_in_another_tab_is_not_written_over(desk_for: Make, open_screen: Open) -> None:
    desk = desk_for(say("First."))
    talk = desk.asked().conversation_id
    behind = open_screen("ask", conversation=talk)
    held = desk.workbench.conversations.get(desk.access, talk)
    desk.workbench.conversations.choose(desk.access, talk, held.containers, held.filters, Profile.THOROUGH)
    desk.workbench.conversations.rename(desk.access, talk, "Renamed ahead")

    behind.run()

    now = desk.workbench.conversations.get(desk.access, talk)
    assert (now.profile, now.title) == (Profile.THOROUGH, "Renamed ahead")
    (profile,) = (each for each in behind.get("button_group") if each.key.startswith("ask-profile"))
    assert profile.value in (Profile.THOROUGH, [Profile.THOROUGH])


def test_the_menu_pins_and_offers_the_exports(desk_for: Make, open_screen: Open) -> None:
    desk = desk_for(say("First."))
    talk = desk.asked().conversation_id
    at = open_screen("ask", conversation=talk)
    menu = f"ask-menu-{talk}"

    at.menu_button(key=menu).click(":material/keep: Pin to the top").run()
    pinned = desk.workbench.conversations.get(desk.access, talk).pinned
    at.menu_button(key=menu).click(":material/keep_off: Unpin").run()
    at.menu_button(key=menu).click(":material/download: Export").run()

    assert pinned
    assert not desk.workbench.conversations.get(desk.access, talk).pinned
    assert not at.exception
    assert [button.key for button in at.download_button] == ["ask-export-md", "ask-export-json"]


def test_the_end_of_a_turn_sweeps_no_dialog_away(desk_for: Make, open_screen: Open) -> None:
    desk = desk_for()
    talk, other = talks(desk, "Talk", "Another talk")
    at = open_screen("ask", conversation=talk.id)

    at.menu_button(key=f"ask-menu-{talk.id}").click(":material/edit: Rename").run()
    at.text_input(key=f"ask-title-{talk.id}").set_value("Renamed")
    at.run()  # as when a turn ends meanwhile
    assert at.text_input(key=f"ask-title-{talk.id}").value == "Renamed"
    at.button(key="ask.rename").click().run()
    at.run()
    assert "ask.rename" not in [button.key for button in at.button]
    assert desk.workbench.conversations.get(desk.access, talk.id).title == "Renamed"

    at.menu_button(key=f"ask-menu-{talk.id}").click(":material/delete: Delete").run()
    at.sidebar.button(key=f"ask-open-{other.id}").click().run()
    assert "ask.delete" not in [button.key for button in at.button]
