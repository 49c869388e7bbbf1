"""Who asks: the one place where an HTTP request becomes rights."""

import json
from typing import Any

from starlette.requests import Request
from streamlit.auth_util import get_cookie_with_chunks, get_origin_from_redirect_uri
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from workbench.domain.rights import Access
from workbench.ui import process, signing_in


def current_access(request: Request) -> Access:
    """Return what the user behind ``request`` may see, as it is at this moment.

    With sign-in the signed cookie of the sign-in says who it is, and nothing else does. Raises NotSignedIn.
    """
    if not signing_in.required(process.workbench().settings):
        return process.local_access()
    return signing_in.access_for(_claims(request))


def _claims(request: Request) -> dict[str, Any]:
    """Return what the cookie says, nothing where there is none, where it is not signed by us, or of another app."""
    secret = get_cookie_secret()

    def signed(name: str) -> bytes | None:
        value = request.cookies.get(name)
        return None if value is None else decode_signed_value(secret, name, value.encode("latin-1"))

    try:
        found = get_cookie_with_chunks(signed, USER_COOKIE_NAME)
        claims = json.loads(found) if found else {}
    except (ValueError, UnicodeError):
        return {}
    if not isinstance(claims, dict) or claims.get("origin") != get_origin_from_redirect_uri():
        return {}
    return claims
