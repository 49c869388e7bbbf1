"""The timeline of a turn, as values: one step a line, read from the events and from nothing else."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, Literal

from workbench.domain.calculations import CodeRun
from workbench.domain.events import (
    AnswerWithdrawn,
    ChartDrawn,
    CodeRan,
    DocumentDescribed,
    DocumentsListed,
    DocumentsRecommended,
    Event,
    LimitReached,
    ModelCallFinished,
    ModelCallStarted,
    QueryRewritten,
    SearchFinished,
    SourcesGathered,
    Stage,
    ToolCallFinished,
    ToolCallStarted,
    TurnFinished,
    TurnStarted,
)
from workbench.domain.listing import ListedDocument
from workbench.domain.results import ResultType, TurnStatus
from workbench.ui.ask.run_html import outcome_in_words
from workbench.ui.ask.visible_text import one_line
from workbench.ui.ask.wording import (
    amount,
    argument,
    container_names,
    counted,
    dollars,
    found_in_words,
    left_out,
    limit_name,
    listing_in_words,
    narrowing,
)

Tone = Literal["plain", "notice", "wrong"]


@dataclass(frozen=True)
class TraceStep:
    """One line of the timeline.

    ``key`` is the tool call's id where there is one, so that a citation's ``call_ids`` name steps. ``icon`` is the name
    of a Material symbol. ``seconds`` is None where nothing was timed. ``run`` is the code that the step ran, with all that
    came of it. ``told`` is what the model was told, where that matters. ``fed`` lists the numbers of the citations that
    this step found.
    """

    key: str
    icon: str
    title: str
    seconds: float | None = None
    running: bool = False
    tone: Tone = "plain"
    lines: tuple[str, ...] = ()
    search: SearchFinished | None = None
    run: CodeRun | None = None
    told: str = ""
    fed: tuple[int, ...] = ()


class _Timeline:
    """The steps so far by key, the containers that the turn searches, and the titles of the documents it has met by id."""

    def __init__(self) -> None:
        self.steps: dict[str, TraceStep] = {}
        self.containers: tuple[str, ...] = ()
        self.titles: dict[str, str] = {}

    def add(self, step: TraceStep) -> None:
        self.steps[step.key] = step

    def update(self, key: str, **changes: Any) -> None:
        """Change a step; make one where an event came for a call that was never announced."""
        step = self.steps.get(key) or TraceStep(key=key, icon="build", title="Tool call")
        self.steps[key] = replace(step, **changes)


_IN_TITLE = 72
"""Characters of a query in a step's line, so that it stays one or two; what is cut there stands whole in the details."""
_NAMED = 5
"""Documents of a list that its step names."""
_FOUND_BY = 44
"""Characters of a query where it only reminds of the search; the trace has it whole."""

_OUTCOMES = {
    "rejected": "rejected",
    "repeated": "already asked, its result stands above",
    "skipped": "not run",
    "failed": "failed",
}

_ENDINGS: dict[TurnStatus, tuple[str, str, Tone]] = {
    TurnStatus.ANSWERED: ("check_circle", "Answered", "plain"),
    TurnStatus.PARTIAL: ("hourglass_bottom", "Ended with a partial answer", "notice"),
    TurnStatus.STOPPED: ("stop_circle", "Stopped by you", "notice"),
    TurnStatus.REFUSED: ("block", "Declined", "notice"),
    TurnStatus.EXPIRED: ("history_toggle_off", "The conversation's context has expired", "notice"),
    TurnStatus.FAILED: ("error", "Failed", "wrong"),
    TurnStatus.INTERRUPTED: ("power_off", "Interrupted: the application ended meanwhile", "wrong"),
}

_RESULTS = {
    ResultType.CLARIFICATION: ("contact_support", "Asked you a question"),
    ResultType.DOCUMENTS: ("check_circle", "Listed documents"),
    ResultType.RECOMMENDATION: ("check_circle", "Recommended documents"),
}


def trace_steps(events: Iterable[Event]) -> list[TraceStep]:
    """Return the steps of a turn in the order in which they began; works on a turn that still runs."""
    line = _Timeline()
    for event in events:
        _apply(event, line)
    return list(line.steps.values())


def found_by(steps: Sequence[TraceStep]) -> dict[str, str]:
    """Return what each step did by its key, in few words, to say beside a citation which search found it."""
    return {
        step.key: f"search ‘{one_line(step.search.query, _FOUND_BY)}’" if step.search else _read(step.title)
        for step in steps
    }


def _read(title: str) -> str:
    """Return a step's title as it goes on after "Found by"."""
    return one_line(f"reading {title.removeprefix('Read ')}" if title.startswith("Read ") else title, _FOUND_BY + 20)


def _names(documents: Sequence[ListedDocument]) -> list[str]:
    """Return the first names, one a line, and how many more there are."""
    names = [one_line(each.name, 80) for each in documents[:_NAMED]]
    more = len(documents) - len(names)
    return [*names, f"and {more} more"] if more else names


@singledispatch
def _apply(event: Any, line: _Timeline) -> None:
    """Deltas and budgets have no line of their own: they are the answer and the meters."""


@_apply.register
def _(event: TurnStarted, line: _Timeline) -> None:
    lines = [f"Model: {event.model}", f"Instructions: version {event.prompt_version}"]
    if narrowed := narrowing(event.filters, line.titles):
        lines.append(narrowed)
    line.containers = event.containers
    line.add(
        TraceStep(
            key="start",
            icon="play_circle",
            title=f"Started in {container_names(event.containers)} · {event.profile.value}",
            lines=tuple(lines),
        )
    )


@_apply.register
def _(event: ModelCallStarted, line: _Timeline) -> None:
    key = f"model-{event.number}"
    line.add(TraceStep(key=key, icon="neurology", title=f"Model call {event.number}", running=True))


@_apply.register
def _(event: ModelCallFinished, line: _Timeline) -> None:
    usage = event.usage
    parts = [f"Model call {event.number}", f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"]
    if event.cost:
        parts.append(dollars(event.cost))
    lines = [f"Response {event.response_id}", f"Asked for {counted(event.calls, 'tool call')}"]
    if usage.cached_tokens:
        lines.append(f"{usage.cached_tokens:,} of the input tokens were cached")
    if usage.reasoning_tokens:
        lines.append(f"{usage.reasoning_tokens:,} of the output tokens were reasoning")
    complete = event.finish == "complete"
    if not complete:
        parts.append(f"cut short ({event.finish})")
    key = f"model-{event.number}"
    line.add(
        TraceStep(
            key=key,
            icon="neurology",
            title=" · ".join(parts),
            seconds=event.seconds,
            tone="plain" if complete else "notice",
            lines=tuple(lines),
        )
    )


@_apply.register
def _(event: ToolCallStarted, line: _Timeline) -> None:
    icon, title = _announce(event)
    line.add(TraceStep(key=event.call_id, icon=icon, title=title, running=True))


@_apply.register
def _(event: QueryRewritten, line: _Timeline) -> None:
    title = f"Reworded: {one_line(event.before, _IN_TITLE)} → {one_line(event.after, _IN_TITLE)}"
    line.update(event.call_id, icon="edit", title=title, lines=(f"Before: {event.before}", f"After: {event.after}"))


@_apply.register
def _(event: SearchFinished, line: _Timeline) -> None:
    outcome = f"kept\u00a0{len(event.kept)}, cut\u00a0{len(event.cut)}" if event.candidates else "nothing found"
    query = one_line(event.query, _IN_TITLE)
    lines = [] if query == event.query else [f"Query: {event.query}"]
    lines.append(f"Looked through {counted(event.documents, 'document')}, {counted(event.candidates, 'candidate')}")
    if event.requested and event.requested != event.query:
        lines.append(f"The model asked for: {event.requested}")
    if event.also:
        lines.append(f"Also searched for: {event.also}")
    if event.named:
        lines.append(
            f"Searched first, because the query names it: {', '.join(one_line(name, 80) for name in event.named)}"
        )
    lines += [_stage(stage) for stage in event.stages]
    line.titles |= {hit.document_id: hit.title for hit in (*event.kept, *event.cut)}
    if narrowed := narrowing(event.filters, line.titles):
        lines.append(narrowed)
    if event.note:
        lines.append(f"Note to the model: {event.note}")
    where = f" in {container_names(line.containers)}" if line.containers else ""
    line.update(
        event.call_id,
        icon="search",
        title=f"Search ‘{query}’{where} · {outcome}",
        seconds=event.seconds,
        lines=tuple(lines),
        search=event,
        tone="plain" if event.kept else "notice",
    )


def _stage(stage: Stage) -> str:
    told = f"{stage.name.capitalize()}: {stage.left:,}"
    return f"{told} ({one_line(stage.note, 240)})" if stage.note else told


@_apply.register
def _(event: SourcesGathered, line: _Timeline) -> None:
    line.titles |= {source.chunk.document_id: source.title for source in event.sources}
    step = line.steps.get(event.call_id)
    if step is None or step.search is not None or not event.sources:
        return
    if step.run is not None:
        line.update(event.call_id, lines=(f"Given to the model as {', '.join(each.ref for each in event.sources)}",))
        return
    first = event.sources[0]
    refs = ", ".join(source.ref for source in event.sources)
    line.update(
        event.call_id,
        title=f"Read {one_line(first.title, 60)} {first.pages}",
        lines=(f"Given to the model as {refs}",),
    )


@_apply.register
def _(event: DocumentsListed, line: _Timeline) -> None:
    listing = event.listing
    line.titles |= {item.id: item.name for item in listing.items}
    lines = [f"Asked for: {listing_in_words(listing.query)}"]
    if event.period:
        lines.append(f"The model asked for the time ‘{one_line(event.period, 120)}’")
    lines += left_out(listing)
    if event.note:
        lines.append(f"Note to the model: {event.note}")
    line.update(
        event.call_id,
        icon="list_alt",
        title=f"List documents · {found_in_words(listing)}",
        seconds=event.seconds,
        lines=(*lines, *_names(listing.items)),
        tone="plain" if listing.items else "notice",
    )


@_apply.register
def _(event: ChartDrawn, line: _Timeline) -> None:
    chart = event.chart
    drawn_from = [f"From {one_line(each.title, 80)}, {each.label}" for each in chart.sources]
    line.update(
        event.call_id,
        icon="bar_chart",
        title=f"Draw ‘{one_line(chart.title, _IN_TITLE)}’ · {counted(len(chart.rows), 'row')}",
        lines=tuple(drawn_from),
    )


@_apply.register
def _(event: CodeRan, line: _Timeline) -> None:
    line.titles |= {each.document_id: each.title for each in event.run.inputs if each.document_id is not None}
    line.update(
        event.call_id,
        icon="calculate",
        title=f"Calculate · {outcome_in_words(event.run)}",
        seconds=event.run.result.seconds,
        running=False,
        run=event.run,
        tone="plain" if event.run.result.ok else "notice",
    )


@_apply.register
def _(event: DocumentDescribed, line: _Timeline) -> None:
    line.titles[event.document.id] = event.document.name
    line.update(event.call_id, icon="description", title=f"Look up {one_line(event.document.name, 80)}")


@_apply.register
def _(event: DocumentsRecommended, line: _Timeline) -> None:
    lines = _names(event.cards)
    if event.unresolved:
        lines.append(f"Not shown, for they name no document in scope: {', '.join(event.unresolved)}")
    line.update(
        event.call_id,
        icon="recommend",
        title=f"Recommend {counted(len(event.cards), 'document')}",
        lines=tuple(lines),
        tone="notice" if event.unresolved else "plain",
    )


@_apply.register
def _(event: ToolCallFinished, line: _Timeline) -> None:
    if event.outcome == "ok":
        line.update(event.call_id, running=False, seconds=event.seconds)
        return
    step = line.steps.get(event.call_id)
    title = step.title if step else event.name
    line.update(
        event.call_id,
        running=False,
        seconds=event.seconds,
        title=f"{title} · {_OUTCOMES[event.outcome]}",
        tone="wrong" if event.outcome == "failed" else "notice",
        told=event.output,
    )


@_apply.register
def _(event: LimitReached, line: _Timeline) -> None:
    used, ceiling = amount(event.limit, event.used), amount(event.limit, event.ceiling)
    key = f"limit-{event.limit.value}-{event.seq}"
    title = f"Limit reached: {limit_name(event.limit)}, {used} of {ceiling}"
    line.add(TraceStep(key=key, icon="speed", title=title, tone="notice"))


@_apply.register
def _(event: AnswerWithdrawn, line: _Timeline) -> None:
    key = f"remark-{event.seq}"
    remark = one_line(event.text, _IN_TITLE)
    lines = () if remark == event.text else (event.text,)
    line.add(TraceStep(key=key, icon="chat_bubble", title=f"Remark between steps: {remark}", lines=lines))


@_apply.register
def _(event: TurnFinished, line: _Timeline) -> None:
    for citation in event.answer.citations:
        for call_id in citation.call_ids:
            if call_id in line.steps:
                fed = (*line.steps[call_id].fed, citation.number)
                line.update(call_id, fed=tuple(dict.fromkeys(fed)))
    for step in [step for step in line.steps.values() if step.running]:
        line.update(step.key, running=False, title=f"{step.title} · not finished", tone="notice")
    icon, title, tone = _ENDINGS.get(event.status, ("help", event.status.value, "notice"))
    if event.status is TurnStatus.ANSWERED and event.result_type in _RESULTS:
        icon, title = _RESULTS[event.result_type]
    if event.answer.citations:
        title += f" · {counted(len(event.answer.citations), 'page')} cited"
    lines = [text for text in (event.reason, event.advice) if text]
    if event.coverage is not None:
        lines.append(f"The answer is {event.coverage.text}")
    if event.answer.unknown_refs:
        lines.append(f"Markers of no source, taken out of the text: {', '.join(event.answer.unknown_refs)}")
    line.add(
        TraceStep(
            key="end", icon=icon, title=title, seconds=event.spend.seconds or event.at, tone=tone, lines=tuple(lines)
        )
    )


def _announce(event: ToolCallStarted) -> tuple[str, str]:
    """Return icon and title of a tool call that has only begun."""
    known: dict[str, Callable[[], tuple[str, str]]] = {
        "search_documents": lambda: ("search", f"Search ‘{one_line(argument(event.arguments, 'query'), _IN_TITLE)}’"),
        "rewrite_query": lambda: ("edit", f"Reword to ‘{one_line(argument(event.arguments, 'query'), _IN_TITLE)}’"),
        "read_page": lambda: ("article", f"Read page {argument(event.arguments, 'page')}".strip()),
        "read_table": lambda: ("table", f"Read cells {argument(event.arguments, 'range')}".strip()),
        "run_code": lambda: ("calculate", "Calculate"),
        "draw_chart": lambda: ("bar_chart", f"Draw ‘{one_line(argument(event.arguments, 'title'), _IN_TITLE)}’"),
        "find_documents": lambda: ("list_alt", "List documents"),
        "get_document": lambda: ("description", "Look up a document"),
        "recommend": lambda: ("recommend", "Recommend documents"),
        "ask_user": lambda: (
            "contact_support",
            f"Question to you: {one_line(argument(event.arguments, 'question'), 200)}",
        ),
    }
    announce = known.get(event.name)
    return announce() if announce else ("build", f"{one_line(event.name, 60)} {one_line(event.arguments, 120)}")
