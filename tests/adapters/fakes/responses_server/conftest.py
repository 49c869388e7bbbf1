from collections.abc import Callable, Iterator
from typing import Any

import openai
import pytest

from workbench.adapters.fakes.responses_server import FakeResponsesServer, running
from workbench.adapters.fakes.steps import say


class Switch:
    """An ASGI app that stands for another one, so that one socket serves many tests."""

    app: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.app(scope, receive, send)


@pytest.fixture(scope="package")
def switch() -> Switch:
    return Switch()


@pytest.fixture(scope="package")
def client(switch: Switch) -> Iterator[openai.OpenAI]:
    """The SDK's own client, which refuses a reply that is not of the documented types."""
    with (
        running(switch) as base_url,
        openai.OpenAI(api_key="sk-test", base_url=base_url, max_retries=0, _strict_response_validation=True) as client,
    ):
        yield client


@pytest.fixture
def serve(switch: Switch) -> Callable[..., FakeResponsesServer]:
    """Return a function that starts a new provider; without a script its model says yes to everything."""

    def serve(*script: Any) -> FakeResponsesServer:
        switch.app = FakeResponsesServer(script or (say("Yes."),) * 9)
        return switch.app

    return serve
