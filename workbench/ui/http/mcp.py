"""The MCP endpoint beside the screens, over the same workbench."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.routing import Route

from workbench.domain.errors import ConfigurationError
from workbench.mcp_server.http import PATH, Endpoint
from workbench.ui import process

ENDPOINT = Endpoint(process.workbench)
ROUTES = [Route(PATH, ENDPOINT)]


@asynccontextmanager
async def serving() -> AsyncIterator[None]:
    """Serve the endpoint for the block, where the settings want it. What is wrong with them is said on the first page."""
    from workbench.settings import load  # noqa: PLC0415 - as in process

    try:
        settings = load()
    except ConfigurationError:
        yield
        return
    address = st.get_option("server.address") or "127.0.0.1"
    host = "127.0.0.1" if address in ("0.0.0.0", "::") else address  # noqa: S104 - what is listened on names no machine
    async with ENDPOINT.serving(settings, f"http://{host}:{st.get_option('server.port')}"):
        yield
