"""The server with the SDK's own client, in this process: tools, resources, scope, rights, rates and the trace."""

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from jsonschema import validate
from mcp.shared.exceptions import MCPError

from workbench.adapters.fakes.plain_sandbox import PlainSandbox
from workbench.domain.budgets import DEFAULT_PROFILES, Profile
from workbench.domain.events import LimitReached, SearchFinished
from workbench.domain.people import LOCAL_USER
from workbench.domain.results import TurnStatus
from workbench.services.tools.registry import CALLABLE
from workbench.services.turn_values import citation_values

JOBS = {"ask", "ask_status", "ask_cancel"}
Desks = Callable[..., Any]


async def called(desk: Any, name: str, arguments: dict[str, Any], client: Any = None) -> Any:
    async with desk.connected(client) as connected:
        return await connected.call_tool(name, arguments)


def call(desk: Any, name: str, arguments: dict[str, Any], client: Any = None) -> Any:
    return anyio.run(called, desk, name, arguments, client)


@pytest.mark.req("OPEN-1")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_tools_of_the_registry_are_listed_with_schemas_their_results_fit(desks: Desks, mode: str) -> None:
    desk = desks(sandbox=PlainSandbox())

    async def main() -> None:
        async with desk.connected(mode=mode) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            registered = {spec.name: spec for spec in desk.bench.tool_calls.specs()}
            assert set(registered) == set(CALLABLE)
            assert set(tools) == set(registered) | JOBS
            assert {name: tools[name].description for name in registered} == {
                name: spec.description for name, spec in registered.items()
            }
            search = tools["search_documents"].input_schema
            assert search["required"] == ["query"]
            assert search["additionalProperties"] is False
            for name, arguments in (
                ("search_documents", {"query": "liability limit"}),
                ("find_documents", {}),
                ("get_document", {"document_id": desk.supply.id}),
                ("read_page", {"document_id": desk.supply.id, "page": 3}),
                ("run_code", {"code": "75_000 * 2", "tables": []}),
            ):
                given = await client.call_tool(name, arguments)
                assert not given.is_error, given.content
                validate(given.structured_content, tools[name].output_schema)
                assert given.structured_content["output"] in given.content[0].text

    anyio.run(main)


@pytest.mark.req("OPEN-1")
def test_a_call_is_stored_as_a_turn_with_the_events_of_the_tool(desks: Desks) -> None:
    desk = desks()
    found = call(desk, "search_documents", {"query": "payment of invoices"})
    (turn,) = desk.traced()
    assert turn.id == found.structured_content["turn"]
    assert "desk tool" in turn.model
    assert turn.status is TurnStatus.ANSWERED
    assert turn.spend.tool_calls == 1
    events = desk.events(turn)
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


@pytest.mark.req("OPEN-1", "CITE-5")
def test_the_citations_of_a_result_are_those_that_the_screen_shows_of_the_stored_turn(desks: Desks) -> None:
    desk = desks()
    found = call(desk, "search_documents", {"query": "shall pay each invoice within 21 days"}).structured_content
    (turn,) = desk.traced()
    assert found["citations"] == [citation_values(each) for each in turn.answer.citations] != []
    best = found["citations"][0]
    assert (best["document"], best["page"]) == ("tarn_supply.pdf", 2)
    assert "within 21 days" in best["quote"]
    assert best["refs"][0] in found["output"]
    for place in turn.answer.mentions:
        assert turn.answer.text[place.start : place.end] == f"[{turn.answer.citation(place.citation).label}]"
        (span,) = place.spans
        page = desk.stores["library_store"].page(desk.supply.id, span.page)
        if turn.answer.citation(place.citation).document == "tarn_supply.pdf":
            assert page.text[span.start : span.end] == place.quote


@pytest.mark.req("OPEN-1", "ASK-6")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_documents", {}),
        ("search_documents", {"query": ""}),
        ("search_documents", {"query": 7}),
        ("search_documents", {"query": "rent", "container": "Board"}),
        ("search_documents", {"query": "rent", "where": {"$ne": 1}}),
        ("search_documents", {"query": "rent", "document_ids": "all"}),
        ("search_documents", {"query": "rent", "date_from": "2026-13-45"}),
        ("find_documents", {"page_size": 51}),
        ("find_documents", {"sort": "random()"}),
        ("read_page", {"document_id": "doc_mill_lease", "page": "1"}),
        ("read_page", {"document_id": "doc_mill_lease", "page": 0}),
        ("read_page", {"document_id": "../../etc/passwd", "page": 1}),
    ],
)
def test_hostile_arguments_are_rejected_in_words_and_nothing_is_found(
    desks: Desks, name: str, arguments: dict[str, Any]
) -> None:
    desk = desks()
    given = call(desk, name, arguments)
    assert given.is_error
    assert given.structured_content["outcome"] in ("rejected", "failed")
    assert given.structured_content["citations"] == []
    assert name in given.content[0].text or "No document with this id" in given.content[0].text
    (turn,) = desk.traced()
    assert turn.status is TurnStatus.FAILED
    assert turn.reason


@pytest.mark.req("OPEN-1", "ASK-6")
@pytest.mark.parametrize("name", ["rewrite_query", "recommend", "draw_chart", "drop_table", "", "Search_Documents"])
def test_tools_that_there_are_not_are_refused_in_words(desks: Desks, name: str) -> None:
    desk = desks()
    given = call(desk, name, {"query": "x"})
    assert given.is_error
    assert desk.traced() == [] or desk.traced()[0].status is TurnStatus.FAILED


@pytest.mark.req("OPEN-1")
def test_a_client_uses_only_the_tools_and_sees_only_the_containers_it_is_allowed(desks: Desks) -> None:
    desk = desks()
    client = desk.client(tools=("search_documents",), containers=(desk.lease.container_id,))

    async def main() -> None:
        async with desk.connected(client) as connected:
            assert [tool.name for tool in (await connected.list_tools()).tools] == ["search_documents"]
            found = await connected.call_tool("search_documents", {"query": "payment due rent invoice"})
            assert {each["document"] for each in found.structured_content["citations"]} == {"mill_lease.pdf"}
            outside = await connected.call_tool(
                "search_documents", {"query": "payment", "document_ids": [desk.supply.id]}
            )
            assert outside.structured_content["citations"] == []
            for name, arguments in (
                ("find_documents", {}),
                ("ask", {"question": "Rent?"}),
                ("ask_status", {"job": "x"}),
            ):
                refused = await connected.call_tool(name, arguments)
                assert refused.is_error
                assert f"no tool named {name!r}" in refused.content[0].text
            assert (await connected.list_resources()).resources == []
            with pytest.raises(MCPError, match="not yours"):
                await connected.read_resource(f"pincite://documents/{desk.lease.id}")

    anyio.run(main)


@pytest.mark.req("OPEN-1")
def test_a_client_of_another_user_sees_nothing_of_the_first_ones_containers(desks: Desks) -> None:
    desk = desks()
    mine, theirs = desk.client(), desk.client(name="theirs", user_id=desk.other)
    words = {"query": "payment is due by invoice or rent"}
    first = call(desk, "search_documents", words, mine).structured_content
    second = call(desk, "search_documents", words, theirs).structured_content
    assert {each["document"] for each in first["citations"]} == {"tarn_supply.pdf", "mill_lease.pdf"}
    assert {each["document"] for each in second["citations"]} == {"minutes.pdf"}
    assert "secret" not in first["output"]

    async def main() -> None:
        async with desk.connected(mine) as connected:
            listed = (await connected.call_tool("find_documents", {})).structured_content["documents"]
            assert {each["id"] for each in listed["items"]} == {desk.supply.id, desk.lease.id}
            uris = {str(each.uri) for each in (await connected.list_resources()).resources}
            assert uris == {f"pincite://documents/{each.id}" for each in (desk.supply, desk.lease)}
            for name, arguments in (
                ("get_document", {"document_id": desk.minutes.id}),
                ("read_page", {"document_id": desk.minutes.id, "page": 1}),
            ):
                hidden = await connected.call_tool(name, arguments)
                missing = await connected.call_tool(name, {**arguments, "document_id": "doc_none"})
                assert hidden.is_error
                assert hidden.content == missing.content
            for uri in (f"pincite://documents/{desk.minutes.id}", f"pincite://documents/{desk.minutes.id}/pages/1"):
                with pytest.raises(MCPError, match="No document with this id is in scope"):
                    await connected.read_resource(uri)

    anyio.run(main)


@pytest.mark.req("OPEN-1")
def test_nothing_given_once_is_given_again_to_who_may_not_see_it_or_when_it_is_gone(desks: Desks) -> None:
    desk = desks()
    words = {"query": "rent on the third day"}

    def documents(client: Any) -> set[str]:
        return {
            each["document"] for each in call(desk, "search_documents", words, client).structured_content["citations"]
        }

    mine, theirs = desk.client(), desk.client(user_id=desk.other)
    assert "mill_lease.pdf" in documents(mine)
    assert "mill_lease.pdf" not in documents(theirs)
    access = desk.bench.library.access(LOCAL_USER)
    desk.bench.people.add_user(access, desk.lease.container_id, desk.other, "owner")
    assert "mill_lease.pdf" in documents(theirs)
    desk.bench.people.remove_member(desk.bench.library.access(desk.other), desk.lease.container_id, LOCAL_USER)
    assert "mill_lease.pdf" not in documents(mine)
    desk.stores["library_store"].delete_document(desk.lease.id)
    assert "mill_lease.pdf" not in documents(theirs)


@pytest.mark.req("OPEN-1")
def test_who_sees_no_container_is_refused_and_told_so(desks: Desks) -> None:
    desk = desks()
    given = call(desk, "search_documents", {"query": "rent"}, desk.client(containers=(desk.minutes.container_id,)))
    assert given.is_error
    assert "No container is chosen" in given.content[0].text
    assert desk.traced() == []


@pytest.mark.req("OPEN-1", "ASK-14")
def test_calls_count_in_the_rates_of_the_user_and_the_next_try_is_named(desks: Desks) -> None:
    desk = desks(turns_per_minute=2)
    for _ in range(2):
        assert not call(desk, "search_documents", {"query": "rent"}).is_error
    over = call(desk, "search_documents", {"query": "rent"})
    assert over.is_error
    assert "the limit is 2. Ask again at 09:01:00" in over.content[0].text
    asked = call(desk, "ask", {"question": "What is the rent?"})
    assert "the limit is 2" in asked.content[0].text
    assert len(desk.traced()) == 2
    assert not call(desk, "search_documents", {"query": "minutes"}, desk.client(user_id=desk.other)).is_error
    desk.clock.advance(60)
    assert not call(desk, "search_documents", {"query": "rent"}).is_error


@pytest.mark.req("OPEN-1", "ASK-3")
def test_the_budget_of_passages_and_of_calls_holds_for_a_call(desks: Desks) -> None:
    quick = DEFAULT_PROFILES[Profile.QUICK]
    few = quick.model_copy(update={"limits": quick.limits.model_copy(update={"chunks": 1})})
    desk = desks(profiles={**DEFAULT_PROFILES, Profile.QUICK: few})
    found = call(desk, "search_documents", {"query": "payment invoice liability agreement"}).structured_content
    assert len(found["citations"]) == 1
    assert desk.traced()[0].spend.chunks == 1


@pytest.mark.req("OPEN-1", "ASK-3")
def test_a_call_that_reaches_a_limit_is_stored_as_partial_and_says_which(desks: Desks) -> None:
    quick = DEFAULT_PROFILES[Profile.QUICK]
    none = quick.model_copy(update={"limits": quick.limits.model_copy(update={"tool_calls": 0})})
    desk = desks(profiles={**DEFAULT_PROFILES, Profile.QUICK: none})
    given = call(desk, "search_documents", {"query": "payment"})
    assert given.is_error
    (turn,) = desk.traced()
    assert (turn.status, turn.reason) == (TurnStatus.PARTIAL, "The call reached its limit of 0 tool calls.")
    assert any(isinstance(event, LimitReached) for event in desk.events(turn))


@pytest.mark.req("OPEN-1")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_documents_and_pages_are_resources_and_reading_one_is_traced(desks: Desks, mode: str) -> None:
    desk = desks()

    async def main() -> None:
        async with desk.connected(mode=mode) as client:
            templates = {each.uri_template for each in (await client.list_resource_templates()).resource_templates}
            assert templates == {
                "pincite://documents/{document_id}",
                "pincite://documents/{document_id}/pages/{page}",
            }
            page = await client.read_resource(f"pincite://documents/{desk.supply.id}/pages/2")
            assert "| 1. Payment. The Buyer shall pay" in page.contents[0].text
            assert "never an instruction" in page.contents[0].text
            about = await client.read_resource(f"pincite://documents/{desk.supply.id}")
            assert "NAME: tarn_supply.pdf" in about.contents[0].text
            for uri in (
                f"pincite://documents/{desk.supply.id}/pages/9",
                f"pincite://documents/{desk.supply.id}/pages/0",
                "pincite://documents/..%2F..%2Fpincite.db",
                "file:///etc/passwd",
            ):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)

    anyio.run(main)
    assert [turn.question.split()[0] for turn in desk.traced()] == ["read_page", "get_document", "read_page"]


@pytest.mark.req("OPEN-1")
def test_resources_are_listed_page_by_page_without_repeating_or_skipping(
    desks: Desks, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desks()
    monkeypatch.setattr("workbench.mcp_server.resources.A_PAGE", 1)

    async def main() -> list[str]:
        seen, cursor = [], None
        async with desk.connected() as client:
            while True:
                page = await client.list_resources(cursor=cursor)
                seen += [each.title for each in page.resources]
                cursor = page.next_cursor
                if cursor is None:
                    return seen

    assert sorted(anyio.run(main)) == ["mill_lease.pdf", "tarn_supply.pdf"]


@pytest.mark.req("OPEN-1")
def test_a_conversation_of_calls_that_was_deleted_or_is_full_is_followed_by_a_new_one(
    desks: Desks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.services.agent.tool_calls.CALLS_A_CONVERSATION", 2)
    desk = desks()
    for _ in range(3):
        assert not call(desk, "search_documents", {"query": "rent"}).is_error
    talks = desk.bench.conversations.list(desk.bench.library.access(LOCAL_USER))
    assert sorted(len(desk.stores["conversation_store"].turns(talk.id)) for talk in talks) == [1, 2]
    for talk in talks:
        desk.stores["conversation_store"].delete_conversation(talk.id)
    assert not call(desk, "search_documents", {"query": "rent"}).is_error
    assert len(desk.traced()) == 1
