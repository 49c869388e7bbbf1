"""The fake provider as an ASGI app."""

from collections.abc import Iterable
from threading import Event
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.responses_server.bodies import json_body
from workbench.adapters.fakes.responses_server.container_routes import ContainerRoutes
from workbench.adapters.fakes.responses_server.containers import ContainerStore
from workbench.adapters.fakes.responses_server.events import events
from workbench.adapters.fakes.responses_server.faults import (
    CUTS,
    DELETION_FAULTS,
    FAULTS,
    Fault,
    disturb,
    events_instead,
    refuse_deletion,
    reply_instead,
)
from workbench.adapters.fakes.responses_server.interpreter import automatic_container, container_for
from workbench.adapters.fakes.responses_server.listing import page_of
from workbench.adapters.fakes.responses_server.replies import ReplyBuilder, ended
from workbench.adapters.fakes.responses_server.rules import ApiError, check_body, check_context
from workbench.adapters.fakes.responses_server.sse import EventStream
from workbench.adapters.fakes.responses_server.state import (
    Exchange,
    Memory,
    ResponseStore,
    StoredResponse,
    Wire,
    full_items,
    refused_id,
)
from workbench.adapters.fakes.steps import Entry, Script, ScriptEnded, Step
from workbench.services.ports import Clock


class FakeResponsesServer:
    """Behaves like the Responses API under ``/v1``; what the model says comes from ``script``.

    ``bodies`` records the body of every request to create a response and ``store`` holds the responses. ``key`` is the only
    one accepted, any where it is empty. ``memory`` says what it does with the ids of earlier responses. ``hung_up`` is set
    when a caller leaves during a stall. ``containers`` holds those of the code interpreter; ``clock`` says when an idle one
    expires, and without it none does until ``containers.expire`` is called.
    """

    def __init__(
        self,
        script: Iterable[Entry[Exchange]] = (),
        *,
        key: str = "",
        memory: Memory = Memory.KEEPS,
        clock: Clock | None = None,
    ) -> None:
        self.bodies: list[Wire] = []
        self.store = ResponseStore()
        self.containers = ContainerStore(clock or FixedClock())
        self.hung_up = Event()
        self._script = Script(script)
        self._key = key
        self._memory = memory
        self._faults: dict[int, Fault] = {}
        self._deletion_faults: list[Fault] = []
        self._replies = ReplyBuilder()
        self._app = Starlette(
            routes=[
                Route("/v1/responses", self._create, methods=["POST"]),
                Route("/v1/responses/{id}", self._retrieve, methods=["GET"]),
                Route("/v1/responses/{id}", self._delete, methods=["DELETE"]),
                Route("/v1/responses/{id}/input_items", self._input_items, methods=["GET"]),
                *ContainerRoutes(self.containers, self._admit).routes(),
            ],
            exception_handlers={ApiError: _error_reply},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    def fail(self, name: str, *, at: int | None = None, times: int = 1, retry_after: float | None = None) -> None:
        """Plan the fault ``name`` (one of FAULTS) for create requests ``at`` (from 1; None: the next) and following."""
        if name not in FAULTS:
            raise ValueError(f"no such fault: {name!r}; there are {', '.join(FAULTS)}")
        first = len(self.bodies) + 1 if at is None else at
        for number in range(first, first + times):
            self._faults[number] = Fault(name, retry_after)

    def fail_deletions(self, name: str, *, times: int = 1, retry_after: float | None = None) -> None:
        """Plan a fault (one of DELETION_FAULTS) for the next requests to delete a response, a container or a file."""
        if name not in DELETION_FAULTS:
            raise ValueError(f"no such fault: {name!r}; there are {', '.join(DELETION_FAULTS)}")
        self._deletion_faults += [Fault(name, retry_after)] * times

    async def _create(self, request: Request) -> ASGIApp:
        self._check_key(request)
        body = await json_body(request)
        self.bodies.append(body)
        fault = self._faults.get(len(self.bodies), Fault(""))
        if fault.name == "expired" and body.get("previous_response_id") in self.store.ids():
            self.store.delete(body["previous_response_id"])
        reply = reply_instead(fault, body)
        if reply is not None:
            return reply
        check_body(body)
        exchange = self._exchange(body)
        check_context(exchange.context, body)
        container = container_for(exchange, self.containers)
        return self._answer(exchange, fault, container)

    def _answer(self, exchange: Exchange, fault: Fault, container: str | None) -> ASGIApp:
        started = self._replies.started(exchange.body)
        self._keep(started, exchange)
        without_model = events_instead(fault, started)
        if without_model is not None:
            return EventStream(without_model, self.hung_up.set)
        step = _cut(self._step(exchange), fault)
        if step.runs and container is None:
            # A script may run code unasked, as it may call functions that were not offered.
            container = automatic_container(exchange, self.containers)
        files = [self.containers.add_file(container, run.file, b"") for run in step.runs if run.file and container]
        output = self._replies.output(step, exchange.body, container, files)
        if fault.name == "truncated_arguments":
            _truncate_last_call(output)
        response = ended(started, output, exchange, step)
        if exchange.body.get("stream") is not True:
            self._keep(response, exchange)
            return JSONResponse(response)
        frames = disturb(fault, self._kept_at_the_end(events(started, response), exchange))
        return EventStream(frames, self.hung_up.set)

    def _kept_at_the_end(self, made: Iterable[Wire], exchange: Exchange) -> Iterable[Wire]:
        for event in made:
            if event["type"] in ("response.completed", "response.incomplete"):
                self._keep(event["response"], exchange)
            yield event

    def _exchange(self, body: Wire) -> Exchange:
        items = full_items(body.get("input") or [])
        parent = body.get("previous_response_id")
        if parent is not None and self._memory not in (Memory.KEEPS, Memory.IGNORES):
            raise refused_id(self._memory)
        earlier = self.store.thread(parent) if self._memory is Memory.KEEPS else ()
        return Exchange({**body, "input": items}, (*earlier, *items))

    def _keep(self, response: Wire, exchange: Exchange) -> None:
        if exchange.body.get("store") is not False and self._memory is Memory.KEEPS:
            self.store.put(StoredResponse(response, exchange.body["input"], exchange.context))

    def _step(self, exchange: Exchange) -> Step:
        try:
            return self._script.next(exchange)
        except ScriptEnded:
            raise ApiError(400, f"The script has no step for request {len(self.bodies)}.") from None

    def _check_key(self, request: Request) -> None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self._key and given != self._key:
            # Worse than the real one, which masks most of the key: callers must not repeat this text.
            raise ApiError(401, f"Incorrect API key provided: {given}.", code="invalid_api_key")

    def _admit(self, request: Request) -> None:
        """Raise for a caller without the key, and where a deletion is to fail."""
        self._check_key(request)
        if request.method == "DELETE" and self._deletion_faults and self._deletion_faults[0].name != "kept":
            refuse_deletion(self._deletion_faults.pop(0))

    async def _retrieve(self, request: Request) -> JSONResponse:
        self._check_key(request)
        return JSONResponse(self.store.get(request.path_params["id"]).response)

    async def _delete(self, request: Request) -> JSONResponse:
        self._admit(request)
        response_id = request.path_params["id"]
        if self._deletion_faults:  # the one that is left then is the promise that is not kept
            self._deletion_faults.pop(0)
        else:
            self.store.delete(response_id)
        return JSONResponse({"id": response_id, "object": "response", "deleted": True})

    async def _input_items(self, request: Request) -> JSONResponse:
        """List what the request itself brought, newest first by default."""
        self._check_key(request)
        stored = self.store.get(request.path_params["id"])
        items = [{"id": f"item_{number}", **item} for number, item in enumerate(stored.input)]
        return JSONResponse(page_of(items, request.query_params))


def _cut(step: Step, fault: Fault) -> Step:
    if fault.name in CUTS:
        return step.but(text=step.text[: len(step.text) // 2], finish=CUTS[fault.name])
    return step.but(finish="max_output_tokens") if fault.name == "truncated_arguments" else step


def _truncate_last_call(output: list[Wire]) -> None:
    last = next((item for item in reversed(output) if item["type"] == "function_call"), None)
    if last is not None:
        last.update(status="incomplete", arguments=last["arguments"][: len(last["arguments"]) // 2])


async def _error_reply(_: Request, error: Any) -> JSONResponse:
    return JSONResponse(error.body, error.status, headers=error.headers)
