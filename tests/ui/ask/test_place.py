"""Where the screen stands, by its address."""

import pytest

from workbench.domain.ids import ConversationId, DocumentId, TurnId
from workbench.ui.addresses import MentionAddress, PageAddress
from workbench.ui.ask.place import ListPage, Place, Tab

CONVERSATION, TURN = ConversationId("conv_1"), TurnId("turn_1")
LIST = ListPage(TURN, 3)
PAGE = PageAddress(DocumentId("doc_1"), 4)


@pytest.mark.req("CITE-9")
@pytest.mark.parametrize(
    "place",
    [
        Place(),
        Place(CONVERSATION),
        Place(CONVERSATION, TURN, 0, Tab.SOURCE),
        Place(CONVERSATION, TURN, None, Tab.TRACE),
        Place(CONVERSATION, TURN, 3, Tab.TRACE),
        Place(CONVERSATION, listed=LIST),
        Place(CONVERSATION, TURN, 0, Tab.SOURCE, listed=LIST),
        Place(CONVERSATION, tab=Tab.SOURCE, document=PAGE, listed=LIST),
        Place(CONVERSATION, TURN, None, Tab.TRACE, PAGE),
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
        ({"conversation": "conv_1", "list": "turn_1", "list_page": "0"}, Place(CONVERSATION)),
        ({"conversation": "conv_1", "list_page": "2"}, Place(CONVERSATION)),
        ({"conversation": "conv_1", "document": "doc_1", "page": "x"}, Place(CONVERSATION)),
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


@pytest.mark.req("TOOL-13")
def test_a_list_stays_at_its_page_while_the_panel_opens_changes_and_closes() -> None:
    listed = Place(CONVERSATION).at_list(TURN, 3)

    for place in (listed.at_mention(TURN, 0), listed.at_trace(TURN), listed.at_document(PAGE), listed.closed()):
        assert place.list_page(TURN) == 3
    assert listed.list_page(TurnId("turn_2")) is None


@pytest.mark.req("CITE-9")
def test_a_link_to_the_viewer_opens_in_the_panel() -> None:
    here = Place(CONVERSATION, listed=LIST)

    assert here.followed(MentionAddress(CONVERSATION, TURN, 2).query) == here.at_mention(TURN, 2)
    assert here.followed(PAGE.query) == here.at_document(PAGE)
    assert here.followed({"something": "else"}) == here


@pytest.mark.req("CITE-9")
def test_a_document_opened_from_a_list_is_still_there_behind_the_trace() -> None:
    trace = Place(CONVERSATION).at_document(PAGE).at_trace(TURN)

    assert (trace.turn, trace.tab, trace.document) == (TURN, Tab.TRACE, PAGE)


@pytest.mark.req("TRACE-2")
def test_a_link_to_a_step_opens_the_trace_there_and_leaves_lists_alone() -> None:
    link = {"conversation": "conv_1", "turn": "turn_1", "tab": "trace", "step": "call_2"}
    listed = ListPage(TurnId("turn_0"), 3)
    place = Place(ConversationId("conv_1"), listed=listed).followed(link)

    assert place == Place(ConversationId("conv_1"), TurnId("turn_1"), tab=Tab.TRACE, step="call_2", listed=listed)
    assert Place.read(place.query) == place
