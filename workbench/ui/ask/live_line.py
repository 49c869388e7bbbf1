"""The one line that says what a running turn does at this moment."""

from collections.abc import Sequence

from workbench.domain.budgets import LimitName
from workbench.domain.events import AnswerDelta, AnswerWithdrawn, Event, ToolCallFinished, ToolCallStarted, TurnStarted
from workbench.ui.ask.meters import Budget, budget
from workbench.ui.ask.visible_text import one_line
from workbench.ui.ask.wording import argument, container_names, counted

_QUERY = 60
_DOING = {
    "run_code": "Calculating",
    "rewrite_query": "Rewording the question",
    "find_documents": "Listing documents",
    "get_document": "Looking up a document",
    "recommend": "Choosing documents to recommend",
    "ask_user": "Asking you a question",
}


def live_line(events: Sequence[Event], seconds: float) -> str:
    """Return for example "Searching ‘liability cap’ in Contracts · 3 of 12 calls · 9 of 24 passages · 4 s".

    ``seconds`` is how long the turn has run; it grows between events.
    """
    spent = budget(events)
    parts = [_doing(events), _of(spent, LimitName.TOOL_CALLS, "calls"), _of(spent, LimitName.CHUNKS, "passages")]
    return " · ".join([*parts, f"{seconds:.0f}\u00a0s"])


def _of(spent: Budget, limit: LimitName, unit: str) -> str:
    return f"{spent.meter(limit).text} {unit}"


def _doing(events: Sequence[Event]) -> str:
    pending: dict[str, ToolCallStarted] = {}
    writing = False
    containers: tuple[str, ...] = ()
    for event in events:
        match event:
            case TurnStarted():
                containers = event.containers
            case ToolCallStarted():
                pending[event.call_id] = event
            case ToolCallFinished():
                pending.pop(event.call_id, None)
            case AnswerDelta():
                writing = True
            case AnswerWithdrawn():
                writing = False
            case _:
                pass
    if len(pending) > 1:
        return f"Running {counted(len(pending), 'tool call')} at once"
    if pending:
        return _tool(next(iter(pending.values())), containers)
    return "Writing the answer" if writing else "Thinking" if events else "Starting"


def _tool(call: ToolCallStarted, containers: tuple[str, ...]) -> str:
    if call.name == "search_documents":
        where = f" in {container_names(containers)}" if containers else ""
        return f"Searching ‘{one_line(argument(call.arguments, 'query'), _QUERY)}’{where}"
    if call.name == "read_page":
        return f"Reading page {argument(call.arguments, 'page')}".rstrip()
    if call.name == "read_table":
        return f"Reading cells {argument(call.arguments, 'range')}".rstrip()
    return _DOING.get(call.name) or f"Running {one_line(call.name, 40)}"
