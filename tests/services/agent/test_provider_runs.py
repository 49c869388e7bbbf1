"""Code that the provider runs by itself: the same event as ours, the same scrubbing, and what is kept there is recorded."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, Asking, Bench
from workbench.adapters.fakes.responses_server import FakeResponsesServer, running
from workbench.adapters.fakes.steps import Step, calls, code_run, say
from workbench.adapters.openai_responses import Connection, OpenAIResponsesModel
from workbench.domain.budgets import DEFAULT_PROFILES, LimitName, Profile
from workbench.domain.deletions import What
from workbench.domain.events import CodeRan, ObjectKept
from workbench.domain.results import TurnStatus
from workbench.services.deletion.provider_objects import collected

pytestmark = pytest.mark.req("TOOL-9")
RUN = code_run("import csv\nopen('/mnt/data/sums.csv', 'w')", logs="60\n", file="sums.csv")
RAN = calls(RUN, say("It is 60: see [the sums](sandbox:/mnt/data/sums.csv)."))


@contextmanager
def provider(*script: Step) -> Iterator[tuple[FakeResponsesServer, OpenAIResponsesModel]]:
    server = FakeResponsesServer(script)
    with running(server) as url:
        model = OpenAIResponsesModel("gpt-5-mini", Connection("sk-test", url, timeout=20), interpreter=True)
        yield server, model
        model.close()


def test_it_is_an_event_of_the_trace_and_the_answer_holds_no_path(bench: Bench) -> None:
    with provider(RAN) as (_, model):
        done = bench.run(model, "What is 5 times 12?")
    (event,) = done.of(CodeRan)
    assert (event.run.result.printed, event.run.at_provider) == ("60\n", True)
    assert done.end.answer.text == "It is 60: see [the sums]."
    assert not done.end.unsourced


def test_it_counts_as_a_tool_call(bench: Bench) -> None:
    with provider(RAN) as (server, model):
        done = bench.run(model, "What is 5 times 12?")
    assert done.end.spend.tool_calls == 1
    assert server.bodies[0]["max_tool_calls"] == DEFAULT_PROFILES[Profile.QUICK].limits.of(LimitName.TOOL_CALLS)


@pytest.mark.req("CHAT-2")
def test_containers_and_files_are_recorded_for_deletion(asking: Callable[..., Asking]) -> None:
    with provider(RAN) as (server, model):
        desk = asking(model)
        conversation = desk.conversations.create(ACCESS, [CONTRACTS])
        turn = desk.turns.wait(ACCESS, desk.turns.ask(ACCESS, conversation.id, "What is 5 times 12?").id)
        (container,) = server.containers.all()
        (file,) = server.containers.files(container.id)
    events = desk.store.events(turn.id)
    assert turn.status is TurnStatus.ANSWERED
    assert [each for each in events if isinstance(each, ObjectKept)] != []
    assert [(each.what, each.id, each.container) for each in collected(turn, events)][:2] == [
        (What.CODE_FILE, file.id, container.id),
        (What.CODE_CONTAINER, container.id, ""),
    ]


@pytest.mark.req("CHAT-2")
def test_a_container_of_a_response_that_broke_off_is_recorded_as_well(asking: Callable[..., Asking]) -> None:
    with provider(RAN.but(finish="max_output_tokens")) as (server, model):
        desk = asking(model)
        conversation = desk.conversations.create(ACCESS, [CONTRACTS])
        turn = desk.turns.wait(ACCESS, desk.turns.ask(ACCESS, conversation.id, "What is 5 times 12?").id)
        (container,) = server.containers.all()
    assert turn.status is TurnStatus.PARTIAL
    assert container.id in [each.id for each in collected(turn, desk.store.events(turn.id))]
