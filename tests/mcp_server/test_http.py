"""The endpoint over a real socket: tokens, allow-lists, hosts, and the SDK's own client."""

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client as McpClient
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.routing import Route

from workbench.adapters.fakes.steps import say
from workbench.mcp_server.http import PATH, Endpoint, served_at
from workbench.settings import Settings

pytestmark = pytest.mark.req("OPEN-1")
Desks = Callable[..., Any]
PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
JSON = {"Accept": "application/json, text/event-stream"}


@asynccontextmanager
async def serving(desk: Any, settings: Settings) -> AsyncIterator[str]:
    """Serve the endpoint on a free port of this machine; yield its address."""
    endpoint = Endpoint(lambda: desk.bench)
    app = Starlette(routes=[Route(PATH, endpoint)])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(
            uvicorn.Config(app, lifespan="off", log_config=None, ws="none", timeout_graceful_shutdown=1)
        )
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with endpoint.serving(settings, base), anyio.create_task_group() as group:
            group.start_soon(server.serve, [listener])
            while not server.started:
                await anyio.sleep(0.01)
            yield f"{base}{PATH}"
            server.should_exit = True


@asynccontextmanager
async def connected(url: str, token: str, mode: str = "auto") -> AsyncIterator[McpClient]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http,
        McpClient(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


def settings_of(desk: Any, **changes: Any) -> Settings:
    return desk.bench.settings.model_copy(update={"mcp": True, **changes})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_token_opens_what_it_allows_and_no_more(desks: Desks, mode: str) -> None:
    desk = desks([say("It is due on the third day."), say("It is due on the third day.")])
    made = desk.bench.clients.create(
        "Lease reader", 2, tools=["search_documents", "ask"], containers=["Leases"], user=None
    )
    told: list[str | None] = []

    async def heard(_progress: float, _total: float | None, message: str | None) -> None:
        told.append(message)

    async def main() -> None:
        async with serving(desk, settings_of(desk)) as url, connected(url, made.secret, mode) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == {"search_documents", "ask", "ask_status", "ask_cancel"}
            found = await client.call_tool("search_documents", {"query": "payment rent invoice due"})
            assert {each["document"] for each in found.structured_content["citations"]} == {"mill_lease.pdf"}
            assert (await client.call_tool("find_documents", {})).is_error
            answer = await client.call_tool("ask", {"question": "When is the rent due?"}, progress_callback=heard)
            assert answer.structured_content["answer"] == "It is due on the third day."
            assert told[0] == f"Job {answer.structured_content['job']} has begun"

    anyio.run(main)
    assert {turn.containers for turn in desk.traced()} == {(desk.lease.container_id,)}


def test_a_token_of_another_user_sees_only_what_is_theirs(desks: Desks) -> None:
    desk = desks()
    mine = desk.bench.clients.create("mine", 1)
    theirs = desk.bench.clients.create("theirs", 1, user=desk.other)
    seen: dict[str, set[str]] = {}

    async def main() -> None:
        async with serving(desk, settings_of(desk)) as url:
            for made in (mine, theirs):
                async with connected(url, made.secret) as client:
                    given = await client.call_tool("search_documents", {"query": "payment is due"})
                    cited = {each["document"] for each in given.structured_content["citations"]}
                    seen[made.token.client.name] = cited

    anyio.run(main)
    assert seen["theirs"] == {"minutes.pdf"}
    assert "minutes.pdf" not in seen["mine"] != set()


def test_without_a_good_token_nothing_opens_and_the_reason_is_told(desks: Desks) -> None:
    desk = desks()
    expired, revoked = desk.bench.clients.create("old", 1), desk.bench.clients.create("lost", 9)
    desk.bench.clients.revoke(revoked.token.id)
    desk.clock.advance(24 * 3600)
    cases = {
        "": "A token is needed",
        "Basic abc": "A token is needed",
        "Bearer pincite_guessed": "not known here",
        f"Bearer {expired.secret}": "has expired on 06 January 2026",
        f"Bearer {revoked.secret}": "was revoked on 05 January 2026",
    }

    async def main() -> None:
        async with serving(desk, settings_of(desk)) as url, httpx2.AsyncClient() as http:
            for header, reason in cases.items():
                answer = await http.post(url, json=PING, headers={**JSON, "Authorization": header})
                assert answer.status_code == 401
                assert answer.headers["www-authenticate"].startswith("Bearer")
                assert reason in answer.json()["error"]

    anyio.run(main)
    assert desk.traced() == []


def test_a_token_that_is_revoked_ends_the_session_it_has_open(desks: Desks) -> None:
    desk = desks()
    made = desk.bench.clients.create("brief", 1)

    async def main() -> None:
        async with serving(desk, settings_of(desk)) as url, connected(url, made.secret, "legacy") as client:
            assert not (await client.call_tool("search_documents", {"query": "rent"})).is_error
            desk.bench.clients.revoke(made.token.id)
            with pytest.raises(Exception, match=r"401|revoked|Unauthorized|error"):
                await client.call_tool("search_documents", {"query": "rent"})

    anyio.run(main)
    assert len(desk.traced()) == 1


def test_a_session_is_closed_to_the_token_of_anybody_else(desks: Desks) -> None:
    desk = desks()
    mine, theirs = desk.bench.clients.create("mine", 1), desk.bench.clients.create("theirs", 1, user=desk.other)
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "by hand", "version": "1"},
        },
    }

    async def main() -> None:
        async with serving(desk, settings_of(desk)) as url, httpx2.AsyncClient() as http:
            opened = await http.post(url, json=hello, headers={**JSON, "Authorization": f"Bearer {mine.secret}"})
            session = {"Mcp-Session-Id": opened.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-06-18"}
            stolen = {**JSON, **session, "Authorization": f"Bearer {theirs.secret}"}
            assert (await http.post(url, json=PING, headers=stolen)).status_code == 404

    anyio.run(main)


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "evil.example", 421),
        ("Host", "127.0.0.1.evil.example:80", 421),
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
    ],
)
def test_a_page_of_elsewhere_whose_name_points_here_is_refused(
    desks: Desks, header: str, value: str, status: int
) -> None:
    desk = desks()
    made = desk.bench.clients.create("browser", 1)

    async def main() -> None:
        async with serving(desk, settings_of(desk)) as url, httpx2.AsyncClient() as http:
            sent = {**JSON, "Authorization": f"Bearer {made.secret}", header: value}
            assert (await http.post(url, json=PING, headers=sent)).status_code == status

    anyio.run(main)


def test_it_is_off_unless_a_setting_turns_it_on(desks: Desks) -> None:
    desk = desks()
    assert desk.bench.settings.mcp is False
    made = desk.bench.clients.create("early", 1)

    async def main() -> None:
        async with serving(desk, settings_of(desk, mcp=False)) as url, httpx2.AsyncClient() as http:
            answer = await http.post(url, json=PING, headers={**JSON, "Authorization": f"Bearer {made.secret}"})
            assert answer.status_code == 404
            assert "PINCITE_MCP=on" in answer.json()["error"]

    anyio.run(main)


def test_the_address_stands_in_the_data_directory_while_it_is_served(desks: Desks) -> None:
    desk = desks()
    settings = settings_of(desk)
    assert served_at(settings) == ""

    async def main() -> None:
        async with serving(desk, settings) as url:
            assert served_at(settings) == url

    anyio.run(main)
    assert served_at(settings) == ""
