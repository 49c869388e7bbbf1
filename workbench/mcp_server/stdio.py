"""Standard input and output: the client starts Pincite and talks to it over pipes."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import anyio
from mcp.server.stdio import stdio_server

from workbench.bootstrap import Workbench
from workbench.domain.clients import Client
from workbench.mcp_server.server import make_server


@contextmanager
def frames_only() -> Iterator[None]:
    """Keep standard output for the frames of the protocol: what anything else writes there goes to standard error."""
    sys.stdout.flush()
    wire = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(wire, 1)
        os.close(wire)


def serve(build: Callable[[], Workbench], client_of: Callable[[Workbench], Client]) -> None:
    """Build a workbench and serve one client until it closes its end; close the workbench.

    Raises what ``build`` and ``client_of`` raise, before anything is served.
    """
    with frames_only():
        bench = build()
    try:
        with frames_only():
            client = client_of(bench)
        anyio.run(_serve, bench, client)
    finally:
        with frames_only():
            bench.close()


async def _serve(bench: Workbench, client: Client) -> None:
    server = make_server(lambda: bench, lambda _context: client)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
        sys.stdout.flush()  # while it still goes to standard error
