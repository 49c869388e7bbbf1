"""One request: who makes it, what that client may see now, and the work for it off the event loop."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from mcp.server.context import ServerRequestContext

from workbench.domain.clients import Client

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
Who = Callable[[Context], Client]
"""Tells which client makes a request."""

_WORKING = 24
"""How many calls work at the same time; others wait. Waiting for answers is not counted here."""


async def in_thread(work: Callable[[Callable[[], bool]], T], limiter: anyio.CapacityLimiter) -> T:
    """Run ``work`` in a thread and return its result. It is given what tells whether the request was cancelled meanwhile;
    nobody waits for it then."""
    cancelled = threading.Event()
    try:
        return await anyio.to_thread.run_sync(lambda: work(cancelled.is_set), abandon_on_cancel=True, limiter=limiter)
    except anyio.get_cancelled_exc_class():
        cancelled.set()
        raise


def limiter() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(_WORKING)
