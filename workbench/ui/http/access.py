"""Who asks: the one place where an HTTP request becomes rights."""

from starlette.requests import Request

from workbench.domain.scope import Access
from workbench.ui import process


def current_access(request: Request) -> Access:  # noqa: ARG001 - a sign-in will read it; every route already passes it
    """Return what the user behind ``request`` may see, as it is at this moment."""
    return process.local_access()
