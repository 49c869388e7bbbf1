"""The server: which requests there are, and what answers each."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal

import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError

import workbench
from workbench.bootstrap import Workbench
from workbench.domain.clients import Client
from workbench.domain.conversations import Turn
from workbench.domain.errors import PinciteError
from workbench.domain.events import Event
from workbench.domain.ids import TurnId
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access
from workbench.domain.values import Value
from workbench.mcp_server import resources
from workbench.mcp_server.asking import ANSWERS_WITHIN, AskArguments, Asking, JobArguments, StatusArguments, told
from workbench.mcp_server.results import answer_result, refused, tool_result
from workbench.mcp_server.session import Context, Who, in_thread, limiter
from workbench.mcp_server.shapes import ASK, CANCEL, DATA, STATUS, AnswerShape, ToolShape, completed, lenient, schema_of
from workbench.services.ports import ToolSpec
from workbench.services.tools.schema import strict_schema

INSTRUCTIONS = (
    "Pincite searches a library of documents and answers questions about them with citations that name the exact page. "
    "Use ask for an answer that is checked against its sources, and the other tools to look for yourself. Cite what you use "
    f"by its label. {DATA}"
)
_JOBS: dict[str, tuple[type[Value], str]] = {
    ASK: (
        AskArguments,
        (
            "Ask a question about the documents. An agent searches, reads and calculates, and answers with citations. It "
            "takes seconds to minutes: progress is told where you ask for it; otherwise you may get a job to ask for with "
            "ask_status."
        ),
    ),
    STATUS: (StatusArguments, "What has come of a question: the answer with its citations, or what is being done."),
    CANCEL: (JobArguments, "Stop working on a question. What was written by then is kept."),
}
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)


class Handlers:
    """Answers the requests of all clients of one workbench. Each is made with the rights of that moment."""

    def __init__(self, workbench: Callable[[], Workbench], who: Who) -> None:
        self._workbench = workbench
        self._who = who
        self._asking = Asking(workbench)
        self._working = limiter()
        self._waiting = limiter()

    # --- tools ---------------------------------------------------------------------------------------------------------

    async def list_tools(self, context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        client = self._who(context)
        specs = await in_thread(lambda _: self._workbench().tool_calls.specs(), self._working)
        tools = [_tool(spec, ToolShape) for spec in specs] + [
            _tool(ToolSpec(name=name, description=description, parameters=strict_schema(arguments)), AnswerShape)
            for name, (arguments, description) in _JOBS.items()
        ]
        return ListToolsResult(tools=[tool for tool in tools if may_use(client, tool.name)])

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        client = self._who(context)
        name, given = params.name, params.arguments or {}
        if not may_use(client, name):
            return refused(f"There is no tool named {name!r} for this client. tools/list names those there are.")
        try:
            if name in _JOBS:
                return await self._job(context, client, name, given)
            return await in_thread(lambda cancelled: self._call(client, name, given, cancelled), self._working)
        except PinciteError as error:
            return refused(str(error))

    def _call(self, client: Client, name: str, given: dict[str, Any], cancelled: Callable[[], bool]) -> CallToolResult:
        bench = self._workbench()
        spec = next((each for each in bench.tool_calls.specs() if each.name == name), None)
        arguments = json.dumps(given if spec is None else completed(given, spec), ensure_ascii=False)
        access = self._access(client)
        turn = bench.tool_calls.run(access, client.name, name, arguments, cancelled)
        return tool_result(turn, bench.turns.events(access, turn.id))

    # --- questions -----------------------------------------------------------------------------------------------------

    async def _job(self, context: Context, client: Client, name: str, given: dict[str, Any]) -> CallToolResult:
        model, _ = _JOBS[name]
        spec = ToolSpec(name=name, description="", parameters=strict_schema(model))
        try:
            arguments = model.model_validate_json(json.dumps(completed(given, spec)), strict=True)
        except ValidationError as error:
            return refused(f"The arguments of {name} were rejected, and nothing was done: {_why(error)}")
        access = await in_thread(lambda _: self._access(client), self._working)
        if isinstance(arguments, AskArguments):
            asked = arguments
            turn = await in_thread(lambda _: self._asking.start(access, client, asked), self._working)
            return await self._awaited(context, access, turn, self._patience(context, asked))
        job = TurnId(getattr(arguments, "job", ""))
        if isinstance(arguments, StatusArguments):
            turn = await in_thread(lambda _: self._asking.turn(access, job), self._working)
            return await self._awaited(context, access, turn, float(arguments.wait_seconds or 0), cancels=False)
        return answer_result(await in_thread(lambda _: self._asking.stop(access, job), self._working))

    @staticmethod
    def _patience(context: Context, arguments: AskArguments) -> float | None:
        """Return how many seconds to wait; None is to the end."""
        if arguments.wait_seconds is not None:
            return arguments.wait_seconds
        wants_progress = "progress_token" in (context.meta or {}) or "progressToken" in (context.meta or {})
        return None if wants_progress else ANSWERS_WITHIN

    async def _awaited(
        self, context: Context, access: Access, turn: Turn, patience: float | None, *, cancels: bool = True
    ) -> CallToolResult:
        """Wait for a job as long as there is patience, telling each step, and return what has come of it."""
        if turn.status is not TurnStatus.RUNNING:
            return answer_result(turn)
        self._asking.waits(turn.id)
        cancelled = False
        step = ""
        try:
            with anyio.move_on_after(patience):
                await self._follow(context, access, turn)
        except anyio.get_cancelled_exc_class():
            cancelled = cancels
            raise
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(lambda: self._asking.left(access, turn.id, cancelled=cancelled))
        now = await in_thread(lambda _: self._asking.turn(access, turn.id), self._working)
        if now.status is TurnStatus.RUNNING:
            events = await in_thread(lambda _: self._workbench().turns.events(access, turn.id), self._working)
            step = next((text for event in reversed(events) if (text := told(event))), "")
        return answer_result(now, step)

    async def _follow(self, context: Context, access: Access, turn: Turn) -> None:
        events: Iterator[Event | None] = self._workbench().turns.follow(access, turn.id)
        await context.session.report_progress(0, None, f"Job {turn.id} has begun")
        said = ""
        while (event := await anyio.to_thread.run_sync(_next, events, limiter=self._waiting)) != "ended":
            text = told(event) if event is not None else ""
            if event is not None and text and text != said:
                said = text
                await context.session.report_progress(event.seq, None, text)

    # --- resources -----------------------------------------------------------------------------------------------------

    async def list_resources(self, context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        client, cursor = self._who(context), params.cursor if params else None
        if not may_use(client, resources.TOOL_OF_LIST):
            return ListResourcesResult(resources=[])
        return await in_thread(lambda _: resources.page(self._workbench(), self._access(client), cursor), self._working)

    async def list_templates(
        self, context: Context, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        client = self._who(context)
        return ListResourceTemplatesResult(
            resource_templates=[each for tool, each in resources.TEMPLATES if may_use(client, tool)]
        )

    async def read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        client = self._who(context)
        wanted = resources.wanted(str(params.uri))
        if wanted is None or not may_use(client, wanted.tool):
            raise MCPError(INVALID_PARAMS, "There is no such resource, or it is not yours.")
        try:
            result = await in_thread(
                lambda cancelled: self._call(client, wanted.tool, wanted.arguments, cancelled), self._working
            )
        except PinciteError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error
        return resources.contents(str(params.uri), result)

    def _access(self, client: Client) -> Access:
        return client.narrowed(self._workbench().library.access(client.user_id))


def _next(events: Iterator[Event | None]) -> Event | Literal["ended"] | None:
    return next(events, "ended")


def may_use(client: Client, tool: str) -> bool:
    """Tell whether a client may use a tool. Who may ask may also hear of the answer and stop it."""
    return client.may_use(ASK if tool in (STATUS, CANCEL) else tool)


def make_server(bench: Callable[[], Workbench], who: Who) -> Server[Any]:
    """Return a server over a workbench; ``who`` tells for each request which client makes it."""
    handlers = Handlers(bench, who)
    return Server(
        "pincite",
        title="Pincite",
        version=workbench.__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )


def _tool(spec: ToolSpec, shape: type[ToolShape] | type[AnswerShape]) -> Tool:
    return Tool(
        name=spec.name,
        description=spec.description,
        input_schema=lenient(spec.parameters),
        output_schema=schema_of(shape),
        annotations=_READS,
    )


def _why(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in problems)
