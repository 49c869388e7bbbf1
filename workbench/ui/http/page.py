"""The HTML page that carries every screen: Streamlit's own, told where its server is.

Opened at ``/viewer``, Streamlit's page would first look for its server below that path, and fail twice, at the cost of two
errors in the console and of the time they take.
"""

from functools import cache
from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

_SERVER_IS_HERE = "<script>window.__streamlit = { BACKEND_BASE_URL: location.origin }</script>"
_SCREENS = ("/", "/search", "/documents", "/document", "/viewer", "/settings")


@cache
def html() -> str:
    """Return the page of the installed Streamlit with our line before its first script."""
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    head, script, rest = page.partition("<script")
    return f"{head}{_SERVER_IS_HERE}\n    {script}{rest}"


def serve(_request: Request) -> HTMLResponse:
    return HTMLResponse(html(), headers={"Cache-Control": "no-cache"})


ROUTES = [Route(path, serve, methods=["GET"]) for path in _SCREENS]
