"""Headers that bound what a page of ours may do: no script but ours and Streamlit's, nothing fetched from elsewhere."""

import base64
import hashlib
import re
from functools import cache

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workbench.ui.http import page

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def inline_script_hashes(document: str) -> list[str]:
    """Return the policy sources of the scripts that stand in ``document`` itself."""
    digests = (hashlib.sha256(script.encode()).digest() for script in _INLINE_SCRIPT.findall(document))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


NOTHING_ALLOWED = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox"}
"""The policy of what is fetched by a page of ours and is no page itself: opened alone, it may do nothing."""


@cache
def content_security_policy() -> str:
    """Return the policy of the app's pages, made from the page that is served."""
    hashes = " ".join(inline_script_hashes(page.html()))
    return "; ".join(
        (
            "default-src 'self'",
            # blob: is how Streamlit loads the script of a component.
            f"script-src 'self' blob: {hashes}".rstrip(),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "media-src 'none'",
            "frame-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        )
    )


class SafetyHeaders:
    """Middleware that adds the headers to every HTTP response; a policy that a route set itself stays."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"
                headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
                headers.setdefault("Content-Security-Policy", content_security_policy())
            await send(message)

        await self.app(scope, receive, send_with_headers)
