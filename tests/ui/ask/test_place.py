"""Where the screen stands, by its address."""

import pytest

from workbench.domain.ids import ConversationId, TurnId
from workbench.ui.ask.place import Place, Tab

CONVERSATION, TURN = ConversationId("conv_1"), TurnId("turn_1")


@pytest.mark.req("CITE-9")
@pytest.mark.parametrize(
    "place",
    [
        Place(),
        Place(CONVERSATION),
        Place(CONVERSATION, TURN, 0, Tab.SOURCE),
        Place(CONVERSATION, TURN, None, Tab.TRACE),
        Place(CONVERSATION, TURN, 3, Tab.TRACE),
    ],
)
def test_an_address_says_all_there_is_to_say(place: Place) -> None:
    assert Place.read(place.query) == place


@pytest.mark.req("CITE-9")
@pytest.mark.parametrize(
    ("query", "place"),
    [
        ({"turn": "turn_1", "mention": "1"}, Place()),
        ({"conversation": "conv_1", "mention": "1"}, Place(CONVERSATION)),
        ({"conversation": "conv_1", "turn": "turn_1", "mention": "-1"}, Place(CONVERSATION, TURN, None, Tab.TRACE)),
        ({"conversation": "conv_1", "turn": "turn_1", "mention": "²"}, Place(CONVERSATION, TURN, None, Tab.TRACE)),
        ({"conversation": "conv_1", "turn": "turn_1", "mention": "9" * 30}, Place(CONVERSATION, TURN, None, Tab.TRACE)),
    ],
)
def test_parts_that_make_no_sense_are_left_out(query: dict[str, str], place: Place) -> None:
    assert Place.read(query) == place


@pytest.mark.req("CITE-9")
def test_tabs_keep_the_mention_and_closing_keeps_the_conversation() -> None:
    source = Place(CONVERSATION).at_mention(TURN, 2)

    assert source.at_trace(TURN) == Place(CONVERSATION, TURN, 2, Tab.TRACE)
    assert source.at_trace(TurnId("turn_2")).mention is None
    assert source.closed() == Place(CONVERSATION)
