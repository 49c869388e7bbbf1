"""What a turn leaves in the store: everything that the requirement names, read back from the database by another opening."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.conftest import new_url, postgresql  # noqa: F401 - fixtures
from tests.services.conftest import ACCESS, CONTRACTS, Asking
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import call, say
from workbench.adapters.sql.conversations import SqlConversationStore
from workbench.adapters.sql.engine import open_database
from workbench.domain.budgets import Profile
from workbench.domain.events import ModelCallFinished, SearchFinished, TurnFinished, TurnStarted
from workbench.domain.items import FunctionCall, FunctionCallOutput, TokenUsage, UserMessage
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Filters

pytestmark = [pytest.mark.req("CHAT-1"), pytest.mark.req("CHAT-5"), pytest.mark.req("CITE-5")]

QUESTION = "When is Orbex paid, and what is its cap?"
ANY = dict.fromkeys(("document_ids", "tags", "language", "date_from", "date_to", "period"))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_part_of_a_turn_is_stored_and_is_what_was_shown(
    asking: Callable[..., Asking],
    tmp_path: Path,
    new_url: Callable[[], str],  # noqa: F811
    kind: str,
) -> None:
    url = f"sqlite:///{tmp_path}/pincite.db" if kind == "sqlite" else new_url()
    written = open_database(url)
    steps = [
        call("search_documents", query="payment terms and liability cap", **ANY).but(
            usage=TokenUsage(input_tokens=100, output_tokens=7, cached_tokens=3, reasoning_tokens=2)
        ),
        say("Orbex is paid in 45 days [S1]. Its cap is EUR 500,000 [S2]. Paid [S1].").but(
            usage=TokenUsage(input_tokens=200, output_tokens=11)
        ),
    ]
    made = asking(ScriptedModel(steps, price=0.25), store=SqlConversationStore(written))
    talk = made.conversations.create(ACCESS, [CONTRACTS], Filters(tags={"supplier": ("Orbex",)}), Profile.THOROUGH)
    shown = made.turns.wait(ACCESS, made.turns.ask(ACCESS, talk.id, QUESTION).id)
    seen = list(made.turns.follow(ACCESS, shown.id))
    written.close()

    read = open_database(url)
    store = SqlConversationStore(read)
    (turn,), events = store.turns(talk.id), store.events(shown.id)
    named = store.conversation(talk.id)
    read.close()

    assert turn == shown
    assert events == seen
    assert (turn.status, turn.question, turn.number) == (TurnStatus.ANSWERED, QUESTION, 1)
    assert (turn.model, turn.provider, turn.profile) == ("scripted", "scripted", Profile.THOROUGH)
    assert turn.prompt_version.strip() != ""
    assert (turn.containers, turn.filters) == ((CONTRACTS,), Filters(tags={"supplier": ("Orbex",)}))
    assert (turn.spend.input_tokens, turn.spend.output_tokens, turn.spend.cost) == (300, 18, 0.5)
    # Both calls' ids, and the same ones in the trace.
    assert len(set(turn.response_ids)) == 2
    finished = [event for event in events if isinstance(event, ModelCallFinished)]
    assert [event.response_id for event in finished] == list(turn.response_ids)
    assert [event.usage.reasoning_tokens for event in finished] == [2, 0]
    # The position map: each mention stands where its label is, and names a citation.
    assert [mention.citation for mention in turn.answer.mentions] == [1, 2, 1]
    labels = [turn.answer.text[mention.start : mention.end] for mention in turn.answer.mentions]
    assert all("orbex.pdf, p. " in label for label in labels)
    assert [citation.page for citation in turn.answer.citations] == [2, 3]
    assert [type(item) for item in turn.items][:3] == [UserMessage, FunctionCall, FunctionCallOutput]
    assert isinstance(events[0], TurnStarted)
    assert any(isinstance(event, SearchFinished) for event in events)
    assert isinstance(events[-1], TurnFinished)
    assert events[-1].answer == turn.answer
    assert named is not None
    assert (named.title, named.profile) == (QUESTION, Profile.THOROUGH)
