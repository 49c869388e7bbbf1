"""A provider whose answers take as long as a test wants: its streams wait at a gate."""

import asyncio
import threading
from collections import deque
from itertools import repeat

from starlette.types import Message, Receive, Scope, Send

from workbench.adapters.fakes.responses_server import Exchange, FakeResponsesServer
from workbench.adapters.fakes.steps import Step


class SlowProvider:
    """An ASGI app around the fake provider. ``play`` says what comes next, ``hold`` stops the next answer in the middle.

    ``held`` is set once a stream waits, ``left`` once its caller has hung up.
    """

    def __init__(self) -> None:
        self.server = FakeResponsesServer(repeat(self._next))
        self.held = threading.Event()
        self.left = threading.Event()
        self._steps: deque[Step] = deque()
        self._hold_after: int | None = None
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    def play(self, *steps: Step) -> None:
        """Forget what was planned and answer the next requests with ``steps``."""
        self._steps = deque(steps)

    def hold(self, after: int) -> None:
        """Let the next text wait once ``after`` of its pieces have been sent."""
        self._hold_after = after
        self.held.clear()
        self.left.clear()

    def release(self) -> None:
        """Let everything go on that waits; nothing is held until the next ``hold``."""
        self._hold_after = None
        while self._waiting:
            loop, opened = self._waiting.pop()
            loop.call_soon_threadsafe(opened.set)

    def forget(self) -> None:
        """Lose every response, as a provider does after weeks."""
        for response_id in self.server.store.ids():
            self.server.store.delete(response_id)

    def _next(self, _: Exchange) -> Step:
        return self._steps.popleft()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sent = 0

        async def gated(message: Message) -> None:
            nonlocal sent
            if b"event: response.output_text.delta" in message.get("body", b""):
                if sent == self._hold_after:
                    await self._wait(receive)
                sent += 1
            await send(message)

        await self.server(scope, receive, gated)

    async def _wait(self, receive: Receive) -> None:
        """Wait until the gate is opened or the caller hangs up, whichever comes first."""
        opened = asyncio.Event()
        self._waiting.append((asyncio.get_running_loop(), opened))
        self.held.set()
        gate, caller = asyncio.ensure_future(opened.wait()), asyncio.ensure_future(_disconnected(receive))
        await asyncio.wait((gate, caller), return_when=asyncio.FIRST_COMPLETED)
        if caller.done():
            self.left.set()
        gate.cancel()
        caller.cancel()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
