"""A membership that ends while a turn runs counts from the turn's next step on."""

from collections.abc import Callable

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, QUESTION, Asking
from workbench.adapters.fakes.scripted_model import ScriptedModel, Step, call, say
from workbench.domain.events import SearchFinished
from workbench.domain.ids import UserId
from workbench.domain.rights import Access
from workbench.services.tools.search_documents import SearchArguments


def search(query: str) -> Step:
    return call("search_documents", **dict.fromkeys(SearchArguments.model_fields) | {"query": query})


@pytest.mark.req("FIND-1", "CITE-9")
def test_a_turn_of_a_removed_member_finds_nothing_more(asking: Callable[..., Asking]) -> None:
    gone = Access(user_id=ACCESS.user_id, containers=frozenset())
    searched: list[str] = []

    def rights(user_id: UserId) -> Access:
        assert user_id == ACCESS.user_id
        return gone if searched else ACCESS

    model = ScriptedModel([search("payment terms of Orbex"), search("liability cap"), say("That is all I found [S1].")])
    desk = asking(model, rights=rights)
    talk = desk.conversations.create(ACCESS, [CONTRACTS])
    turn = desk.turns.ask(ACCESS, talk.id, QUESTION)
    for event in desk.turns.follow(ACCESS, turn.id):
        searched += [event.query] if isinstance(event, SearchFinished) else []
    desk.turns.wait(ACCESS, turn.id)
    kept = [len(each.kept) for each in desk.turns.events(ACCESS, turn.id) if isinstance(each, SearchFinished)]
    assert kept[0] > 0
    assert kept[1] == 0
