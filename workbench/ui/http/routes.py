"""Everything that the server serves beside the screens, and what wraps all of it."""

from pathlib import Path

from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from workbench.ui.http import documents, mcp, page
from workbench.ui.http.headers import SafetyHeaders
from workbench.ui.http.return_to import ReturnTo

STATIC = Path(__file__).parents[1] / "static"

ROUTES: list[BaseRoute] = [
    *page.ROUTES,
    *documents.ROUTES,
    *mcp.ROUTES,
    Mount("/assets", StaticFiles(directory=STATIC)),
]
MIDDLEWARE = [Middleware(SafetyHeaders), Middleware(ReturnTo)]
