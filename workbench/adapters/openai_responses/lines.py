"""Connections that can be cut from another thread, one for each request under way.

A read that blocks ends only when its socket is shut down, and no HTTP client gives access to the socket before the reply's
headers have come, which a busy server may hold back for minutes. So each request has a line of its own: an HTTP client with
one connection, whose socket is noted when it is made. Lines are used again, one request after the other.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from ssl import SSLContext
from threading import Event, Lock
from typing import Any

import httpx2
import openai

from workbench.adapters.openai_responses.client import Connection, KeySource, build_client

_CONNECTED = (".connect_tcp.complete", ".connect_unix_socket.complete", ".start_tls.complete")


class Line:
    """One connection to the provider; ``client`` is the SDK's client on it."""

    def __init__(self, connection: Connection, key: KeySource) -> None:
        self._http = httpx2.Client(
            transport=connection.transport,
            verify=True if connection.transport else _tls(),
            follow_redirects=True,
            event_hooks={"request": [self._watch]},
        )
        self.client: openai.OpenAI = build_client(connection, key, self._http)
        self._socket: socket.socket | None = None
        self._lock = Lock()
        self.is_cut = False

    def cut(self) -> None:
        """End whatever is read or written on the line; the line cannot be used again."""
        with self._lock:
            self.is_cut = True
            self._shut()

    def close(self) -> None:
        self._http.close()

    def _watch(self, request: httpx2.Request) -> None:
        request.extensions["trace"] = self._note

    def _note(self, name: str, info: dict[str, Any]) -> None:
        if not name.endswith(_CONNECTED):
            return
        with self._lock:
            self._socket = info["return_value"].get_extra_info("socket")
            if self.is_cut:
                self._shut()

    def _shut(self) -> None:
        # Closing would not wake a thread that reads; shutting down does. The plain socket's method, since that of a TLS
        # socket takes the TLS layer off under the reader. An error means that the other side was faster.
        if self._socket is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class Lines:
    """The lines of one provider. Safe to use from several threads."""

    def __init__(self, connection: Connection, key: KeySource) -> None:
        self._connection = connection
        self._key = key
        self._free: list[Line] = []
        self._lock = Lock()

    @contextmanager
    def line(self, interrupt: "Interrupt") -> Iterator[Line]:
        """Lend a line that ``interrupt`` cuts."""
        with self._lock:
            line = self._free.pop() if self._free else None
        line = line or Line(self._connection, self._key)
        try:
            with interrupt.cutting(line):
                yield line
        finally:
            if line.is_cut:
                line.close()
            else:
                with self._lock:
                    self._free.append(line)

    def close(self) -> None:
        with self._lock:
            lines, self._free = self._free, []
        for line in lines:
            line.close()


class Interrupt:
    """Ends one request from another thread: cuts its line and wakes it where it sleeps between attempts."""

    def __init__(self) -> None:
        self.event = Event()
        self._lock = Lock()
        self._line: Line | None = None

    def __call__(self) -> None:
        with self._lock:
            self.event.set()
            if self._line is not None:
                self._line.cut()

    @contextmanager
    def cutting(self, line: Line) -> Iterator[None]:
        """Let the interrupt cut ``line`` within the block."""
        with self._lock:
            self._line = line
            if self.event.is_set():
                line.cut()
        try:
            yield
        finally:
            with self._lock:
                self._line = None


@cache
def _tls() -> SSLContext:
    """The certificates of the machine; reading them takes a quarter of a second, so all lines share them."""
    return httpx2.create_ssl_context()
