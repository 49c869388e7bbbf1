"""The events of a streamed response, in the order and form of the API."""

from collections.abc import Iterator
from typing import Any

Wire = dict[str, Any]

_PIECE = 9
"""Characters of a delta: small and odd, so that markers and words are cut in the middle."""


def events(started: Wire, ended: Wire) -> Iterator[Wire]:
    """Yield the events from the start of a response to its end, without sequence numbers."""
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    for index, item in enumerate(ended["output"]):
        yield from _item_events(item, index)
    yield {"type": f"response.{ended['status']}", "response": ended}


def _item_events(item: Wire, index: int) -> Iterator[Wire]:
    place = {"item_id": item["id"], "output_index": index}
    yield {"type": "response.output_item.added", "output_index": index, "item": _empty(item)}
    if item["type"] == "message":
        for number, part in enumerate(item["content"]):
            yield from _part_events(part, {**place, "content_index": number})
    elif item["type"] == "function_call":
        for piece in _pieces(item["arguments"]):
            yield {"type": "response.function_call_arguments.delta", **place, "delta": piece}
        if item["status"] == "completed":
            done = {"arguments": item["arguments"], "name": item["name"]}
            yield {"type": "response.function_call_arguments.done", **place, **done}
    elif item["type"] == "code_interpreter_call":
        yield from _code_events(item["code"], place)
    if item["status"] == "completed":
        yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _code_events(code: str, place: Wire) -> Iterator[Wire]:
    yield {"type": "response.code_interpreter_call.in_progress", **place}
    for piece in _pieces(code):
        yield {"type": "response.code_interpreter_call_code.delta", **place, "delta": piece}
    yield {"type": "response.code_interpreter_call_code.done", **place, "code": code}
    yield {"type": "response.code_interpreter_call.interpreting", **place}
    yield {"type": "response.code_interpreter_call.completed", **place}


def _part_events(part: Wire, place: Wire) -> Iterator[Wire]:
    key, name = ("text", "output_text") if part["type"] == "output_text" else ("refusal", "refusal")
    extra: Wire = {"logprobs": []} if key == "text" else {}
    yield {"type": "response.content_part.added", **place, "part": {**part, key: ""}}
    for piece in _pieces(part[key]):
        yield {"type": f"response.{name}.delta", **place, "delta": piece, **extra}
    yield {"type": f"response.{name}.done", **place, key: part[key], **extra}
    yield {"type": "response.content_part.done", **place, "part": part}


def _empty(item: Wire) -> Wire:
    emptied = {**item, "status": "in_progress"}
    if item["type"] == "message":
        emptied["content"] = []
    elif item["type"] == "function_call":
        emptied["arguments"] = ""
    elif item["type"] == "code_interpreter_call":
        emptied |= {"code": "", "outputs": None}
    return emptied


def _pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
