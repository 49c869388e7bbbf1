"""Streamable HTTP inside the running app: the door with its tokens, and the endpoint behind it.

The endpoint is off unless a setting turns it on. A request passes with a token that is known, not revoked and not expired;
whose it is, is looked up anew for each request. Requests of web pages of elsewhere are refused by their Host and Origin, so
that a page which has its name point at this machine (DNS rebinding) reaches nothing.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from workbench.domain.clients import Client, ClientToken
from workbench.domain.errors import NotSignedIn, PinciteError

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from workbench.bootstrap import Workbench
    from workbench.settings import Settings

PATH = "/mcp"
ADDRESS = "mcp.address"
"""The file of the data directory that names the endpoint while the app serves it."""
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
OFF = "MCP over HTTP is off. Set PINCITE_MCP=on and start the app again."
_NEVER = {"Cache-Control": "private, no-store"}


class Endpoint:
    """The ASGI application at :data:`PATH`. ``serving`` is to surround the life of the server."""

    def __init__(self, workbench: Callable[[], "Workbench"]) -> None:
        self._workbench = workbench
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def serving(self, settings: "Settings", address: str) -> AsyncIterator[None]:
        """Serve where ``settings`` want it; ``address`` is where the app is reached from this machine."""
        if not settings.mcp:
            yield
            return
        file = settings.home / ADDRESS
        async with self._open(settings).run():
            try:
                await anyio.to_thread.run_sync(_write, file, f"{address}{PATH}")
                yield
            finally:
                self._manager = None
                file.unlink(missing_ok=True)

    def _open(self, settings: "Settings") -> "StreamableHTTPSessionManager":
        # Imported late: it takes seconds, and who does not use it should not wait for it.
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415
        from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415

        from workbench.mcp_server.server import make_server  # noqa: PLC0415

        hosts, origins = _welcome(settings)
        self._manager = StreamableHTTPSessionManager(
            make_server(self._workbench, _client_of),
            security_settings=TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins),
        )
        return self._manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._manager is None:
            await _refusal(404, OFF)(scope, receive, send)
            return
        try:
            token = await anyio.to_thread.run_sync(self._token, Headers(scope=scope).get("authorization", ""))
        except NotSignedIn as error:
            await _refusal(401, str(error), {"WWW-Authenticate": 'Bearer realm="Pincite"'})(scope, receive, send)
            return
        except PinciteError as error:
            await _refusal(503, str(error))(scope, receive, send)
            return
        await self._manager.handle_request({**scope, "user": _user(token)}, receive, send)

    def _token(self, authorization: str) -> ClientToken:
        scheme, _, secret = authorization.partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise NotSignedIn(
                "A token is needed, as the header Authorization: Bearer TOKEN.",
                "Make one with `pincite mcp token create`.",
            )
        return self._workbench().clients.authenticate(secret.strip())


def _user(token: ClientToken) -> Any:
    """Return the token as the SDK knows users: a session of its is open only to the token that began it."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser  # noqa: PLC0415 - as above
    from mcp.server.auth.provider import AccessToken  # noqa: PLC0415

    access = AccessToken(
        token=token.digest,
        client_id=token.id,
        scopes=[],
        subject=token.client.user_id,
        claims={"client": token.client.model_dump(mode="json")},
    )
    return AuthenticatedUser(access)


def _client_of(context: Any) -> Client:
    """Return the client whose token the request of this very call has shown."""
    request: Request = context.request
    return Client.model_validate_json(json.dumps(request.scope["user"].access_token.claims["client"]))


def _welcome(settings: "Settings") -> tuple[list[str], list[str]]:
    """Return the hosts and origins that requests may name: this machine, and where others reach the app."""
    hosts = [each for host in _LOOPBACK for each in (host, f"{host}:*")]
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    if settings.public_url:
        public = urlsplit(settings.public_url)
        hosts.append(public.netloc)
        origins.append(f"{public.scheme}://{public.netloc}")
    return hosts, origins


def _refusal(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": message}, status_code=status, headers={**_NEVER, **(headers or {})})


def _write(file: Path, text: str) -> None:
    file.write_text(f"{text}\n", encoding="utf-8")


def served_at(settings: "Settings") -> str:
    """Return the address of the endpoint that another process serves on this data directory; empty where none does."""
    with suppress(OSError):
        return (settings.home / ADDRESS).read_text(encoding="utf-8").strip()
    return ""
