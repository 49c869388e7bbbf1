"""``search_documents``: hybrid search inside the user's scope, within the turn's budget of passages."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from typing import NamedTuple

from pydantic import Field

from workbench.domain.chunks import Chunk
from workbench.domain.events import Event, Hit, SearchFinished, SourcesGathered, Stage
from workbench.domain.ids import DocumentId
from workbench.domain.pages import pages_label
from workbench.domain.scope import Filters
from workbench.domain.sources import format_blocks
from workbench.domain.tags import Tag, by_key
from workbench.domain.values import Value
from workbench.services.ports import Clock
from workbench.services.retrieval.ledger import Admission, Naming
from workbench.services.retrieval.ranking import Ranked
from workbench.services.retrieval.search import Search, SearchOutcome
from workbench.services.tools.narrowing import DateFrom, DateTo, Language, PeriodText, bounds, left_out
from workbench.services.tools.tool import ToolContext, ToolResult

SNIPPET = 240
SHOWN_CUT = 30
"""How many cut hits the trace keeps; the count of candidates is complete."""


class SearchArguments(Value):
    query: str = Field(min_length=1, max_length=1000, description="What to look for: one topic, in plain words.")
    document_ids: tuple[DocumentId, ...] | None = Field(
        description="Search only these documents (the ids given as DOCUMENT or by find_documents). "
        "Null searches all in scope; an empty list finds nothing."
    )
    tags: tuple[Tag, ...] | None = Field(description="Search only documents with these tags. Null for no restriction.")
    language: Language
    date_from: DateFrom
    date_to: DateTo
    period: PeriodText

    def filters(self, today: date) -> Filters | None:
        """The narrowing these arguments ask for; None where they ask for none. Raises CallRejected for impossible dates."""
        if all(value is None for name, value in self if name != "query"):
            return None
        first, last = bounds(self.period, self.date_from, self.date_to, today)
        return Filters(
            tags=by_key(self.tags or ()),
            document_ids=self.document_ids,
            language=self.language,
            date_from=first,
            date_to=last,
        )


class Fetched(NamedTuple):
    """``left_out`` says which documents the filters excluded for want of a date or a language."""

    outcome: SearchOutcome
    filters: Filters | None
    left_out: str
    seconds: float


class SearchDocuments:
    name = "search_documents"
    description = (
        "Search the user's documents by words and meaning. Returns passages, each with a REF to cite. "
        "Use one focused query a topic; for several parts or documents call it several times in one batch, "
        "each with its own query. Naming documents in document_ids works better than naming them in the query."
    )
    arguments = SearchArguments

    def __init__(self, search: Search, clock: Clock) -> None:
        self._search = search
        self._clock = clock

    def fetch(self, arguments: SearchArguments, context: ToolContext) -> Fetched:
        started = self._clock.monotonic()
        filters = arguments.filters(self._clock.now().date())
        scope = context.scope if filters is None else context.scope.narrowed(filters)
        passages = self._search.passages
        at_most = passages if context.share is None else min(passages, context.share)
        readable = self._search.documents(context.scope)
        outcome = self._search.run(scope, arguments.query, at_most, readable)
        excluded = "" if filters is None else left_out(readable, filters)
        return Fetched(outcome, filters, excluded, self._clock.monotonic() - started)

    def settle(self, fetched: Fetched, arguments: SearchArguments, context: ToolContext) -> ToolResult:
        outcome = fetched.outcome
        admission = context.ledger.admit(outcome.kept, _naming(outcome), context.call_id)
        remarks = context.ledger.unsaid(outcome.remarks)
        note = " ".join(part for part in (outcome.note or _note(admission), fetched.left_out, *remarks) if part)
        search = SearchFinished(
            call_id=context.call_id,
            query=outcome.query,
            requested=context.requested_query or arguments.query,
            filters=fetched.filters,
            documents=len(outcome.documents),
            candidates=outcome.candidates,
            kept=tuple(
                _hit(Ranked(source.chunk, score), outcome, ref=source.ref, labels=source.labels)
                for source, score in admission.admitted
            ),
            cut=tuple(_hit(hit, outcome) for hit in [*admission.held_back, *outcome.cut][:SHOWN_CUT]),
            note=note,
            seconds=round(fetched.seconds, 4),
            also=outcome.also,
            named=tuple(outcome.documents[document].display_name for document in outcome.named),
            stages=(*outcome.stages, _ledger_stage(admission)),
        )
        events: tuple[Event, ...] = (search,)
        if admission.sources:
            events = (search, SourcesGathered(call_id=context.call_id, sources=admission.sources))
        return ToolResult(_output(note, admission), events, reached=frozenset(outcome.documents))


def _ledger_stage(admission: Admission) -> Stage:
    reasons = Counter(hit.reason for hit in admission.held_back)
    note = "; ".join(f"{count} {reason}" for reason, count in reasons.items())
    return Stage(name="ledger", left=len(admission.admitted), note=note)


def _naming(outcome: SearchOutcome) -> Callable[[Chunk], Naming]:
    def name(chunk: Chunk) -> Naming:
        document = outcome.documents[chunk.document_id]
        return Naming(document.display_name, outcome.containers.get(chunk.container_id, ""))

    return name


def _hit(hit: Ranked, outcome: SearchOutcome, ref: str | None = None, labels: dict[int, str] | None = None) -> Hit:
    chunk = hit.chunk
    return Hit.model_validate(
        {
            "chunk_id": chunk.id,
            "document_id": chunk.document_id,
            "title": outcome.documents[chunk.document_id].display_name,
            "pages": chunk.area.label if chunk.area else pages_label(chunk.first_page, chunk.last_page, labels or {}),
            "score": round(hit.score, 4),
            "snippet": " ".join(chunk.text.split())[:SNIPPET],
            "ref": ref,
            "reason": hit.reason,
        }
    )


def _note(admission: Admission) -> str:
    """Say in words what the search held back, so that the model can change course instead of asking again."""
    if admission.admitted or not admission.held_back:
        return ""
    if any("budget" in hit.reason for hit in admission.held_back):
        return "The passage budget of this turn is spent. Answer from what you have, or say what is missing."
    return "Nothing new: every passage that fits was already given above. Answer, or search for something else."


def _output(note: str, admission: Admission) -> str:
    blocks = format_blocks(admission.sources)
    heard = _already_given(admission.held_back)
    return "\n\n".join(part for part in (f"NOTE: {note}" if note else "", heard, blocks) if part)


def _already_given(held_back: Iterable[Ranked]) -> str:
    given = [hit.reason for hit in held_back if hit.reason.startswith("already given as ")]
    if not given:
        return ""
    return "NOTE: Also fitting, given before: " + ", ".join(
        reason.removeprefix("already given as ") for reason in given
    )
