"""What happens when the server starts."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Take what is loaded by now out of the garbage collector's sight.

    Streamlit collects after every run of a page; without this each collection walks all modules, 50 ms and more.
    """
    gc.collect()
    gc.freeze()
    yield {}
