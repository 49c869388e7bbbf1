"""The timeline: what each event adds to it."""

from typing import Any

import pytest

from workbench.domain.budgets import LimitName
from workbench.domain.chunks import Chunk, Segment
from workbench.domain.citations import CitedAnswer, Source
from workbench.domain.events import (
    AnswerWithdrawn,
    DocumentDescribed,
    DocumentsListed,
    DocumentsRecommended,
    Event,
    LimitReached,
    SearchFinished,
    SourcesGathered,
    Stage,
    ToolCallFinished,
    ToolCallStarted,
)
from workbench.domain.ids import ChunkId, ContainerId, DocumentId, Ref
from workbench.domain.listing import Coverage, ListedDocument, Listing, ListingQuery
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.scope import Filters
from workbench.ui.ask.trace_steps import TraceStep, found_by, trace_steps

pytestmark = pytest.mark.req("TRACE-1")


def by_key(events: list[Event]) -> dict[str, TraceStep]:
    return {step.key: step for step in trace_steps(events)}


def test_a_turn_reads_as_one_line_a_step_in_the_order_in_which_they_began(whole_turn: list[Event]) -> None:
    titles = [step.title for step in trace_steps(whole_turn)]

    assert titles == [
        "Started in Contracts · quick",
        "Model call 1 · 1,204 tokens in, 61 out · $0.0021",
        "Reworded: wen is paymnt due → When is payment due?",
        "Search ‘liability cap’ in Contracts · kept\u00a05, cut\u00a02",
        'serch {"q": 1} · rejected',
        "Model call 2 · not finished",
        "Answered · 1 page cited",
    ]


def test_a_search_carries_its_hits_and_what_the_model_had_asked_for(whole_turn: list[Event]) -> None:
    step = by_key(whole_turn)["call_search"]

    assert step.search is not None
    assert [hit.ref for hit in step.search.kept] == ["S1", "S2", "S3", "S4", "S5"]
    assert [hit.reason for hit in step.search.cut] == ["below the threshold", "near-identical to S2"]
    assert "The model asked for: liabilty cap" in step.lines
    assert step.seconds == 0.2


def test_a_search_in_chosen_documents_names_them(make: Any) -> None:
    chosen = Filters(document_ids=(DocumentId("doc_1"),))
    search = make.search_result().model_copy(update={"filters": chosen})
    later = make.search_result(call_id="call_2").model_copy(update={"filters": chosen, "kept": (), "cut": ()})
    unknown = later.model_copy(update={"call_id": "call_3", "filters": Filters(document_ids=(DocumentId("doc_9"),))})
    steps = by_key([make.started(), search, later, unknown])

    assert "Only in halden.pdf" in steps["call_search"].lines
    assert "Only in halden.pdf" in steps["call_2"].lines
    assert "Only in one document" in steps["call_3"].lines


def test_what_a_line_has_no_room_for_stands_in_the_details(make: Any, stamp: Any) -> None:
    query = "payment terms, invoice due date, late interest and set-off in the master agreement and its amendments"
    remark = "Let me look again at the second agreement, since it was amended twice after it had been signed."
    steps = trace_steps(stamp([make.started(), make.search_result(query=query), AnswerWithdrawn(text=remark)]))

    assert all(len(step.title) < 120 for step in steps)
    assert f"Query: {query}" in steps[1].lines
    assert steps[2].lines == (remark,)


def test_a_long_list_names_its_first_documents() -> None:
    items = tuple(
        ListedDocument(id=DocumentId(f"doc_{n}"), container_id=ContainerId("cont_1"), name=f"{n}.pdf")
        for n in range(20)
    )
    step = by_key([DocumentsListed(call_id="call_1", listing=Listing(items=items, total=134), seconds=0)])["call_1"]

    assert step.lines[1:] == ("0.pdf", "1.pdf", "2.pdf", "3.pdf", "4.pdf", "and 15 more")


def test_a_list_says_what_was_asked_for_how_many_there_are_and_what_was_left_out() -> None:
    item = ListedDocument(id=DocumentId("doc_1"), container_id=ContainerId("cont_1"), name="halden.pdf")
    query = ListingQuery(date_from="2025-01-01", date_to="2025-12-31", page_size=1)
    event = DocumentsListed(
        call_id="call_1", listing=Listing(query=query, items=(item,), total=3, undated=2), period="last year", seconds=0
    )
    step = by_key([event])["call_1"]
    lines = [line.replace("\u00a0", " ") for line in step.lines]

    assert step.title == "List documents · 3 documents, page 1 of 3"
    assert lines == [
        "Asked for: dated 1 Jan 2025 to 31 Dec 2025, newest first",
        "The model asked for the time ‘last year’",
        "2 documents left out: no date is known",
        "halden.pdf",
    ]


def test_a_document_looked_up_and_documents_recommended_are_named(make: Any) -> None:
    item = ListedDocument(id=DocumentId("doc_1"), container_id=ContainerId("cont_1"), name="halden.pdf")
    recommended = DocumentsRecommended(call_id="call_2", message="This one.", cards=(item,), unresolved=("doc_x",))
    steps = by_key([DocumentDescribed(call_id="call_1", document=item), recommended])

    assert steps["call_1"].title == "Look up halden.pdf"
    assert steps["call_2"].title == "Recommend 1 document"
    assert steps["call_2"].lines == ("halden.pdf", "Not shown, for they name no document in scope: doc_x")
    assert steps["call_2"].tone == "notice"


def test_the_end_says_on_how_much_of_a_list_the_answer_rests(make: Any) -> None:
    end = make.finished().model_copy(update={"coverage": Coverage(based_on=20, matched=134)})

    assert by_key([end])["end"].lines == ("The answer is based on 20 of 134 documents",)


def test_a_citation_names_the_step_that_found_it_and_the_step_the_citation(whole_turn: list[Event]) -> None:
    steps = trace_steps(whole_turn)

    assert {step.key: step.fed for step in steps if step.fed} == {"call_search": (1,)}
    assert found_by(steps)["call_search"] == "search ‘liability cap’"


@pytest.mark.parametrize("outcome", ["rejected", "repeated", "skipped", "failed"])
def test_a_call_that_did_not_run_says_so_and_what_the_model_was_told(make: Any, outcome: Any) -> None:
    events = [
        make.started(),
        make.search_call(call_id="call_1"),
        ToolCallFinished(call_id="call_1", name="search_documents", outcome=outcome, output="Told so.", seconds=0.0),
    ]
    step = by_key(events)["call_1"]

    assert step.told == "Told so."
    assert step.title != "Search ‘liability cap’"
    assert step.tone == ("wrong" if outcome == "failed" else "notice")


def test_what_runs_is_marked_as_running_until_it_ends(make: Any) -> None:
    running = by_key([make.started(), make.search_call()])["call_search"]
    events = [make.started(), make.search_call(), make.finished(TurnStatus.STOPPED, CitedAnswer())]
    stopped = by_key(events)["call_search"]

    assert running.running
    assert not stopped.running
    assert stopped.title == "Search ‘liability cap’ · not finished"


def test_a_page_read_names_document_and_page(make: Any) -> None:
    chunk = Chunk(
        id=ChunkId("c"),
        document_id=DocumentId("doc_1"),
        container_id=ContainerId("cont_1"),
        ordinal=0,
        text="x",
        segments=(Segment(page=6, start=0, end=1),),
    )
    source = Source(ref=Ref("S7"), chunk=chunk, title="halden.pdf", container="Contracts", labels={6: "iv"})
    call = ToolCallStarted(call_id="call_page", name="read_page", arguments='{"document_id": "doc_1", "page": 6}')
    before = by_key([call])["call_page"]
    after = by_key([call, SourcesGathered(call_id="call_page", sources=(source,))])["call_page"]

    assert before.title == "Read page 6"
    assert after.title == "Read halden.pdf p. iv (PDF 6)"


def test_limits_and_remarks_have_a_line_each(make: Any, stamp: Any) -> None:
    events = stamp(
        [
            make.started(),
            AnswerWithdrawn(text="Let me look again."),
            LimitReached(limit=LimitName.SECONDS, ceiling=180, used=181),
        ]
    )
    titles = [step.title.replace("\u00a0", " ") for step in trace_steps(events)]

    assert titles[1:] == ["Remark between steps: Let me look again.", "Limit reached: time, 3 min 1 s of 3 min"]


@pytest.mark.parametrize("arguments", ["{not json", "[]", '"text"', "{}", '{"query": null}'])
def test_broken_arguments_do_not_break_the_trace(make: Any, arguments: str) -> None:
    call = ToolCallStarted(call_id="call_1", name="search_documents", arguments=arguments)

    assert by_key([call])["call_1"].title == "Search ‘’"


@pytest.mark.parametrize("status", [status for status in TurnStatus if status is not TurnStatus.RUNNING])
def test_every_ending_has_words_of_its_own(make: Any, status: TurnStatus) -> None:
    end = by_key([make.started(), make.finished(status, CitedAnswer())])["end"]

    assert end.title
    assert end.title != status.value
    assert end.seconds == 4.25


def test_a_question_to_the_user_is_not_called_an_answer(make: Any) -> None:
    event = make.finished(answer=CitedAnswer(text="Which one?"))
    event = event.model_copy(update={"result_type": ResultType.CLARIFICATION})

    assert by_key([event])["end"].title == "Asked you a question"


def test_a_search_tells_its_stages_its_other_words_and_the_documents_it_was_sent_to() -> None:
    event = SearchFinished(
        call_id="c",
        query="cap on liability",
        requested="cap on liability",
        documents=8,
        candidates=17,
        kept=(),
        cut=(),
        seconds=0.2,
        also="in no event shall",
        named=("halden.pdf",),
        stages=(Stage(name="scope", left=8, note="in 1 container"), Stage(name="ledger", left=1200)),
    )
    (step,) = trace_steps([event])
    assert "Also searched for: in no event shall" in step.lines
    assert "Searched first, because the query names it: halden.pdf" in step.lines
    assert step.lines[-2:] == ("Scope: 8 (in 1 container)", "Ledger: 1,200")
