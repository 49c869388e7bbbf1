"""The server with the SDK's own client, in this process: tools, resources, scope, rights and the trace."""

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from jsonschema import validate

from workbench.domain.events import SearchFinished
from workbench.domain.people import LOCAL_USER
from workbench.domain.results import TurnStatus

TOOLS = {"search_documents", "find_documents", "get_document", "read_page", "read_table"}
JOBS = {"ask", "ask_status", "ask_cancel"}
Desks = Callable[..., Any]


async def called(desk: Any, name: str, arguments: dict[str, Any], client: Any = None) -> Any:
    async with desk.connected(client) as connected:
        return await connected.call_tool(name, arguments)


@pytest.mark.req("OPEN-1")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_tools_of_the_registry_are_listed_with_schemas_their_results_fit(desks: Desks, mode: str) -> None:
    desk = desks()

    async def main() -> None:
        async with desk.connected(mode=mode) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(tools) == TOOLS | JOBS
            registered = {spec.name: spec for spec in desk.bench.tool_calls.specs()}
            assert {name: tools[name].description for name in TOOLS} == {
                name: registered[name].description for name in TOOLS
            }
            search = tools["search_documents"].input_schema
            assert search["required"] == ["query"]
            assert search["additionalProperties"] is False
            found = await client.call_tool("search_documents", {"query": "liability limit"})
            validate(found.structured_content, tools["search_documents"].output_schema)
            assert "EUR 75,000" in found.structured_content["output"]

    anyio.run(main)


@pytest.mark.req("OPEN-1")
def test_a_call_is_stored_as_a_turn_with_the_events_of_the_tool(desks: Desks) -> None:
    desk = desks()
    found = anyio.run(called, desk, "search_documents", {"query": "payment of invoices"})
    (turn,) = desk.traced()
    assert turn.id == found.structured_content["turn"]
    assert "desk tool" in turn.model
    assert turn.status is TurnStatus.ANSWERED
    assert turn.spend.tool_calls == 1
    events = desk.bench.turns.events(desk.bench.library.access(LOCAL_USER), turn.id)
    assert [event.kind for event in events] == [
        "turn_started",
        "tool_call_started",
        "search_finished",
        "sources_gathered",
        "tool_call_finished",
        "budget_spent",
        "turn_finished",
    ]
    (search,) = [event for event in events if isinstance(event, SearchFinished)]
    assert search.query == "payment of invoices"
    talk = desk.bench.conversations.get(desk.bench.library.access(LOCAL_USER), turn.conversation_id)
    assert talk.title == "desk tool: tool calls"
