"""What a search over MCP costs beyond the search itself: the call of a tool, which is stored, and each way to the client."""

import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import uvicorn
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client as McpClient
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.routing import Route

from tests.bench.loop import with_samples
from tests.bench.times import in_turns
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.domain.clients import Client
from workbench.domain.scope import build_scope
from workbench.mcp_server.http import PATH, Endpoint
from workbench.mcp_server.server import make_server
from workbench.services.tools.search_documents import SearchArguments
from workbench.settings import Settings

ROUNDS = 15
QUERIES = ("payment terms", "liability cap", "notice of termination", "governing law", "price of the licence")


def main() -> None:
    """Real stores on a disk and every call stored, as in the app; the embedding is a hash: the cheapest search there is."""
    with tempfile.TemporaryDirectory() as directory:
        settings = Settings(home=Path(directory), sandbox="off", mcp=True)
        bench = bootstrap.build(settings, embedder=HashingEmbedder())
        try:
            with start_blocking_portal() as portal:
                report(bench, portal)
        finally:
            bench.close()


def report(bench: bootstrap.Workbench, portal: BlockingPortal) -> None:
    access, container = with_samples(bench)
    scope = build_scope(access, [container])
    readable = bench.search.documents(scope)
    local = Client(name="bench", user_id=bootstrap.LOCAL_USER)
    whole = SearchArguments(query="x", **dict.fromkeys(set(SearchArguments.model_fields) - {"query"}))

    def stored(query: str) -> None:
        bench.tool_calls.run(
            access, "bench", "search_documents", whole.model_copy(update={"query": query}).model_dump_json()
        )

    here = McpClient(make_server(lambda: bench, lambda _context: local))
    token = bench.clients.create("bench", 1).secret
    with (
        portal.wrap_async_context_manager(here) as near,
        portal.wrap_async_context_manager(over_http(bench, token)) as far,
    ):
        times = in_turns(
            {
                "search": lambda query: bench.search.run(scope, query, bench.search.passages, readable),
                "tool": stored,
                "in process": asked(portal, near),
                "HTTP": asked(portal, far),
            },
            QUERIES,
            ROUNDS,
        )
    search = times["search"]
    print(f"mcp: a search takes {search}")
    print(f"mcp: the same as a tool call, checked, cited and stored: {times['tool']}, {times['tool'].over(search)}")
    for way in ("in process", "HTTP"):
        print(f"mcp: the tool call by a client, {way}: {times[way]}, {times[way].over(times['tool'])} of the tool call")


def asked(portal: BlockingPortal, client: McpClient) -> Callable[[str], Any]:
    return lambda query: portal.call(client.call_tool, "search_documents", {"query": query})


@asynccontextmanager
async def over_http(bench: bootstrap.Workbench, token: str) -> AsyncIterator[McpClient]:
    endpoint = Endpoint(lambda: bench)
    app = Starlette(routes=[Route(PATH, endpoint)])
    headers = {"Authorization": f"Bearer {token}"}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None, ws="none"))
        async with endpoint.serving(bench.settings, base), anyio.create_task_group() as group:
            group.start_soon(server.serve, [listener])
            async with (
                httpx2.AsyncClient(headers=headers, timeout=30) as http,
                McpClient(streamable_http_client(f"{base}{PATH}", http_client=http)) as client,
            ):
                yield client
            server.should_exit = True
