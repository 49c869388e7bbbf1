"""Another provider, or one that has deleted all it kept, makes no stored conversation unreadable, and it goes on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ui.ask.desk import QUESTION, Desk, Open, html, search
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.responses_server import FakeResponsesServer, running
from workbench.adapters.fakes.steps import say
from workbench.domain.results import TurnStatus
from workbench.settings import History, Provider, Settings
from workbench.ui import process

pytestmark = [pytest.mark.req("ASK-12"), pytest.mark.req("ASK-13"), pytest.mark.req("CHAT-1")]


def opened(home: Path, **settings: object) -> Desk:
    desk = Desk(bootstrap.build(Settings(home=home, **settings), embedder=HashingEmbedder()))  # type: ignore[arg-type]
    process.install(desk.workbench)
    return desk


def test_a_conversation_is_readable_and_goes_on_after_the_provider_was_changed(
    tmp_path: Path, pdf: Callable[..., bytes], open_screen: Open
) -> None:
    server = FakeResponsesServer([search("payment due"), say("Within **45 days** [S1].")])
    try:
        with running(server) as url:
            desk = opened(tmp_path, provider=Provider.COMPATIBLE, model="m-1", base_url=url, history=History.CHAIN)
            desk.add("halden.pdf", pdf("Cover page", "Payment is due within 45 days of the invoice."))
            asked = desk.asked()
            before = html(open_screen("ask", conversation=asked.conversation_id, turn=asked.id, tab="trace"))
            process.close()
        # The provider is gone with all that it kept, and another model is set.
        desk = opened(tmp_path)
        after = html(open_screen("ask", conversation=asked.conversation_id, turn=asked.id, tab="trace"))
        turns = desk.workbench.turns
        following = turns.wait(desk.access, turns.ask(desk.access, asked.conversation_id, QUESTION).id)
    finally:
        process.close()

    assert "<strong>45 days</strong>" in before
    assert "<strong>45 days</strong>" in after
    assert "halden p. 2" in after
    assert "Search ‘payment due’" in after
    assert (asked.model, following.model) == ("m-1", "pincite-extractive")
    assert following.status is TurnStatus.ANSWERED
    assert following.number == 2
