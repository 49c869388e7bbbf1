"""A model behind the Responses API."""

import logging
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal

import httpx2
import openai
from openai import Stream

from workbench.adapters.openai_responses.accumulator import Accumulator
from workbench.adapters.openai_responses.client import NO_KEY, Connection, KeySource, check
from workbench.adapters.openai_responses.errors import Failure, Kind, explain, read_failure, stream_failure
from workbench.adapters.openai_responses.lines import Interrupt, Line, Lines
from workbench.adapters.openai_responses.request import build_body, reasons
from workbench.adapters.openai_responses.retry import RecentResponses, Retries, RetryPolicy
from workbench.domain.errors import ModelError
from workbench.domain.items import ModelResponse
from workbench.services.ports import ModelEvent, ModelRequest, ResponseFinished, TextDelta

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Prices:
    """US dollars per million tokens; cached input costs as much as other input where no price of its own is given."""

    input: float
    output: float
    cached: float | None = None


class OpenAIResponsesModel:
    """Implements the Model port on the OpenAI Responses API and on servers that speak it.

    ``history`` is ``chain`` where the provider stores responses (OpenAI, Azure), ``replay`` where it does not: then nothing
    is stored there and each call sends the whole thread. ``reasoning`` says whether the model takes a reasoning effort; None
    decides by its name. On Azure ``name`` is the deployment's. With ``interpreter`` the provider runs code for the model.
    """

    def __init__(
        self,
        name: str,
        connection: Connection,
        *,
        history: Literal["chain", "replay"] = "chain",
        reasoning: bool | None = None,
        prices: Prices | None = None,
        retry: RetryPolicy | None = None,
        interpreter: bool = False,
    ) -> None:
        self.name = name
        self._interpreter = interpreter
        self.history: Literal["chain", "replay"] = history
        self._connection = connection
        self._reasoning = reasons(name) if reasoning is None else reasoning
        self._prices = prices
        self._retry = retry or RetryPolicy()
        self._recent = RecentResponses(self._retry.monotonic)
        self._key = KeySource(connection.api_key or NO_KEY)
        check(connection)
        self._lines = Lines(connection, self._key)

    @property
    def identity(self) -> str:
        """The provider's address, the model, and who keeps the thread: an id of a replay was never stored."""
        return f"{self._connection.url}#{self.name}#{self.history}"

    def stream(self, request: ModelRequest) -> "ResponseEvents":
        """Return the events of one response; see the port.

        A failed attempt is repeated only while none of its text was given away. Raises HistoryExpired where the provider
        lost the previous response, ModelRefused, RateLimited, ModelUnavailable, BadModelRequest, or ResponseIncomplete.
        """
        return ResponseEvents(lambda interrupt: self._attempts(request, interrupt))

    def close(self) -> None:
        """Close the connections that no request uses."""
        self._lines.close()

    def _attempts(self, request: ModelRequest, interrupt: Interrupt) -> Generator[ModelEvent]:
        retries = Retries(self._retry, self._recent.age(request.previous_response_id))
        old_reasoning = old_runs = True
        while not interrupt.event.is_set():
            written = False
            try:
                with (
                    self._lines.line(interrupt) as line,
                    closing(self._attempt(request, line, old_reasoning, old_runs)) as events,
                ):
                    for event in events:
                        written = written or isinstance(event, TextDelta)
                        yield event
            except Failure as failure:
                if interrupt.event.is_set():
                    return
                delay = None if written else retries.delay(failure)
                if not written and old_reasoning and failure.reasoning_refused:
                    old_reasoning, delay = False, 0.0
                if not written and self._interpreter and old_runs and failure.container_gone:
                    log.info("A container at %s has expired; the code goes on in a new one", self._connection.host)
                    old_runs, delay = False, 0.0
                if delay is None and not written and self._keeps_nothing(request, failure):
                    delay = 0.0
                if delay is None:
                    # Not chained: the SDK's errors hold the request with its key; all they know is in the words.
                    raise self._explain(failure) from None
                self._retry.wait(interrupt.event, delay)
            else:
                return

    def _keeps_nothing(self, request: ModelRequest, failure: Failure) -> bool:
        """Where the provider turns out to keep no responses, send the transcript from now on; tell whether that is new."""
        if self.history == "replay" or request.previous_response_id is None or not failure.needs_replay:
            return False
        log.warning("%s keeps no responses; each call sends the whole conversation from now on", self._connection.host)
        self.history = "replay"
        return True

    def cost(self, response: ModelResponse) -> float | None:
        """Return the price of a response in US dollars, or None where no prices are set."""
        if self._prices is None:
            return None
        usage, prices = response.usage, self._prices
        cached_price = prices.input if prices.cached is None else prices.cached
        fresh = usage.input_tokens - usage.cached_tokens
        dollars = fresh * prices.input + usage.cached_tokens * cached_price + usage.output_tokens * prices.output
        return dollars / 1_000_000

    def _attempt(self, request: ModelRequest, line: Line, old_reasoning: bool, old_runs: bool) -> Generator[ModelEvent]:
        body = build_body(
            request,
            model=self.name,
            history=self.history,
            reasoning=self._reasoning,
            old_reasoning=old_reasoning,
            interpreter=self._interpreter,
            old_runs=old_runs,
        )
        accumulator = Accumulator(body["max_output_tokens"], self._connection.host)
        with _open(line, body) as stream:
            _check_media_type(stream)
            for wire_event in _read(stream):
                for event in _feed(accumulator, wire_event):
                    if isinstance(event, ResponseFinished):
                        self._recent.add(event.response.id)
                        yield event
                        return
                    yield event
        raise Failure(Kind.CUT, "the stream ended without a final event")

    def _explain(self, failure: Failure) -> ModelError:
        connection = self._connection
        return explain(
            failure,
            model=self.name,
            host=connection.host,
            timeout=connection.timeout,
            secrets=self._key.secrets,
        )


class ResponseEvents(Iterator[ModelEvent]):
    """The events of one response. ``interrupt`` may be called from another thread; after it, the events end."""

    def __init__(self, start: Callable[[Interrupt], Generator[ModelEvent]]) -> None:
        self.interrupt = Interrupt()
        self._events = start(self.interrupt)

    def __next__(self) -> ModelEvent:
        return next(self._events)

    def close(self) -> None:
        """End the request, from the thread that reads the events."""
        self._events.close()


def _open(line: Line, body: Mapping[str, Any]) -> Stream[Any]:
    try:
        stream: Stream[Any] = line.client.responses.create(**body, stream=True)
    except openai.OpenAIError as error:
        raise read_failure(error, time.time()) from error
    return stream


def _check_media_type(stream: Stream[Any]) -> None:
    media_type = stream.response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type == "application/json":
        _raise_from_json(stream)
    if media_type in ("text/html", "application/xhtml+xml"):
        raise Failure(Kind.NOT_A_STREAM, f"the reply is a web page ({media_type})")


def _raise_from_json(stream: Stream[Any]) -> None:
    try:
        stream.response.read()
        body = stream.response.json()
    except (httpx2.HTTPError, ValueError) as error:
        raise Failure(Kind.NOT_A_STREAM, "the reply is damaged JSON") from error
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        raise stream_failure(body["error"])
    raise Failure(Kind.NOT_A_STREAM, "the reply is a single JSON document")


def _read(stream: Stream[Any]) -> Iterator[Mapping[str, Any]]:
    events = iter(stream)
    while True:
        try:
            event = next(events, None)
        except (openai.OpenAIError, ValueError) as error:  # the SDK passes bad JSON and bad UTF-8 on as ValueErrors
            raise read_failure(error, time.time()) from error
        if event is None:
            return
        if not isinstance(event, openai.BaseModel):
            raise Failure(Kind.DAMAGED, "an event is not an object")
        yield event.to_dict(warnings=False)


def _feed(accumulator: Accumulator, event: Mapping[str, Any]) -> list[ModelEvent]:
    try:
        return accumulator.feed(event)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Failure(Kind.DAMAGED, f"the event {event.get('type')!r} has not the documented form") from error
