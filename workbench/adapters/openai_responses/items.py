"""Items between the domain and the wire.

Source of the wire shapes: the OpenAI Responses API reference. Item ids are not kept: with a chain the provider has them,
and in a replay an item without its id needs no counterpart on the server.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from workbench.adapters.openai_responses.interpreter import CALL
from workbench.domain.items import (
    AssistantMessage,
    FunctionCall,
    FunctionCallOutput,
    Item,
    OpaqueItem,
    TokenUsage,
    UserMessage,
)

Wire = dict[str, Any]


def to_wire(items: Iterable[Item], *, reasoning: bool = True, runs: bool = True) -> list[Wire]:
    """Return input items in wire form, in order.

    Reasoning stays beside the output it led to. It is left out where the provider would refuse it: where nothing of the
    model follows it, or where it holds nothing a server without memory could read. ``reasoning=False``
    leaves all of it out, ``runs=False`` all code that the provider ran.
    """
    wire = [_item_to_wire(item, position) for position, item in enumerate(items) if not _is_empty(item)]
    kept: list[Wire] = []
    for item in reversed(wire):
        follower = kept[-1] if kept else {}
        if item["type"] == CALL and not runs:
            continue
        if item["type"] != "reasoning" or (reasoning and _is_readable(item) and _is_output(follower)):
            kept.append(item)
    return kept[::-1]


def from_wire(output: Sequence[Mapping[str, Any]]) -> tuple[Item, ...]:
    """Return the output items of a response in domain form; what the loop does not act on is kept as it came."""
    return tuple(_item_from_wire(item) for item in output)


def usage_from_wire(usage: Mapping[str, Any] | None) -> TokenUsage:
    """Read token counts; servers may leave out the details or all of it."""
    usage = usage or {}
    return TokenUsage(
        input_tokens=usage.get("input_tokens") or 0,
        output_tokens=usage.get("output_tokens") or 0,
        cached_tokens=(usage.get("input_tokens_details") or {}).get("cached_tokens") or 0,
        reasoning_tokens=(usage.get("output_tokens_details") or {}).get("reasoning_tokens") or 0,
    )


def message_text(item: Mapping[str, Any]) -> str:
    """Return the written text of a wire message."""
    return "".join(part.get("text") or "" for part in item.get("content") or () if part.get("type") == "output_text")


def _item_to_wire(item: Item, position: int) -> Wire:
    match item:
        case UserMessage():
            return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": item.text}]}
        case AssistantMessage():
            return _message_to_wire(item, position)
        case FunctionCall():
            return {"type": "function_call", "call_id": item.call_id, "name": item.name, "arguments": item.arguments}
        case FunctionCallOutput():
            return {"type": "function_call_output", "call_id": item.call_id, "output": item.output}
        case OpaqueItem() if item.raw.get("type") == CALL:
            # Of these the API demands every field, null and status included.
            return {"code": None, "outputs": None, "status": "completed", **item.raw}
        case OpaqueItem():
            # Providers send null and a status with an item but may refuse either when it comes back.
            return {key: value for key, value in item.raw.items() if value is not None and key != "status"}


def _message_to_wire(item: AssistantMessage, position: int) -> Wire:
    # Some compatible servers demand an id and a status here, and fail on a refusal part; a refusal is text the model
    # wrote, so it goes back as text. The id is derived, so that the same history is the same (cacheable) request.
    text = item.text or item.refusal
    digest = sha256(f"{position}:{text}".encode()).hexdigest()
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "type": "message",
        "id": f"msg_{digest[:32]}",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }


def _is_empty(item: Item) -> bool:
    return isinstance(item, AssistantMessage) and not (item.text or item.refusal)


def _is_readable(reasoning: Wire) -> bool:
    return bool(reasoning.get("encrypted_content") or reasoning.get("content"))


def _is_output(item: Wire) -> bool:
    return bool(item) and item.get("role") != "user" and item["type"] != "function_call_output"


def _item_from_wire(item: Mapping[str, Any]) -> Item:
    if item.get("type") == "message":
        refusals = [part.get("refusal") or "" for part in item.get("content") or () if part.get("type") == "refusal"]
        return AssistantMessage(text=message_text(item), refusal=" ".join(refusals))
    if item.get("type") == "function_call":
        return FunctionCall(
            call_id=item.get("call_id") or item.get("id") or "",
            name=item.get("name") or "",
            arguments=item.get("arguments") or "",
        )
    return OpaqueItem(raw=dict(item))
