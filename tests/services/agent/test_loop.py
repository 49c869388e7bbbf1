"""The loop over a scripted model: what it sends, what it runs, and how every turn ends."""

import json

import pytest

from tests.services.conftest import QUESTION, SECRET, Bench
from workbench.adapters.fakes.scripted_model import ScriptedModel, Step, call, calls, raw_call, say
from workbench.domain.budgets import LimitName, Limits
from workbench.domain.errors import HistoryExpired, ModelRefused, ModelUnavailable
from workbench.domain.events import (
    AnswerDelta,
    AnswerWithdrawn,
    LimitReached,
    ModelCallFinished,
    QueryRewritten,
    SearchFinished,
    SourcesGathered,
    ToolCallFinished,
)
from workbench.domain.items import FunctionCallOutput, TokenUsage, UserMessage
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.scope import Filters

ANY_TIME = dict.fromkeys(("language", "date_from", "date_to", "period"))
ANSWER = "Orbex is paid within 45 days of receipt [S1]."


def search(query: str = "payment terms", documents: list[str] | None = None, tags: object = None) -> Step:
    return call("search_documents", query=query, document_ids=documents, tags=tags, **ANY_TIME)


@pytest.mark.req("ASK-1", "ASK-2", "CITE-1")
def test_search_then_answer_with_a_citation_that_names_document_and_page(bench: Bench) -> None:
    model = ScriptedModel([search("payment terms undisputed invoice"), say(ANSWER)])
    ran = bench.run(model)
    assert ran.end.status is TurnStatus.ANSWERED
    citation = ran.end.answer.citations[0]
    assert (citation.document, citation.page, citation.call_ids) == ("orbex.pdf", 2, ("call_1",))
    assert "within 45 days of receipt" in ran.end.answer.mentions[0].quote
    assert "[orbex.pdf, p. 2]" in ran.end.answer.text


@pytest.mark.req("ASK-2")
def test_results_go_back_as_outputs_chained_by_the_response_id(bench: Bench) -> None:
    model = ScriptedModel([search(), say(ANSWER)])
    bench.run(model)
    first, second = model.requests
    assert first.input == (UserMessage(text=QUESTION),)
    assert (first.previous_response_id, second.previous_response_id) == (None, "resp_1")
    (output,) = second.input
    assert isinstance(output, FunctionCallOutput)
    assert "REF: S1\nTITLE: orbex.pdf\nPAGE: 2\nCONTAINER: Contracts\nDOCUMENT: doc_orbex\n" in output.output
    assert second.instructions == first.instructions != ""


@pytest.mark.req("ASK-12")
def test_a_provider_without_state_gets_the_whole_transcript(bench: Bench) -> None:
    model = ScriptedModel([search(), say(ANSWER)], history="replay")
    ran = bench.run(model, history=[UserMessage(text="Hello")])
    second = model.requests[1]
    assert second.previous_response_id is None
    assert [item.type for item in (*second.history, *second.input)] == [
        "user_message",
        "user_message",
        "function_call",
        "function_call_output",
    ]
    assert [item.type for item in ran.run.items] == [
        "user_message",
        "function_call",
        "function_call_output",
        "assistant_message",
    ]


@pytest.mark.req("CITE-5", "CITE-3")
def test_the_deltas_joined_are_the_answer_whatever_the_pieces(bench: Bench) -> None:
    answers = set()
    for piece in (1, 3, 1000):
        ran = bench.run(ScriptedModel([search(), say(ANSWER)], piece=piece))
        assert "".join(delta.text for delta in ran.of(AnswerDelta)) == ran.end.answer.text
        answers.add(ran.end.answer.model_dump_json())
    assert len(answers) == 1


@pytest.mark.req("TOOL-2", "FIND-7")
def test_several_searches_in_one_batch_run_and_their_refs_follow_the_order_of_the_batch(bench: Bench) -> None:
    batch = calls(
        search("payment", [bench.documents["nordwand.pdf"]]), search("payment", [bench.documents["orbex.pdf"]])
    )
    ran = bench.run(ScriptedModel([batch, say("Done [S1].")]))
    gathered = [source for event in ran.of(SourcesGathered) for source in event.sources]
    assert [source.ref for source in gathered] == [f"S{n}" for n in range(1, len(gathered) + 1)]
    assert list(dict.fromkeys(source.title for source in gathered)) == ["nordwand.pdf", "orbex.pdf"]
    assert [source.title for source in gathered] == sorted(source.title for source in gathered)
    assert [event.call_id for event in ran.of(SearchFinished)] == ["call_1", "call_2"]


@pytest.mark.req("FIND-1")
def test_neither_a_search_nor_a_page_leaves_the_scope(bench: Bench) -> None:
    secret = bench.documents["secret.pdf"]
    steps = calls(
        search("secret payment terms board"), search("secret", [secret]), call("read_page", document_id=secret, page=1)
    )
    ran = bench.run(ScriptedModel([steps, say("Nothing.")]))
    assert SECRET not in json.dumps([event.model_dump(mode="json") for event in ran.events])
    outcomes = [event.outcome for event in ran.of(ToolCallFinished)]
    assert outcomes == ["ok", "ok", "failed"]


@pytest.mark.req("FIND-2")
def test_the_model_can_narrow_the_users_selection_but_not_widen_it(bench: Bench) -> None:
    chosen = Filters(tags={"supplier": ("Orbex",)})
    wider = [{"key": "supplier", "value": "Nordwand"}]
    ran = bench.run(ScriptedModel([calls(search("payment"), search("payment", None, wider)), say("x")]), filters=chosen)
    first, second = ran.of(SearchFinished)
    assert {hit.title for hit in first.kept} == {"orbex.pdf"}
    assert (second.documents, second.kept) == (0, ())


@pytest.mark.req("ASK-5")
def test_empty_results_are_said_in_words(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([search("payment", []), search("zzzz qqqq xxxx"), say("Nothing.")]))
    empty, weak = (event.output for event in ran.of(ToolCallFinished))
    assert "No searchable document is in scope" in empty
    assert "below the threshold" in weak or "REF:" in weak


@pytest.mark.req("ASK-5", "FIND-5")
def test_when_the_passage_budget_is_spent_the_search_says_so(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([search("payment"), search("liability cap"), say("x")]), limits=Limits(chunks=2))
    assert "passage budget of this turn is spent" in ran.of(ToolCallFinished)[1].output
    assert ran.end.spend.chunks == 2


@pytest.mark.req("ASK-6")
@pytest.mark.parametrize(
    ("step", "told"),
    [
        (call("drop_table", table="x"), "There is no tool named 'drop_table'"),
        (raw_call("search_documents", '{"query": "pay'), "Invalid JSON"),
        (raw_call("search_documents", "[]"), "rejected"),
        (raw_call("search_documents", ""), "rejected"),
        (call("search_documents", query="x"), "document_ids"),
        (call("search_documents", query="x", document_ids=None, tags=None, where={"a": 1}, **ANY_TIME), "where"),
        (call("search_documents", query=7, document_ids=None, tags=None, **ANY_TIME), "query"),
        (call("read_page", document_id="doc_orbex", page="2"), "page"),
        (call("read_page", document_id="doc_orbex", page=0), "page"),
    ],
)
def test_a_bad_call_never_runs_and_the_model_is_told_why(bench: Bench, step: Step, told: str) -> None:
    model = ScriptedModel([step, say("I give up.")])
    ran = bench.run(model)
    (event,) = ran.of(ToolCallFinished)
    assert event.outcome == "rejected"
    assert told in event.output
    assert not ran.of(SearchFinished)
    assert len(model.requests[1].input) == 1


@pytest.mark.req("ASK-6")
def test_a_bad_call_does_not_cost_the_other_calls_of_its_batch(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([calls(raw_call("search_documents", "{"), search()), say(ANSWER)]))
    assert [event.outcome for event in ran.of(ToolCallFinished)] == ["rejected", "ok"]
    assert ran.end.answer.citations


@pytest.mark.req("TOOL-1", "TOOL-3", "TRACE-1")
def test_a_rewrite_is_wired_into_the_single_search_of_its_batch_and_shown(bench: Bench) -> None:
    messy = "waht are the paymnt terms"
    step = calls(call("rewrite_query", query="What are the payment terms?"), search(messy))
    ran = bench.run(ScriptedModel([step, say(ANSWER)]), messy)
    (rewritten,) = ran.of(QueryRewritten)
    (searched,) = ran.of(SearchFinished)
    assert (rewritten.before, rewritten.after) == (messy, "What are the payment terms?")
    assert (searched.requested, searched.query) == (messy, "What are the payment terms?")


@pytest.mark.req("TOOL-1")
def test_only_one_rewrite_a_turn_counts(bench: Bench) -> None:
    steps = [call("rewrite_query", query="First wording?"), call("rewrite_query", query="Second wording?"), say("x")]
    ran = bench.run(ScriptedModel(steps))
    assert [event.after for event in ran.of(QueryRewritten)] == ["First wording?"]
    assert "already rewritten" in ran.of(ToolCallFinished)[1].output


@pytest.mark.req("TOOL-7")
def test_a_question_to_the_user_ends_the_turn_and_the_reply_answers_the_call(bench: Bench) -> None:
    ask = calls(search(), call("ask_user", question="Which supplier do you mean?"))
    model = ScriptedModel([ask, say("Thank you [S1].")])
    first = bench.run(model)
    assert (first.end.result_type, first.end.status) == (ResultType.CLARIFICATION, TurnStatus.ANSWERED)
    assert first.end.answer.text == "Which supplier do you mean?"
    assert first.run.thread.asked == "call_2"
    assert [output.call_id for output in first.run.thread.owed] == ["call_1"]
    bench.run(model, "Orbex", thread=first.run.thread)
    sent = model.requests[1].input
    assert [item.call_id for item in sent if isinstance(item, FunctionCallOutput)] == ["call_1", "call_2"]
    assert "Orbex" in sent[1].output  # type: ignore[union-attr]


@pytest.mark.req("CITE-4")
def test_a_ref_of_an_earlier_turn_does_not_resolve_in_the_next(bench: Bench) -> None:
    model = ScriptedModel([search(), say(ANSWER), say("As said, 45 days [S1].")])
    first = bench.run(model)
    second = bench.run(model, "Really?", thread=first.run.thread)
    assert second.end.answer.citations == ()
    assert second.end.answer.unknown_refs == ("S1",)
    assert second.end.answer.text == "As said, 45 days."


@pytest.mark.req("ASK-15")
def test_an_answer_without_any_look_into_the_documents_is_flagged(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([say("Payment is due within 30 days.")]))
    assert ran.end.unsourced
    assert "No document was looked at" in ran.end.reason


@pytest.mark.req("ASK-15")
def test_an_honest_answer_after_an_empty_search_is_not_flagged(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([search("payment", []), say("The documents do not say.")]))
    assert not ran.end.unsourced


def test_remarks_between_steps_are_taken_back(bench: Bench) -> None:
    remark = Step(text="Let me look [S1].", calls=search().calls)
    ran = bench.run(ScriptedModel([remark, say(ANSWER)]))
    assert [event.text for event in ran.of(AnswerWithdrawn)] == ["Let me look."]
    assert ran.end.answer.text.startswith("Orbex is paid")


# --- limits ----------------------------------------------------------------------------------------------------------


def endless(query: str = "payment") -> list[Step]:
    return [search(f"{query} number {n}") for n in range(50)]


@pytest.mark.req("ASK-3", "ASK-4")
@pytest.mark.parametrize(
    ("limits", "name", "calls_made"),
    [
        (Limits(model_calls=2), LimitName.MODEL_CALLS, 2),
        (Limits(tool_calls=3), LimitName.TOOL_CALLS, 4),
        (Limits(input_tokens=30), LimitName.INPUT_TOKENS, 1),
        (Limits(output_tokens=8), LimitName.OUTPUT_TOKENS, 1),
    ],
)
def test_a_ceiling_ends_the_turn_with_a_labelled_partial_answer_and_no_further_call(
    bench: Bench, limits: Limits, name: LimitName, calls_made: int
) -> None:
    steps = [step.but(usage=TokenUsage(input_tokens=30, output_tokens=8)) for step in endless()]
    model = ScriptedModel(steps)
    ran = bench.run(model, limits=limits)
    assert len(model.requests) == calls_made
    (hit,) = ran.of(LimitReached)
    assert (hit.limit, hit.ceiling) == (name, limits.of(name))
    assert ran.end.status is TurnStatus.PARTIAL
    assert ran.end.answer.text.startswith("**Partial answer.** The turn reached its limit of")
    assert ran.end.answer.citations, "a partial answer cites what was gathered"


@pytest.mark.req("ASK-3")
def test_cost_is_limited_in_dollars(bench: Bench) -> None:
    model = ScriptedModel(endless(), price=0.4)
    ran = bench.run(model, limits=Limits(cost=1.0))
    assert [hit.limit for hit in ran.of(LimitReached)] == [LimitName.COST]
    assert len(model.requests) == 3


@pytest.mark.req("ASK-3")
def test_seconds_are_limited_even_in_the_middle_of_a_stream(bench: Bench) -> None:
    model = ScriptedModel([search(), say("word " * 100)], after_piece=lambda _: bench.clock.advance(1))
    ran = bench.run(model, limits=Limits(seconds=10))
    assert [hit.limit for hit in ran.of(LimitReached)] == [LimitName.SECONDS]
    assert ran.end.answer.text.startswith("**Partial answer.**")
    assert ran.end.spend.seconds <= 12  # the stream is read at most two pieces ahead


@pytest.mark.req("ASK-3")
def test_an_identical_call_is_answered_from_the_ledger_and_the_third_ends_the_turn(bench: Bench) -> None:
    respelled = raw_call(
        "search_documents",
        '{"period":null, "tags":null,  "document_ids":null, "query":"payment terms", "language":null, "date_to":null,'
        '"date_from" : null}',
    )
    model = ScriptedModel([search(), respelled, search(), say("never")])
    ran = bench.run(model)
    assert [event.outcome for event in ran.of(ToolCallFinished)] == ["ok", "repeated", "skipped"]
    assert [hit.limit for hit in ran.of(LimitReached)] == [LimitName.REPEATED_CALLS]
    assert len(ran.of(SearchFinished)) == 1


@pytest.mark.req("ASK-4")
def test_a_partial_answer_says_when_nothing_was_found(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([search("payment", []), say("x")]), limits=Limits(model_calls=1))
    assert "Nothing had been found by then." in ran.end.answer.text
    assert ran.end.answer.citations == ()


# --- faults and stops ------------------------------------------------------------------------------------------------


@pytest.mark.req("ASK-11", "ASK-13")
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ModelUnavailable("The provider is down.", "Try again."), TurnStatus.FAILED),
        (ModelRefused("Blocked by policy."), TurnStatus.REFUSED),
        (HistoryExpired("This conversation's context has expired.", "Start a new chat."), TurnStatus.EXPIRED),
    ],
)
def test_a_failing_model_ends_the_turn_and_the_next_one_works(
    bench: Bench, error: Exception, status: TurnStatus
) -> None:
    model = ScriptedModel([search(), Step(text="Half an ans", error=error), say("Now it works [S1].")])
    first = bench.run(model)
    assert (first.end.status, first.end.reason) == (status, error.message)  # type: ignore[attr-defined]
    assert first.end.answer.text == "Half an ans"
    second = bench.run(model, "Again, please", thread=first.run.thread)
    assert second.end.status is TurnStatus.ANSWERED


@pytest.mark.req("ASK-11")
def test_a_stopped_turn_answers_every_call_it_owes_when_the_next_one_starts(bench: Bench) -> None:
    model = ScriptedModel([calls(search(), search("liability")), say("Never."), say("Second turn.")])
    seen: list[bool] = []

    def stop() -> bool:
        seen.append(True)
        return len(model.requests) == 1 and len(seen) > 3

    first = bench.run(model, stop=stop)
    assert first.end.status is TurnStatus.STOPPED
    second = bench.run(model, "Go on", thread=first.run.thread)
    assert second.end.status is TurnStatus.ANSWERED
    assert [item.type for item in model.requests[-1].input] == ["function_call_output"] * 2 + ["user_message"]


def test_calls_of_a_cut_response_never_run(bench: Bench) -> None:
    model = ScriptedModel([search().but(finish="max_output_tokens", text="I will"), say("Next turn.")])
    ran = bench.run(model)
    assert not ran.of(SearchFinished)
    assert ran.end.status is TurnStatus.PARTIAL
    assert bench.run(model, "Again", thread=ran.run.thread).end.status is TurnStatus.ANSWERED


def test_an_answer_cut_at_the_output_limit_is_called_partial(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([search(), say("It is 45 days [S1]. And fur").but(finish="max_output_tokens")]))
    assert (ran.end.status, ran.of(ModelCallFinished)[1].finish) == (TurnStatus.PARTIAL, "max_output_tokens")
    assert "cut" in ran.end.reason


def test_a_refusal_is_shown_and_not_retried(bench: Bench) -> None:
    model = ScriptedModel([Step(refusal="I cannot help with that.")])
    ran = bench.run(model)
    assert ran.end.status is TurnStatus.REFUSED
    assert "I cannot help with that." in ran.end.reason
    assert len(model.requests) == 1


def test_an_empty_answer_is_a_failure(bench: Bench) -> None:
    assert bench.run(ScriptedModel([say("   ")])).end.status is TurnStatus.FAILED
