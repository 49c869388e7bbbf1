"""Server-sent events over ASGI, with the ways in which a connection can break."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from starlette.types import Receive, Scope, Send

from workbench.adapters.fakes.responses_server.faults import Break, Frame


class EventStream:
    """An ASGI reply that sends frames: events are numbered, bytes go out as they are.

    ``on_disconnect`` is called where the caller hangs up during a stall.
    """

    def __init__(self, frames: Iterable[Frame], on_disconnect: Callable[[], None]) -> None:
        self._frames = frames
        self._on_disconnect = on_disconnect

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for number, frame in enumerate(self._frames):
            if isinstance(frame, Break):
                if frame is Break.STALL:
                    await self._wait_for_disconnect(receive)
                return  # without the last body message: the server closes the connection in the middle of the reply
            data = frame if isinstance(frame, bytes) else _encode(frame, number)
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _wait_for_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._on_disconnect()


def _encode(event: dict[str, Any], number: int) -> bytes:
    data = json.dumps({**event, "sequence_number": number}, ensure_ascii=False)
    return f"event: {event['type']}\ndata: {data}\n\n".encode()
