"""Stored turns as results: what a client reads is what the store holds."""

import json
from collections.abc import Sequence
from typing import Any

from mcp.types import CallToolResult, TextContent

from workbench.domain.conversations import Turn
from workbench.domain.events import CodeRan, DocumentsListed, Event, ToolCallFinished
from workbench.domain.listing import Listing
from workbench.domain.results import TurnStatus
from workbench.domain.tags import by_key
from workbench.mcp_server.shapes import DATA
from workbench.services.turn_values import citation_values, turn_values

_KEPT_FROM_CLIENTS = ("events", "response_ids", "turn", "unknown_refs")
"""The trace is for reviewers, on the screen and in exports; ids of the provider are nobody else's."""


def tool_result(turn: Turn, events: Sequence[Event]) -> CallToolResult:
    """Return what a stored tool call gave."""
    finished = next((each for each in events if isinstance(each, ToolCallFinished)), None)
    outcome, output = (finished.outcome, finished.output) if finished else (turn.status.value, turn.reason)
    values = {
        "turn": turn.id,
        "conversation": turn.conversation_id,
        "outcome": outcome,
        "output": output,
        "citations": [citation_values(citation) for citation in turn.answer.citations],
        "documents": next((_listing(each.listing) for each in events if isinstance(each, DocumentsListed)), None),
        "calculation": next((_calculation(each) for each in events if isinstance(each, CodeRan)), None),
    }
    ok = outcome == "ok"
    return CallToolResult(
        content=[TextContent(text=f"{DATA}\n\n{output}" if ok else output)], structured_content=values, is_error=not ok
    )


def _listing(listing: Listing) -> dict[str, Any]:
    items = [
        {
            "id": each.id,
            "name": each.name,
            "title": each.title,
            "dated": str(each.dated) if each.dated else None,
            "language": each.language,
            "pages": each.pages,
            "tags": {key: list(values) for key, values in by_key(each.tags).items()},
        }
        for each in listing.items
    ]
    return {"total": listing.total, "page": listing.page, "pages": listing.pages, "items": items}


def _calculation(event: CodeRan) -> dict[str, Any]:
    result: dict[str, Any] = event.run.result.model_dump(mode="json", exclude={"inputs"})
    return result


def answer_result(turn: Turn, step: str = "") -> CallToolResult:
    """Return a question as far as it is answered."""
    stored = turn_values(turn, ())
    values = {name: value for name, value in stored.items() if name not in _KEPT_FROM_CLIENTS}
    values |= {"job": turn.id, "step": step}
    return CallToolResult(
        content=[TextContent(text=_told(turn, step))],
        structured_content=json.loads(json.dumps(values)),
        is_error=turn.status in (TurnStatus.FAILED, TurnStatus.EXPIRED, TurnStatus.INTERRUPTED),
    )


def _told(turn: Turn, step: str) -> str:
    if turn.status is TurnStatus.RUNNING:
        doing = f" ({step})" if step else ""
        return f"The question is being worked on{doing}. Call ask_status with job {turn.id} for the answer."
    lines = [turn.answer.text] if turn.answer.text else []
    if turn.reason:
        lines.append(f"[{turn.status.value}] {turn.reason} {turn.advice}".strip())
    if turn.answer.citations:
        lines += ["", "Sources:"]
        lines += [f"[{each.number}] {each.label}: “{' '.join(each.quote.split())}”" for each in turn.answer.citations]
    return "\n".join(lines)


def refused(message: str) -> CallToolResult:
    """Return an error that the caller can act on, in words."""
    return CallToolResult(content=[TextContent(text=message)], is_error=True)
