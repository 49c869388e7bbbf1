"""Faults of providers and networks, by name. Each was seen in the wild; see :data:`FAULTS` for what each does."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from workbench.adapters.fakes.responses_server.rules import ApiError
from workbench.adapters.fakes.responses_server.state import previous_response_not_found

Wire = dict[str, Any]


class Break(Enum):
    """What may happen to a connection instead of the next event."""

    DISCONNECT = "disconnect"
    STALL = "stall"


Frame = Wire | bytes | Break


@dataclass(frozen=True)
class Fault:
    """``retry_after`` is in seconds and goes into the header of the same name where the fault is an HTTP error."""

    name: str
    retry_after: float | None = None


FAULTS = {
    "expired": "400: the provider lost the previous response for good",
    "slow_previous_id": "400: the previous response is not readable yet",
    "rate_limit_http": "429 with Retry-After",
    "quota": "429 insufficient_quota",
    "server_error": "500",
    "content_filter": "400 in the form of Azure's content filter",
    "html_200": "200 with a web page",
    "json_200": "200 with JSON although a stream was asked for",
    "rate_limit_first_event": "200, the first event is an error",
    "rate_limit_in_stream": "200, the response is created and then fails for the rate limit",
    "failed": "response.failed with a server error",
    "error_event": "half of the answer, then an error event",
    "nested_error": "half of the answer, then an error event in the form of other endpoints",
    "silent_end": "half of the answer, then a clean end without a final event",
    "disconnect": "half of the answer, then a broken connection",
    "stall": "half of the answer, then nothing more",
    "bad_json_chunk": "half of the answer, then an event that is not JSON",
    "incomplete_max_tokens": "half of the answer, then response.incomplete for max_output_tokens",
    "content_filter_output": "half of the answer, then response.incomplete for content_filter",
    "truncated_arguments": "response.incomplete in the middle of the last call's arguments",
}

DELETION_FAULTS = {
    "rate_limit_http": FAULTS["rate_limit_http"],
    "server_error": FAULTS["server_error"],
    "no_route": "404 in the words of a server that has no such address",
    "wrong_address": "404 in the words of the API for an address that it does not have",
    "kept": "200, and a response stays where it is",
}


CUTS = {"incomplete_max_tokens": "max_output_tokens", "content_filter_output": "content_filter"}
"""Faults that cut the answer itself, with the reason given for it."""


def reply_instead(fault: Fault, body: Wire) -> Response | None:
    """Return the whole reply of a fault that comes before any event, or None; raise ApiError for an HTTP error."""
    if fault.name in ("expired", "slow_previous_id"):
        raise previous_response_not_found(str(body.get("previous_response_id")))
    if fault.name in _HTTP_ERRORS:
        status, code, message, kind, more = _HTTP_ERRORS[fault.name]
        headers = None if fault.retry_after is None else {"retry-after": f"{fault.retry_after:g}"}
        raise ApiError(status, message, code=code, kind=kind, headers=headers, more=more)
    if fault.name == "html_200":
        return HTMLResponse("<!doctype html><title>Sign in</title><p>Please sign in to continue.</p>")
    if fault.name == "json_200":
        return JSONResponse({"id": "resp_x", "object": "response", "status": "completed", "output": []})
    return None


def refuse_deletion(fault: Fault) -> None:
    """Raise what a deletion that fails is answered with."""
    if fault.name == "no_route":
        raise HTTPException(404)
    if fault.name == "wrong_address":
        raise ApiError(404, "Invalid URL (DELETE /v1/responses)")
    reply_instead(fault, {})


def events_instead(fault: Fault, started: Wire) -> list[Wire] | None:
    """Return the events of a fault that lets the model say nothing, or None."""
    limit = {"code": "rate_limit_exceeded", "message": "Rate limit reached. Please try again in 7s."}
    if fault.name == "rate_limit_first_event":
        return [{"type": "error", **limit, "param": None}]
    errors = {
        "rate_limit_in_stream": limit,
        "failed": {"code": "server_error", "message": "The server had an error while processing your request."},
    }
    if fault.name not in errors:
        return None
    failed = started | {"status": "failed", "error": errors[fault.name]}
    return [
        {"type": "response.created", "response": started},
        {"type": "response.in_progress", "response": started},
        {"type": "response.failed", "response": failed},
    ]


def disturb(fault: Fault, events: Iterable[Wire]) -> Iterator[Frame]:
    """Yield the events up to the middle of the answer and then what the fault puts there."""
    ending = _MIDDLE.get(fault.name)
    if ending is None:
        yield from events
        return
    everything = list(events)
    deltas = sum(event["type"].endswith(".delta") for event in everything)
    yield from takewhile(_Until(max(1, deltas // 2)), everything)
    yield from ending()


class _Until:
    """True for all events before the one after ``deltas`` deltas, and never for the last event of a response."""

    def __init__(self, deltas: int) -> None:
        self._left = deltas

    def __call__(self, event: Wire) -> bool:
        self._left -= event["type"].endswith(".delta")
        return self._left >= 0 and event["type"] not in ("response.completed", "response.incomplete")


_ERROR = {"code": "server_error", "message": "An error occurred while generating.", "param": None}
_MIDDLE: dict[str, Callable[[], list[Frame]]] = {
    "silent_end": list,
    "disconnect": lambda: [Break.DISCONNECT],
    "stall": lambda: [Break.STALL],
    "error_event": lambda: [{"type": "error", **_ERROR}],
    "nested_error": lambda: [{"type": "error", "error": {"type": "server_error", **_ERROR}}],
    "bad_json_chunk": lambda: [b'event: response.output_text.delta\ndata: {"type": "response.output_te\n\n'],
}
_HTTP_ERRORS: dict[str, tuple[int, str, str, str, Wire]] = {
    "rate_limit_http": (429, "rate_limit_exceeded", "Rate limit reached for requests.", "requests", {}),
    "quota": (429, "insufficient_quota", "You exceeded your current quota.", "insufficient_quota", {}),
    "server_error": (500, "server_error", "The server had an error.", "server_error", {}),
    "content_filter": (
        400,
        "content_filter",
        "The response was filtered due to the prompt triggering the content management policy.",
        "invalid_request_error",
        {"param": "prompt", "status": 400, "innererror": {"code": "ResponsibleAIPolicyViolation"}},
    ),
}
