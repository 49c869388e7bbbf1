"""Events and workbenches for the tests of the Ask screen."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from tests.ui.ask.desk import Desk
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Entry
from workbench.adapters.worker.reader import WorkerReader
from workbench.domain.budgets import Limits, Profile, Spend
from workbench.domain.chunks import ChunkKind
from workbench.domain.citations import Citation, CitedAnswer, Mention
from workbench.domain.events import (
    AnswerDelta,
    BudgetSpent,
    Event,
    Hit,
    ModelCallFinished,
    ModelCallStarted,
    QueryRewritten,
    SearchFinished,
    ToolCallFinished,
    ToolCallStarted,
    TurnFinished,
    TurnStarted,
)
from workbench.domain.ids import ChunkId, ContainerId, ConversationId, DocumentId, Ref, TurnId
from workbench.domain.items import TokenUsage
from workbench.domain.results import ResultType, TurnStatus
from workbench.services.ports import ModelRequest, Sandbox
from workbench.settings import Settings
from workbench.ui import process

TEXT = "Due in 45 days [halden.pdf p. 12]."


def hit(number: int, ref: str | None = None, reason: str = "") -> Hit:
    return Hit(
        chunk_id=ChunkId(f"chunk_{number}"),
        document_id=DocumentId("doc_1"),
        title="halden.pdf",
        pages=f"p. {number}",
        score=1.0 - number / 100,
        snippet=f"passage {number}",
        ref=None if ref is None else Ref(ref),
        reason=reason,
    )


ANSWER = CitedAnswer(
    text=TEXT,
    citations=(
        Citation(
            number=1,
            document_id=DocumentId("doc_1"),
            container_id=ContainerId("cont_1"),
            document="halden.pdf",
            container="Contracts",
            kind=ChunkKind.TEXT,
            page=12,
            page_label="p. 12",
            label="halden.pdf p. 12",
            quote="within forty-five days",
            refs=(Ref("S1"),),
            call_ids=("call_search",),
        ),
    ),
    mentions=(Mention(start=15, end=33, citation=1, refs=(Ref("S1"),), quote="within forty-five days"),),
)


def started() -> TurnStarted:
    return TurnStarted(
        turn_id=TurnId("turn_1"),
        conversation_id=ConversationId("conv_1"),
        question="wen is paymnt due",
        containers=("Contracts",),
        profile=Profile.QUICK,
        limits=Limits(),
        model="scripted",
        prompt_version="1",
    )


def search_call(query: str = "liability cap", call_id: str = "call_search") -> ToolCallStarted:
    return ToolCallStarted(call_id=call_id, name="search_documents", arguments=f'{{"query": "{query}"}}')


def search_result(call_id: str = "call_search", query: str = "liability cap") -> SearchFinished:
    return SearchFinished(
        call_id=call_id,
        query=query,
        requested="liabilty cap",
        documents=8,
        candidates=17,
        kept=tuple(hit(n, f"S{n}") for n in range(1, 6)),
        cut=(hit(6, reason="below the threshold"), hit(7, reason="near-identical to S2")),
        seconds=0.2,
    )


def finished(status: TurnStatus = TurnStatus.ANSWERED, answer: CitedAnswer = ANSWER) -> TurnFinished:
    return TurnFinished(
        status=status,
        result_type=ResultType.ANSWER,
        answer=answer,
        spend=Spend(model_calls=2, tool_calls=3, chunks=5, input_tokens=300, output_tokens=40, seconds=4.25),
    )


class Make:
    """Builders of single events, for tests that need a turn of their own."""

    answer = ANSWER
    hit = staticmethod(hit)
    started = staticmethod(started)
    search_call = staticmethod(search_call)
    search_result = staticmethod(search_result)
    finished = staticmethod(finished)


@pytest.fixture
def make() -> type[Make]:
    return Make


Stamp = Callable[[Iterable[Event]], list[Event]]


@pytest.fixture
def stamp() -> Stamp:
    """Number the events and set one second between them, as the recorder does."""
    return lambda events: [event.stamped(n, float(n)) for n, event in enumerate(events, start=1)]


@pytest.fixture
def whole_turn(stamp: Stamp) -> list[Event]:
    return stamp(
        [
            started(),
            ModelCallStarted(number=1),
            ModelCallFinished(
                number=1,
                response_id="resp_1",
                usage=TokenUsage(input_tokens=1204, output_tokens=61),
                seconds=0.8,
                cost=0.0021,
                calls=3,
            ),
            BudgetSpent(spend=Spend(model_calls=1, input_tokens=1204, output_tokens=61, cost=0.0021)),
            ToolCallStarted(
                call_id="call_rewrite", name="rewrite_query", arguments='{"query": "When is payment due?"}'
            ),
            search_call(),
            ToolCallStarted(call_id="call_bad", name="serch", arguments='{"q": 1}'),
            QueryRewritten(call_id="call_rewrite", before="wen is paymnt due", after="When is payment due?"),
            ToolCallFinished(call_id="call_rewrite", name="rewrite_query", outcome="ok", output="", seconds=0.0),
            search_result(),
            ToolCallFinished(call_id="call_search", name="search_documents", outcome="ok", output="REF", seconds=0.2),
            ToolCallFinished(
                call_id="call_bad", name="serch", outcome="rejected", output="There is no tool 'serch'.", seconds=0.0
            ),
            BudgetSpent(spend=Spend(model_calls=1, tool_calls=3, chunks=5, input_tokens=1204, output_tokens=61)),
            ModelCallStarted(number=2),
            AnswerDelta(text=TEXT, mentions=ANSWER.mentions, citations=ANSWER.citations),
            finished(),
        ]
    )


@pytest.fixture
def desk_for(tmp_path: Path, pdf: Callable[..., bytes], file_reader: WorkerReader) -> Iterator[Callable[..., Desk]]:
    """Return a maker of a desk whose model plays the given steps."""

    def make(
        *steps: Entry[ModelRequest], after_piece: Callable[[str], None] | None = None, sandbox: Sandbox | None = None
    ) -> Desk:
        model = ScriptedModel(steps, after_piece=after_piece)
        parts: dict[str, object] = {
            "embedder": HashingEmbedder(),
            "model": model,
            "sandbox": sandbox,
            "reader": file_reader,
        }
        desk = Desk(bootstrap.build(Settings(home=tmp_path), **parts))
        process.install(desk.workbench)
        desk.add("halden.pdf", pdf("Cover page", "Payment is due within 45 days of the invoice."))
        return desk

    try:
        yield make
    finally:
        process.close()
