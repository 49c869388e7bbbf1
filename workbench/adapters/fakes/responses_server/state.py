"""What the fake provider keeps: responses with the context each was made from."""

from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock
from typing import Any

from workbench.adapters.fakes.responses_server.rules import ApiError

Wire = dict[str, Any]


class Memory(StrEnum):
    """What a server does with the id of an earlier response: continue it, ignore it while saying otherwise (seen in local
    servers), or refuse it, as a server without memory or an organisation without data retention does."""

    KEEPS = "keeps"
    IGNORES = "ignores"
    REFUSES = "refuses"
    NO_RETENTION = "no retention"


@dataclass(frozen=True)
class Exchange:
    """One request as the scripted model sees it: the body, and all items from the start of the thread to the last input."""

    body: Wire
    context: tuple[Wire, ...]

    @property
    def last_input(self) -> Wire:
        return self.context[-1]


@dataclass
class StoredResponse:
    """``context`` holds the items before the response and ``input`` those its own request brought."""

    response: Wire
    input: list[Wire]
    context: tuple[Wire, ...]


@dataclass
class ResponseStore:
    """Responses by id. Safe to use from several threads."""

    _responses: dict[str, StoredResponse] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def put(self, stored: StoredResponse) -> None:
        with self._lock:
            self._responses[stored.response["id"]] = stored

    def get(self, response_id: str) -> StoredResponse:
        """Raises ApiError 404 for an unknown id."""
        with self._lock:
            stored = self._responses.get(response_id)
        if stored is None:
            raise ApiError(404, f"Response with id '{response_id}' not found.")
        return stored

    def delete(self, response_id: str) -> None:
        """Raises ApiError 404 for an unknown id, also the second time."""
        self.get(response_id)
        with self._lock:
            self._responses.pop(response_id, None)

    def thread(self, response_id: str | None) -> tuple[Wire, ...]:
        """Return all items up to and with a completed response; raise the API's 400 where there is none of that id."""
        if response_id is None:
            return ()
        with self._lock:
            stored = self._responses.get(response_id)
        if stored is None or stored.response["status"] != "completed":
            raise previous_response_not_found(response_id)
        return (*stored.context, *stored.response["output"])

    def ids(self) -> list[str]:
        with self._lock:
            return list(self._responses)


def full_items(given: str | list[Wire]) -> list[Wire]:
    """Return input items with the API's short forms (a bare text, a message without a type) written out."""
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    return [_full_message(item) if item.get("type", "message") == "message" else item for item in given]


def _full_message(item: Wire) -> Wire:
    content = item["content"]
    if isinstance(content, str):
        of_model = item["role"] == "assistant"
        part = {"type": "output_text", "annotations": []} if of_model else {"type": "input_text"}
        content = [{**part, "text": content}]
    return {**item, "type": "message", "content": content}


def refused_id(memory: Memory) -> ApiError:
    """Return the error of a provider that continues no response."""
    if memory is Memory.NO_RETENTION:
        message = "Previous response cannot be used for this organization due to Zero Data Retention."
    else:
        message = "This server does not support 'previous_response_id'."
    return ApiError(400, message)


def previous_response_not_found(response_id: str) -> ApiError:
    return ApiError(
        400,
        f"Previous response with id '{response_id}' not found.",
        code="previous_response_not_found",
        param="previous_response_id",
    )
