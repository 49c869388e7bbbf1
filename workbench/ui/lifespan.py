"""What happens when the server starts and ends."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

# Imported while there is one thread only. Two threads that import numpy for the first time at once, one building the
# workbench and one drawing a page, can leave it half-made for as long as the process lives. It comes with pandas.
import pandas  # noqa: F401
import streamlit as st

from workbench.ui import process
from workbench.ui.http import mcp


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Begin to build the workbench, and close it at the end.

    What is loaded is taken out of the garbage collector's sight: Streamlit collects after every run of a page, and each
    collection would walk all modules, 50 ms and more.
    """
    gc.collect()
    gc.freeze()
    process.prepare()
    try:
        async with mcp.serving():
            yield {}
    finally:
        process.close()
