"""Serves an ASGI app on this machine for the length of a ``with`` block."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import uvicorn

_BACKLOG = 64
_STOP_SECONDS = 5.0


@contextmanager
def running(app: Any, prefix: str = "/v1") -> Iterator[str]:
    """Serve ``app`` on a free port of 127.0.0.1 in a thread; yield the base URL, such as ``http://127.0.0.1:40123/v1``."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(_BACKLOG)  # from here on callers may connect; they wait until the server takes them
        config = uvicorn.Config(
            app, http="h11", ws="none", lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, name="fake responses server", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}{prefix}"
        finally:
            server.should_exit = True
            thread.join(_STOP_SECONDS)
