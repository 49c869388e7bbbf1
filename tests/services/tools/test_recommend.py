"""``recommend``: cards come from the library, whatever ids a model writes."""

import pytest

from tests.services.conftest import Bench
from workbench.adapters.fakes.scripted_model import ScriptedModel, Step, call, calls, say
from workbench.domain.events import DocumentsRecommended, ToolCallFinished
from workbench.domain.items import FunctionCallOutput, UserMessage
from workbench.domain.results import ResultType, TurnStatus

pytestmark = pytest.mark.req("TOOL-8")


def recommend(*ids: str, message: str = "Read these first.") -> Step:
    return call("recommend", message=message, document_ids=list(ids))


def test_a_recommendation_ends_the_turn_with_cards_in_the_models_order(bench: Bench) -> None:
    orbex, nordwand = bench.documents["orbex.pdf"], bench.documents["nordwand.pdf"]
    model = ScriptedModel([recommend(orbex, nordwand, orbex)])
    ran = bench.run(model)
    assert (ran.end.status, ran.end.result_type) == (TurnStatus.ANSWERED, ResultType.RECOMMENDATION)
    assert ran.end.answer.text == "Read these first."
    assert [card.name for card in ran.end.cards] == ["orbex.pdf", "nordwand.pdf"]
    assert len(model.requests) == 1


def test_an_invented_and_a_forbidden_id_give_no_card_and_are_in_the_trace(bench: Bench) -> None:
    ran = bench.run(
        ScriptedModel([recommend(bench.documents["secret.pdf"], "doc_invented", bench.documents["orbex.pdf"])])
    )
    (event,) = ran.of(DocumentsRecommended)
    assert [card.name for card in event.cards] == ["orbex.pdf"]
    assert event.unresolved == ("doc_invented", "doc_secret")
    assert ran.end.cards == event.cards


def test_without_a_single_valid_id_the_call_is_rejected_and_the_model_goes_on(bench: Bench) -> None:
    model = ScriptedModel(
        [recommend(bench.documents["secret.pdf"], "doc_invented"), say("I found nothing to recommend.")]
    )
    ran = bench.run(model)
    (finished,) = ran.of(ToolCallFinished)
    assert finished.outcome == "rejected"
    assert "doc_invented, doc_secret" in finished.output
    assert (ran.end.result_type, ran.end.cards) == (ResultType.ANSWER, ())
    assert ran.end.unsourced


@pytest.mark.parametrize("ids", [[], [f"doc_{number}" for number in range(21)]])
def test_no_ids_and_too_many_are_rejected(bench: Bench, ids: list[str]) -> None:
    ran = bench.run(ScriptedModel([recommend(*ids), say("x")]))
    assert [event.outcome for event in ran.of(ToolCallFinished)] == ["rejected"]


def test_the_next_turn_sends_the_output_of_the_call_and_then_the_message(bench: Bench) -> None:
    first = ScriptedModel([recommend(bench.documents["orbex.pdf"]), say("Thanks.")])
    ran = bench.run(first)
    assert ran.run.thread.asked is None
    bench.run(first, "And the next one?", thread=ran.run.thread)
    output, message = first.requests[1].input
    assert isinstance(output, FunctionCallOutput)
    assert output.output == "Shown to the user: doc_orbex."
    assert message == UserMessage(text="And the next one?")


def test_only_the_first_call_that_ends_the_turn_counts(bench: Bench) -> None:
    batch = calls(call("ask_user", question="Which?"), recommend(bench.documents["orbex.pdf"]))
    ran = bench.run(ScriptedModel([batch]))
    assert (ran.end.result_type, ran.end.cards) == (ResultType.CLARIFICATION, ())
    assert not ran.of(DocumentsRecommended)
    assert [event.outcome for event in ran.of(ToolCallFinished)] == ["ok", "skipped"]


def test_the_message_may_cite(bench: Bench) -> None:
    search = call(
        "search_documents",
        **dict.fromkeys(("document_ids", "tags", "language", "date_from", "date_to", "period")),
        query="payment terms undisputed invoice",
    )
    ran = bench.run(
        ScriptedModel([search, recommend(bench.documents["orbex.pdf"], message="It pays in 45 days [S1].")])
    )
    assert [citation.document for citation in ran.end.answer.citations] == ["orbex.pdf"]
