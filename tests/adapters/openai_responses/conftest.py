"""A running fake provider, a model that talks to it without waiting, and requests to send."""

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest

from workbench.adapters.fakes.responses_server import FakeResponsesServer, running
from workbench.adapters.fakes.steps import Step
from workbench.adapters.openai_responses import OpenAIResponsesModel
from workbench.adapters.openai_responses.client import Connection
from workbench.adapters.openai_responses.retry import RetryPolicy
from workbench.domain.ids import ContainerId, UserId
from workbench.domain.items import UserMessage
from workbench.domain.scope import Access, Scope
from workbench.services.ports import ModelRequest, ToolSpec

KEY = "sk-proj-A7f3Qz9LmP0secret"


class Switch:
    """An ASGI app that stands for another one, so that one socket serves many tests."""

    app: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.app(scope, receive, send)


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def wait(self, _: Event, seconds: float) -> bool:
        self.slept.append(seconds)
        self.now += seconds
        return False


@pytest.fixture(scope="package")
def address() -> Iterator[tuple[Switch, str]]:
    switch = Switch()
    with running(switch) as base_url:
        yield switch, base_url


@pytest.fixture
def key() -> str:
    return KEY


@pytest.fixture
def serve(address: tuple[Switch, str]) -> Callable[..., FakeResponsesServer]:
    """Return a function that puts a new provider with a script at the address."""

    def serve(*script: Step | Callable[[Any], Step], **options: Any) -> FakeResponsesServer:
        address[0].app = FakeResponsesServer(script, key=KEY, **options)
        return address[0].app

    return serve


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def connect(address: tuple[Switch, str], time: Time) -> Iterator[Callable[..., OpenAIResponsesModel]]:
    """Give a function that makes a model at the address; its sleeps take no time."""
    made: list[OpenAIResponsesModel] = []

    def connect(name: str = "gpt-5-mini", **options: Any) -> OpenAIResponsesModel:
        wire = {"api_key": KEY, "timeout": 10.0, "strict": True}
        wire |= {name: options.pop(name) for name in ("api_key", "timeout", "strict") if name in options}
        policy = options.pop("policy", {})
        retry = RetryPolicy(**{"monotonic": time.monotonic, "wait": time.wait, **policy})
        made.append(OpenAIResponsesModel(name, Connection(base_url=address[1], **wire), retry=retry, **options))
        return made[-1]

    yield connect
    for model in made:
        model.close()


@pytest.fixture
def ask() -> Callable[..., ModelRequest]:
    """Return a function that makes a request, by default with one tool and one question."""

    def ask(*items: Any, **fields: Any) -> ModelRequest:
        container = ContainerId("con_a")
        schema = {
            "type": "object",
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
            "additionalProperties": False,
        }
        defaults = {
            "instructions": "Answer from the documents.",
            "tools": (ToolSpec(name="search_documents", description="Search.", parameters=schema),),
            "scope": Scope(
                access=Access(user_id=UserId("ana"), containers=frozenset({container})), containers=(container,)
            ),
        }
        return ModelRequest(**{**defaults, "input": items or (UserMessage(text="What is the fee?"),), **fields})

    return ask
