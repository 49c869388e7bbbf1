"""Asking as a job: progress, a job to ask for, joining and cancelling."""

import threading
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError

from tests.mcp_server.desk import ANSWER, SEARCH
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import say
from workbench.domain.people import LOCAL_USER
from workbench.domain.results import TurnStatus
from workbench.services.turn_values import turn_values

QUESTION = {"question": "Within how many days must invoices be paid?"}
Desks = Callable[..., Any]
pytestmark = pytest.mark.req("OPEN-1")


class Gate:
    """Holds a model in the middle of its answer until it is opened."""

    def __init__(self) -> None:
        self.reached, self.opened = threading.Event(), threading.Event()

    def __call__(self, _piece: str) -> None:
        self.reached.set()
        self.opened.wait(30)

    def model(self, times: int = 1) -> ScriptedModel:
        return ScriptedModel([SEARCH, ANSWER] * times, after_piece=self)


@pytest.mark.req("CITE-5")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_that_wants_progress_is_told_the_steps_and_gets_the_stored_answer(desks: Desks, mode: str) -> None:
    desk = desks([SEARCH, ANSWER])
    told: list[tuple[float, str | None]] = []

    async def heard(progress: float, _total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def main() -> Any:
        async with desk.connected(mode=mode) as client:
            return await client.call_tool("ask", QUESTION, progress_callback=heard)

    given = anyio.run(main)
    (turn,) = desk.traced()
    stored = turn_values(turn, ())
    values = given.structured_content
    assert values["status"] == "answered"
    for name in ("answer", "citations", "position_map", "position_unit", "usage"):
        assert values[name] == stored[name], name
    assert values["citations"][0]["text"] == "tarn_supply.pdf, p. 2"
    assert "[1] tarn_supply.pdf, p. 2: “" in given.content[0].text
    messages = [message for _, message in told]
    assert messages[0] == f"Job {turn.id} has begun"
    assert "Using search_documents" in messages
    assert messages[-1] == "Writing the answer"
    assert [progress for progress, _ in told] == sorted(progress for progress, _ in told)
    talk = desk.bench.conversations.get(desk.bench.library.access(LOCAL_USER), turn.conversation_id)
    assert talk.title.startswith("desk tool: Within how many days")


def test_a_client_without_progress_gets_a_job_and_fetches_the_answer_later(desks: Desks) -> None:
    gate = Gate()
    desk = desks(gate.model())

    async def main() -> None:
        async with desk.connected() as client:
            begun = (await client.call_tool("ask", {**QUESTION, "wait_seconds": 0})).structured_content
            assert begun["status"] == "running"
            assert begun["answer"] == ""
            await anyio.to_thread.run_sync(gate.reached.wait, 30)
            working = await client.call_tool("ask_status", {"job": begun["job"]})
            assert working.structured_content["status"] == "running"
            assert begun["job"] in working.content[0].text
            gate.opened.set()
            ended = (await client.call_tool("ask_status", {"job": begun["job"], "wait_seconds": 30})).structured_content
            assert ended["status"] == "answered"
            assert "within 21 days" in ended["answer"]
            again = (await client.call_tool("ask_status", {"job": begun["job"]})).structured_content
            assert again == ended

    anyio.run(main)
    assert len(desk.traced()) == 1


def test_a_job_is_cancelled_by_its_id_and_what_was_written_is_kept(desks: Desks) -> None:
    gate = Gate()
    desk = desks(gate.model())

    async def main() -> Any:
        async with desk.connected() as client:
            begun = (await client.call_tool("ask", {**QUESTION, "wait_seconds": 0})).structured_content
            await anyio.to_thread.run_sync(gate.reached.wait, 30)
            return await client.call_tool("ask_cancel", {"job": begun["job"]})

    given = anyio.run(main).structured_content
    gate.opened.set()
    assert given["status"] == "stopped"
    assert [turn.status for turn in desk.traced()] == [TurnStatus.STOPPED]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_cancelling_the_request_stops_the_work(desks: Desks, mode: str) -> None:
    gate = Gate()
    desk = desks(gate.model())

    async def main() -> None:
        async with desk.connected(mode=mode) as client:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "ask", {**QUESTION, "wait_seconds": 50})
                await anyio.to_thread.run_sync(gate.reached.wait, 30)
                group.cancel_scope.cancel()
            access = desk.bench.library.access(LOCAL_USER)
            (turn,) = desk.traced()
            await anyio.to_thread.run_sync(desk.bench.turns.wait, access, turn.id)

    anyio.run(main)
    gate.opened.set()
    assert [turn.status for turn in desk.traced()] == [TurnStatus.STOPPED]


def test_the_same_question_again_joins_the_job_and_goes_on_when_one_of_two_gives_up(desks: Desks) -> None:
    gate = Gate()
    model = gate.model()
    desk = desks(model)
    jobs: list[str] = []

    async def main() -> None:
        async with desk.connected() as client:

            async def patient() -> None:
                jobs.append((await client.call_tool("ask", {**QUESTION, "wait_seconds": 50})).structured_content["job"])

            async with anyio.create_task_group() as waiting:
                waiting.start_soon(patient)
                async with anyio.create_task_group() as impatient:
                    impatient.start_soon(client.call_tool, "ask", {**QUESTION, "wait_seconds": 40})
                    await anyio.to_thread.run_sync(gate.reached.wait, 30)
                    again = (await client.call_tool("ask", {**QUESTION, "wait_seconds": 0})).structured_content
                    jobs.append(again["job"])
                    impatient.cancel_scope.cancel()
                gate.opened.set()

    anyio.run(main)
    (turn,) = desk.traced()
    assert turn.status is TurnStatus.ANSWERED
    assert set(jobs) == {turn.id}
    assert len(model.requests) == 2


def test_after_a_job_has_ended_the_same_question_is_asked_anew(desks: Desks) -> None:
    desk = desks([SEARCH, ANSWER, SEARCH, ANSWER])

    async def main() -> set[str]:
        async with desk.connected() as client:
            given = [await client.call_tool("ask", {**QUESTION, "wait_seconds": 50}) for _ in range(2)]
            return {each.structured_content["job"] for each in given}

    assert len(anyio.run(main)) == 2


def test_two_clients_never_share_a_job_nor_see_each_others(desks: Desks) -> None:
    desk = desks([SEARCH, ANSWER, SEARCH, ANSWER])
    narrow = desk.client(name="narrow", containers=(desk.lease.container_id,))
    theirs = desk.client(name="theirs", user_id=desk.other)

    async def main() -> None:
        async with desk.connected() as mine, desk.connected(narrow) as other, desk.connected(theirs) as third:
            asked = {**QUESTION, "wait_seconds": 50}
            whole = (await mine.call_tool("ask", asked)).structured_content
            part = (await other.call_tool("ask", asked)).structured_content
            assert whole["job"] != part["job"]
            assert {each["document"] for each in part["citations"]} <= {"mill_lease.pdf"}
            for client in (other, third):
                for tool in ("ask_status", "ask_cancel"):
                    hidden = await client.call_tool(tool, {"job": whole["job"]})
                    assert hidden.is_error
                    assert "21 days" not in hidden.content[0].text
                on = {**asked, "conversation": whole["conversation"]}
                assert (await client.call_tool("ask", on)).is_error

    anyio.run(main)


def test_a_conversation_goes_on_and_only_named_containers_are_asked(desks: Desks) -> None:
    desk = desks([SEARCH, ANSWER, say("As said above.")])

    async def main() -> None:
        async with desk.connected() as client:
            first = (
                await client.call_tool("ask", {**QUESTION, "containers": ["Food"], "wait_seconds": 50})
            ).structured_content
            more = {"question": "And later?", "conversation": first["conversation"], "wait_seconds": 50}
            second = (await client.call_tool("ask", more)).structured_content
            assert second["conversation"] == first["conversation"]
            hidden = await client.call_tool("ask", {**QUESTION, "containers": ["Board"]})
            assert hidden.is_error
            assert "There is no container 'Board'. Your containers: 'Food', 'Leases'." in hidden.content[0].text

    anyio.run(main)
    assert desk.traced()[0].containers == (desk.supply.container_id,)


@pytest.mark.req("ASK-6")
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"question": ""},
        {"question": "Rent?", "profile": "boundless"},
        {"question": "Rent?", "wait_seconds": 51},
        {"question": "Rent?", "user": "bo"},
        {"question": ["Rent?"]},
        {"question": "Rent?", "conversation": 5},
    ],
)
def test_hostile_questions_are_rejected_and_nothing_is_asked(desks: Desks, arguments: dict[str, Any]) -> None:
    model = ScriptedModel([])
    desk = desks(model)

    async def main() -> Any:
        async with desk.connected() as client:
            return await client.call_tool("ask", arguments)

    given = anyio.run(main)
    assert given.is_error
    assert "The arguments of ask were rejected" in given.content[0].text
    assert model.requests == []


def test_a_failing_model_is_told_as_an_error_of_the_job(desks: Desks) -> None:
    desk = desks([])

    async def main() -> Any:
        async with desk.connected() as client:
            return await client.call_tool("ask", {**QUESTION, "wait_seconds": 50})

    given = anyio.run(main)
    assert given.is_error
    assert given.structured_content["status"] == "failed"
    assert "[failed]" in given.content[0].text


def test_an_unknown_method_is_an_error_of_the_protocol(desks: Desks) -> None:
    desk = desks()

    async def main() -> None:
        async with desk.connected(mode="legacy") as client:
            with pytest.raises(MCPError):
                await client.get_prompt("none")

    anyio.run(main)
