"""The events of a turn: the one source of truth that screen, trace, store, command line and evaluation all read.

A turn's events start with :class:`TurnStarted` and end with exactly one :class:`TurnFinished`. ``seq`` counts from 1 and
``at`` is in seconds since the start of the turn; both are stamped when the event is recorded.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter

from workbench.domain.budgets import LimitName, Limits, Profile, Spend
from workbench.domain.calculations import CodeRun
from workbench.domain.charts import Chart
from workbench.domain.citations import Citation, CitedAnswer, Mention, Source
from workbench.domain.ids import ChunkId, ConversationId, DocumentId, Ref, TurnId
from workbench.domain.items import TokenUsage
from workbench.domain.listing import Coverage, ListedDocument, Listing
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.scope import Filters
from workbench.domain.values import Value


class BaseEvent(Value):
    seq: int = 0
    at: float = 0.0

    def stamped(self, seq: int, at: float) -> Self:
        return self.model_copy(update={"seq": seq, "at": round(at, 4)})


class TurnStarted(BaseEvent):
    kind: Literal["turn_started"] = "turn_started"
    turn_id: TurnId
    conversation_id: ConversationId
    question: str
    containers: tuple[str, ...]
    filters: Filters | None = None
    profile: Profile
    limits: Limits
    model: str
    prompt_version: str


class ModelCallStarted(BaseEvent):
    kind: Literal["model_call_started"] = "model_call_started"
    number: int


class ResponseCreated(BaseEvent):
    """The provider gave the response its id. It is recorded at once, so that it can be deleted there later."""

    kind: Literal["response_created"] = "response_created"
    number: int
    response_id: str


class ObjectKept(BaseEvent):
    """The provider keeps a container in which code of this turn ran, or a file in it. Recorded at once, like a response."""

    kind: Literal["object_kept"] = "object_kept"
    container_id: str
    file_id: str = ""


class ModelCallFinished(BaseEvent):
    """``finish`` as in :class:`~workbench.domain.items.ModelResponse`; ``cost`` in US dollars, None where no price is set."""

    kind: Literal["model_call_finished"] = "model_call_finished"
    number: int
    response_id: str
    usage: TokenUsage
    seconds: float
    cost: float | None = None
    finish: str = "complete"
    calls: int = 0


class QueryRewritten(BaseEvent):
    kind: Literal["query_rewritten"] = "query_rewritten"
    call_id: str
    before: str
    after: str


class ToolCallStarted(BaseEvent):
    """``arguments`` is the raw JSON text the model wrote."""

    kind: Literal["tool_call_started"] = "tool_call_started"
    call_id: str
    name: str
    arguments: str


class ToolCallFinished(BaseEvent):
    """``outcome`` says whether the tool ran: ``ok``, ``rejected`` (bad name or arguments), ``repeated`` (answered from the
    turn's ledger), ``skipped`` (a limit or a stop came first) or ``failed``. ``output`` is what the model was told."""

    kind: Literal["tool_call_finished"] = "tool_call_finished"
    call_id: str
    name: str
    outcome: Literal["ok", "rejected", "repeated", "skipped", "failed"]
    output: str
    seconds: float


class Hit(Value):
    """A search hit as the trace shows it. ``ref`` is set on kept hits, ``reason`` says why a cut one was cut."""

    chunk_id: ChunkId
    document_id: DocumentId
    title: str
    pages: str
    score: float
    snippet: str = ""
    ref: Ref | None = None
    reason: str = ""


class Stage(Value):
    """One stage of a search: how many documents (of the scope) or passages it left, and in words what it did or cut."""

    name: str
    left: int
    note: str = ""


class SearchFinished(BaseEvent):
    """One search: the query that ran, the one the model asked for where it differs, filters, and hits kept and cut.

    ``also`` is the usual wording of what was asked, which was searched for as well. ``named`` are titles of documents that
    the query names and that were searched first. ``stages`` tell the search in order.
    """

    kind: Literal["search_finished"] = "search_finished"
    call_id: str
    query: str
    requested: str
    filters: Filters | None = None
    documents: int
    candidates: int
    kept: tuple[Hit, ...]
    cut: tuple[Hit, ...]
    note: str = ""
    seconds: float
    also: str = ""
    named: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()


class SourcesGathered(BaseEvent):
    """New sources entered the turn's ledger."""

    kind: Literal["sources_gathered"] = "sources_gathered"
    call_id: str
    sources: tuple[Source, ...]


class DocumentsListed(BaseEvent):
    """Documents were listed. ``listing.query`` holds the normalised parameters: what ``period`` meant stands as dates.

    ``period`` is the expression the model wrote, where it wrote one.
    """

    kind: Literal["documents_listed"] = "documents_listed"
    call_id: str
    listing: Listing
    period: str = ""
    note: str = ""
    seconds: float


class DocumentDescribed(BaseEvent):
    """What is known of one document was told to the model."""

    kind: Literal["document_described"] = "document_described"
    call_id: str
    document: ListedDocument


class DocumentsRecommended(BaseEvent):
    """Documents were recommended as ``cards``. ``unresolved`` are ids that the model gave and that name no document in scope:
    invented or forbidden, they give no card."""

    kind: Literal["documents_recommended"] = "documents_recommended"
    call_id: str
    message: str
    cards: tuple[ListedDocument, ...]
    unresolved: tuple[str, ...] = ()


class CodeRan(BaseEvent):
    """Code that the model wrote was run, by a tool call or inside a model call at its provider."""

    kind: Literal["code_ran"] = "code_ran"
    call_id: str
    run: CodeRun


class ChartDrawn(BaseEvent):
    """A chart was drawn below the answer."""

    kind: Literal["chart_drawn"] = "chart_drawn"
    call_id: str
    chart: Chart


class BudgetSpent(BaseEvent):
    kind: Literal["budget_spent"] = "budget_spent"
    spend: Spend


class LimitReached(BaseEvent):
    kind: Literal["limit_reached"] = "limit_reached"
    limit: LimitName
    ceiling: float
    used: float


class AnswerDelta(BaseEvent):
    """The next piece of the final text. ``mentions`` lie inside the piece (offsets in the whole text so far);
    ``citations`` are those first mentioned here."""

    kind: Literal["answer_delta"] = "answer_delta"
    text: str
    mentions: tuple[Mention, ...] = ()
    citations: tuple[Citation, ...] = ()


class AnswerWithdrawn(BaseEvent):
    """The text streamed so far was a remark between steps, not the answer. It is kept in the trace as ``text``."""

    kind: Literal["answer_withdrawn"] = "answer_withdrawn"
    text: str


class TurnFinished(BaseEvent):
    """The end. ``reason`` says in words why a turn did not end with a full answer; ``advice`` what to do next.

    ``listing`` is set for the result types ``documents`` and ``combined``, ``coverage`` for ``combined``, ``cards`` for
    ``recommendation``. ``charts`` stand below the text, in the order in which they were drawn.
    """

    kind: Literal["turn_finished"] = "turn_finished"
    status: TurnStatus
    result_type: ResultType
    answer: CitedAnswer
    spend: Spend
    reason: str = ""
    advice: str = ""
    unsourced: bool = False
    listing: Listing | None = None
    coverage: Coverage | None = None
    cards: tuple[ListedDocument, ...] = ()
    charts: tuple[Chart, ...] = ()

    @property
    def coverage_limited(self) -> bool:
        return self.coverage is not None and self.coverage.limited


Event = Annotated[
    TurnStarted
    | ModelCallStarted
    | ResponseCreated
    | ObjectKept
    | ModelCallFinished
    | QueryRewritten
    | ToolCallStarted
    | ToolCallFinished
    | SearchFinished
    | SourcesGathered
    | DocumentsListed
    | DocumentDescribed
    | DocumentsRecommended
    | CodeRan
    | ChartDrawn
    | BudgetSpent
    | LimitReached
    | AnswerDelta
    | AnswerWithdrawn
    | TurnFinished,
    Field(discriminator="kind"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes any event as JSON."""
