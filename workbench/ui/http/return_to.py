"""Back to where one was: after a sign-in the browser returns to the page that asked for it, with its whole address."""

from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workbench.ui.signing_in import CALLBACK, LOGIN

COOKIE = "pincite_return_to"
LONGEST = 2000
_ATTRIBUTES = "Path=/; HttpOnly; SameSite=Lax"


class ReturnTo:
    """Middleware around Streamlit's own sign-in, which always ends at the start page.

    The page that sends to the sign-in names itself as the referrer; its path and query are kept in a cookie until the
    provider has sent the browser back. Only addresses of this app are ever returned to.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or not path.endswith((LOGIN, CALLBACK)):
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)

        async def send_back(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if path.endswith(LOGIN):
                    target = page_of(asked.get("referer", ""), asked.get("host", ""))
                    headers.append("Set-Cookie", f"{COOKIE}={quote(target, safe='')}; Max-Age=900; {_ATTRIBUTES}")
                else:
                    target = kept(asked.get("cookie", ""))
                    headers.append("Set-Cookie", f"{COOKIE}=; Max-Age=0; {_ATTRIBUTES}")
                    if target and message["status"] == 302:
                        headers["Location"] = target
            await send(message)

        await self.app(scope, receive, send_back)


def page_of(referrer: str, host: str) -> str:
    """Return path and query of a page of ours; an empty string for any other."""
    try:
        parts = urlsplit(referrer)
    except ValueError:
        return ""
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    return target if parts.netloc == host and is_local(target) else ""


def kept(cookies: str) -> str:
    """Return the address in the cookie, an empty string where there is none that is ours."""
    try:
        held = SimpleCookie(cookies).get(COOKIE)
    except CookieError:
        return ""
    target = unquote(held.value) if held is not None else ""
    return target if is_local(target) else ""


def is_local(target: str) -> bool:
    """Tell whether an address is a path of this app: no other host, no backslash or control character that could make one."""
    begins = target.startswith("/") and not target.startswith(("//", "/\\"))
    return begins and len(target) <= LONGEST and target.isprintable() and "\\" not in target
