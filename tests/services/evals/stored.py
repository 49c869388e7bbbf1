"""Turns and events made by hand, as they would be stored."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from workbench.domain.budgets import LimitName, Limits, Profile, Spend
from workbench.domain.chunks import Chunk, ChunkKind, Segment
from workbench.domain.citations import Citation, CitedAnswer, Mention, Source
from workbench.domain.conversations import Turn
from workbench.domain.events import (
    BaseEvent,
    BudgetSpent,
    Event,
    Hit,
    LimitReached,
    ModelCallFinished,
    ModelCallStarted,
    QueryRewritten,
    SearchFinished,
    SourcesGathered,
    ToolCallFinished,
    ToolCallStarted,
    TurnFinished,
    TurnStarted,
)
from workbench.domain.ids import ChunkId, ContainerId, ConversationId, DocumentId, Ref, TurnId
from workbench.domain.items import TokenUsage
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.scope import Filters
from workbench.services.evals.trajectory import Trajectory

QUESTION = "How long is the notice period?"
LEASE = "lease.pdf"


def turn(text: str = "Three months.", **values: Any) -> Turn:
    cited = values.pop("cited", ())
    given: dict[str, Any] = {
        "id": TurnId("turn_1"),
        "conversation_id": ConversationId("conv_1"),
        "number": 1,
        "question": QUESTION,
        "containers": (ContainerId("con_1"),),
        "profile": Profile.QUICK,
        "model": "any",
        "status": TurnStatus.ANSWERED,
        "result_type": ResultType.ANSWER,
        "answer": answer(text, cited),
        "started_at": datetime(2026, 3, 1, tzinfo=UTC),
    }
    return Turn(**(given | values))


def answer(text: str, cited: Sequence[tuple[str, int]] = (), quote: str = "as quoted") -> CitedAnswer:
    """Return an answer with its citations, each mentioned at the end."""
    citations, mentions = [], []
    for number, (document, page) in enumerate(cited, 1):
        label = f"{document}, p. {page}"
        citations.append(citation(number, document, page, label))
        start = len(text) + 1
        text = f"{text} [{label}]"
        mentions.append(Mention(start=start, end=len(text), citation=number, refs=(Ref(f"S{number}"),), quote=quote))
    return CitedAnswer(text=text, citations=tuple(citations), mentions=tuple(mentions))


def citation(number: int, document: str, page: int, label: str) -> Citation:
    return Citation(
        number=number,
        document_id=DocumentId(f"doc_{document}"),
        container_id=ContainerId("con_1"),
        document=document,
        container="Leases",
        kind=ChunkKind.TEXT,
        page=page,
        page_label=f"p. {page}",
        label=label,
        quote="as quoted",
        refs=(Ref(f"S{number}"),),
    )


def seen(*events: BaseEvent, **values: Any) -> Trajectory:
    """Return a trajectory of the events, numbered; ``values`` are of the turn."""
    numbered: list[Any] = [event.stamped(number, float(number)) for number, event in enumerate(events, 1)]
    return Trajectory(turn(**values), tuple(numbered))


def begun(**limits: float) -> Event:
    return TurnStarted(
        turn_id=TurnId("turn_1"),
        conversation_id=ConversationId("conv_1"),
        question=QUESTION,
        containers=("Leases",),
        profile=Profile.QUICK,
        limits=Limits(**limits),  # type: ignore[arg-type]
        model="any",
        prompt_version="test-1",
    )


def asked(number: int, calls: int = 0, **usage: int) -> list[Event]:
    """Return a model call that made ``calls`` tool calls."""
    tokens = TokenUsage(**usage)
    return [
        ModelCallStarted(number=number),
        ModelCallFinished(number=number, response_id=f"r{number}", usage=tokens, seconds=0.1, calls=calls, cost=0.01),
    ]


def called(call_id: str, name: str, arguments: str = "{}", outcome: Any = "ok", output: str = "") -> list[Event]:
    return [
        ToolCallStarted(call_id=call_id, name=name, arguments=arguments),
        ToolCallFinished(call_id=call_id, name=name, outcome=outcome, output=output, seconds=0.1),
    ]


def searched(
    call_id: str,
    query: str = "notice period",
    *,
    requested: str = "",
    kept: Sequence[str] = (LEASE,),
    filters: Filters | None = None,
    output: str = "",
) -> list[Event]:
    """Return a search call with its search; ``kept`` are the documents of which a passage was given."""
    start, end = called(
        call_id, "search_documents", f'{{"query": "{requested or query}", "id": "{call_id}"}}', "ok", output
    )
    hits = tuple(
        Hit(
            chunk_id=ChunkId(f"{call_id}_{n}"),
            document_id=DocumentId(f"doc_{name}"),
            title=name,
            pages="p. 1",
            score=1.0,
        )
        for n, name in enumerate(kept)
    )
    search = SearchFinished(
        call_id=call_id,
        query=query,
        requested=requested or query,
        filters=filters,
        documents=1,
        candidates=len(hits),
        kept=hits,
        cut=(),
        seconds=0.1,
    )
    return [start, search, end]


def rewritten(call_id: str, before: str, after: str) -> list[Event]:
    start, end = called(call_id, "rewrite_query", f'{{"query": "{after}"}}')
    return [start, QueryRewritten(call_id=call_id, before=before, after=after), end]


def gathered(call_id: str, *texts: str) -> Event:
    sources = tuple(
        Source(
            ref=Ref(f"S{number}"),
            chunk=Chunk(
                id=ChunkId(f"chunk_{number}"),
                document_id=DocumentId("doc_lease"),
                container_id=ContainerId("con_1"),
                ordinal=number,
                text=text,
                segments=(Segment(page=1, start=0, end=len(text)),),
            ),
            title=LEASE,
            container="Leases",
            call_id=call_id,
        )
        for number, text in enumerate(texts, 1)
    )
    return SourcesGathered(call_id=call_id, sources=sources)


def limit(name: LimitName, ceiling: float = 1.0) -> Event:
    return LimitReached(limit=name, ceiling=ceiling, used=ceiling)


def spent(**values: float) -> Event:
    return BudgetSpent(spend=Spend(**values))  # type: ignore[arg-type]


def ended(status: TurnStatus = TurnStatus.ANSWERED) -> Event:
    return TurnFinished(status=status, result_type=ResultType.ANSWER, answer=CitedAnswer(), spend=Spend())
