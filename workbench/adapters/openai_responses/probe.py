"""Finds out by trying whether a server keeps conversations, since many that accept the id of one ignore it.

A word is put into one response and asked for in the next, which only its id ties to the first; then an id that cannot exist
is used. A server keeps conversations if it knows the word and refuses the id. What it says about itself counts for nothing:
servers exist that echo the id they have ignored.
"""

import secrets
from typing import Literal

import openai

from workbench.adapters.openai_responses.client import NO_KEY, Connection, KeySource, build_client
from workbench.adapters.openai_responses.model import OpenAIResponsesModel
from workbench.adapters.openai_responses.retry import RetryPolicy
from workbench.domain.errors import BadModelRequest, HistoryExpired, ModelUnavailable
from workbench.domain.ids import ContainerId, UserId
from workbench.domain.items import ModelResponse, UserMessage
from workbench.domain.provider import ProbeResult
from workbench.domain.scope import Access, Scope
from workbench.services.ports import ModelRequest, ResponseFinished, ResponseStarted

_NOWHERE = ContainerId("probe")
_NOTHING = Scope(access=Access(user_id=UserId("probe"), containers=frozenset([_NOWHERE])), containers=(_NOWHERE,))
"""A request always has a scope; no document is in this one."""
_PATIENCE = RetryPolicy(history_patience=5.0)
"""Shorter than in a talk: a server that takes long to know its own response would be slow at every step."""
_ROOM = 1024
"""Output tokens: enough for a model that thinks before it says one word."""


def probe(
    connection: Connection, model: str, *, reasoning: bool | None = None, retry: RetryPolicy | None = None
) -> ProbeResult:
    """Try a server out with three small requests, whose responses are deleted afterwards.

    Raises a ModelError where the server does not answer at all.
    """
    asking = _Asking(connection, model, reasoning, retry)
    try:
        history, found = asking.find_out()
    finally:
        left = asking.clean_up()
    return ProbeResult(history=history, found=found, left=left)


class _Asking:
    def __init__(self, connection: Connection, model: str, reasoning: bool | None, retry: RetryPolicy | None) -> None:
        self._connection = connection
        self._model = OpenAIResponsesModel(
            model, connection, history="chain", reasoning=reasoning, retry=retry or _PATIENCE
        )
        self._ids: list[str] = []

    def find_out(self) -> tuple[Literal["chain", "replay"], str]:
        word = f"heron{secrets.randbelow(9000) + 1000}"
        first = self._ask(f"The code word is {word}. Answer with the word OK alone.")
        try:
            second = self._ask("What is the code word? Answer with the code word alone.", after=first.id)
        except (BadModelRequest, HistoryExpired, ModelUnavailable) as error:
            return "replay", f"It did not continue a response by its id: {error.message}"
        if self._model.history == "replay":
            return "replay", "It says that it keeps no responses."
        if word not in second.text.lower():
            return "replay", "It accepted the id of an earlier response but did not know what was said there."
        try:
            self._ask("Answer with the word OK alone.", after=f"resp_{secrets.token_hex(24)}")
        except (BadModelRequest, HistoryExpired, ModelUnavailable):
            return "chain", "It knew what an earlier response said, and refused an id that does not exist."
        return "replay", "It answered to the id of a response that does not exist, so a lost one would go unnoticed."

    def clean_up(self) -> tuple[str, ...]:
        """Delete the responses made; return the ids of those that may still be there."""
        self._model.close()
        key = KeySource(self._connection.api_key or NO_KEY)
        with build_client(self._connection, key) as client:
            return tuple(each for each in self._ids if not _is_deleted(client, each))

    def _ask(self, text: str, after: str | None = None) -> ModelResponse:
        request = ModelRequest(
            instructions="You are being tested for a connection. Follow the request to the letter.",
            input=(UserMessage(text=text),),
            previous_response_id=after,
            max_output_tokens=_ROOM,
            scope=_NOTHING,
        )
        for event in self._model.stream(request):
            if isinstance(event, ResponseStarted):
                self._ids.append(event.response_id)
            if isinstance(event, ResponseFinished):
                return event.response
        raise ModelUnavailable(f"{self._connection.host} ended the test without an answer.", "Try again.")


def _is_deleted(client: openai.OpenAI, response_id: str) -> bool:
    try:
        client.responses.delete(response_id)
    except openai.NotFoundError:
        return True  # gone already, or a server that stores nothing and has no way to delete
    except openai.OpenAIError:
        return False
    return True
