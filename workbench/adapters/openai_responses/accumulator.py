"""Puts one response together from the events of its stream.

Events are told apart by their ``type`` alone: the SDK builds a type it does not know as the first class of its union.
Servers differ in what they send (no deltas, no output in the last event, no ids), so each fact is taken where it comes.
"""

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from workbench.adapters.openai_responses.errors import Failure, Kind, stream_failure
from workbench.adapters.openai_responses.interpreter import objects, runs
from workbench.adapters.openai_responses.items import from_wire, message_text, usage_from_wire
from workbench.domain.items import ModelResponse
from workbench.services.ports import ModelEvent, ObjectUsed, ResponseFinished, ResponseStarted, TextDelta

_log = logging.getLogger(__name__)

_STARTING = frozenset({"response.queued", "response.created", "response.in_progress"})
_WITH_OBJECTS = frozenset(
    {"response.output_item.added", "response.output_item.done", "response.output_text.annotation.added"}
)
_ENDING = frozenset({"response.completed", "response.incomplete", "response.cancelled"})

Event = Mapping[str, Any]


class Accumulator:
    """The state of one stream. ``max_output_tokens`` is the limit that was asked for, ``host`` where code of it runs."""

    def __init__(
        self, max_output_tokens: int, host: str = "the provider", monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_output_tokens = max_output_tokens
        self._host = host
        self._monotonic = monotonic
        self._ran: dict[str, float] = {}
        self._used: set[ObjectUsed] = set()
        self._id = ""
        self._streamed = ""
        self._items: list[Event] = []

    def feed(self, event: Event) -> list[ModelEvent]:
        """Take one event and return what it means for the caller.

        Raises Failure where the event reports one, or where the parts of the response do not fit together.
        """
        kind = str(event.get("type"))
        self._time_runs(kind, str(event.get("item_id")))
        if kind in _WITH_OBJECTS or kind in _ENDING:
            return [*self._objects(event), *self._meaning(kind, event)]
        return self._meaning(kind, event)

    def _meaning(self, kind: str, event: Event) -> list[ModelEvent]:
        if kind in _STARTING:
            return self._identify(event["response"].get("id") or "")
        if kind == "response.output_text.delta":
            return self._text(event.get("delta") or "")
        if kind == "response.output_item.done":
            self._items.append(event["item"])
        elif kind in _ENDING:
            return self._end(event["response"])
        elif kind == "response.failed":
            raise stream_failure(event["response"].get("error"))
        elif kind == "error":
            raise stream_failure({key: event.get(key) for key in ("code", "message", "param")})
        return []

    def _time_runs(self, kind: str, item_id: str) -> None:
        if kind == "response.code_interpreter_call.interpreting":
            self._ran[item_id] = self._monotonic()
        elif kind == "response.code_interpreter_call.completed" and item_id in self._ran:
            self._ran[item_id] = self._monotonic() - self._ran[item_id]

    def _objects(self, event: Event) -> list[ModelEvent]:
        """Report each container and file once, as soon as its id is known."""
        new = [each for each in dict.fromkeys(objects(event)) if each not in self._used]
        self._used.update(new)
        return list(new)

    def _identify(self, response_id: str) -> list[ModelEvent]:
        # Some gateways change the id on the way; each one is reported, since each may name something stored.
        if not response_id or response_id == self._id:
            return []
        self._id = response_id
        return [ResponseStarted(response_id)]

    def _text(self, delta: str) -> list[ModelEvent]:
        self._streamed += delta
        return [TextDelta(delta)] if delta else []

    def _end(self, response: Event) -> list[ModelEvent]:
        events = self._identify(response.get("id") or "")
        if not self._id:
            raise Failure(Kind.DAMAGED, "the response has no id")
        finish = self._finish(response)
        output = self._output(response)
        events += self._text(self._missing_text(output))
        finished = ModelResponse(
            id=self._id,
            output=from_wire(self._without_cut_calls(output, finish)),
            usage=usage_from_wire(response.get("usage")),
            finish=finish,
            runs=runs(output, self._host, self._ran),
        )
        return [*events, ResponseFinished(finished)]

    def _finish(self, response: Event) -> str:
        status = response.get("status")
        if status == "failed":
            raise stream_failure(response.get("error"))
        if status == "cancelled":
            raise Failure(Kind.CUT, "the response was cancelled")
        if status == "incomplete":
            return str((response.get("incomplete_details") or {}).get("reason") or "incomplete")
        # Servers exist that call a response complete although it was cut at the limit.
        if usage_from_wire(response.get("usage")).output_tokens >= self._max_output_tokens:
            return "max_output_tokens"
        return "complete"

    def _output(self, response: Event) -> list[Event]:
        output = list(response.get("output") or self._items)
        if self._streamed and not any(item.get("type") == "message" for item in output):
            output.append(_message(self._streamed))
        return output

    def _missing_text(self, output: list[Event]) -> str:
        """Return what the final text has and the deltas had not; raise Failure where the two contradict each other."""
        messages = [position for position, item in enumerate(output) if item.get("type") == "message"]
        final = "".join(message_text(output[position]) for position in messages)
        if final.startswith(self._streamed):
            return final[len(self._streamed) :]
        if len(messages) == 1 and final.strip() == self._streamed.strip():
            # The server trimmed its final text; what was shown stays.
            output[messages[0]] = _message(self._streamed)
            return ""
        raise Failure(Kind.DAMAGED, "the streamed text and the final text differ")

    def _without_cut_calls(self, output: list[Event], finish: str) -> list[Event]:
        calls = [item for item in output if item.get("type") == "function_call"]
        if finish == "complete":
            if any(item.get("status") == "incomplete" for item in calls):
                raise Failure(Kind.CUT, "a tool call is incomplete")
            return output
        if calls:
            _log.warning("Response %s was cut (%s); its %d tool calls are left out.", self._id, finish, len(calls))
        return [item for item in output if item.get("type") != "function_call"]


def _message(text: str) -> Event:
    return {"type": "message", "content": [{"type": "output_text", "text": text}]}
