"""The body of a request to ``POST /responses``."""

import re
from collections.abc import Sequence
from typing import Any, Literal

from workbench.adapters.openai_responses.interpreter import OUTPUTS, TOOL
from workbench.adapters.openai_responses.items import to_wire
from workbench.domain.items import Item
from workbench.services.ports import ModelRequest, ToolSpec

_REASONING_NAME = re.compile(r"^(o\d|gpt-([5-9]|\d\d))")
_LEAST_OUTPUT_TOKENS = 16
"""The API refuses less. A budget with fewer tokens left is stopped before the call, so the difference is never large."""


def reasons(model: str) -> bool:
    """Tell by its name whether a model takes a reasoning effort: o-series and GPT-5 onwards, but not their chat variants."""
    return bool(_REASONING_NAME.match(model)) and "-chat" not in model


def build_body(
    request: ModelRequest,
    *,
    model: str,
    history: Literal["chain", "replay"],
    reasoning: bool,
    old_reasoning: bool = True,
    interpreter: bool = False,
    old_runs: bool = True,
) -> dict[str, Any]:
    """Return the body. ``reasoning``: the model takes an effort; ``old_reasoning``: send reasoning of earlier responses.

    ``interpreter``: the provider runs code; without ``old_runs`` what it ran before is not referred to, and so no container.

    Instructions are sent each time since a chain does not carry them over. A chain without a previous response starts from
    the transcript, never from the new items alone.
    """
    chained = history == "chain" and request.previous_response_id is not None and old_runs
    items: Sequence[Item] = request.input if chained else (*request.history, *request.input)
    body: dict[str, Any] = {
        "model": model,
        "instructions": request.instructions,
        "input": to_wire(items, reasoning=old_reasoning, runs=old_runs),
        "max_output_tokens": max(request.max_output_tokens, _LEAST_OUTPUT_TOKENS),
        "store": history == "chain",
    }
    if chained:
        body["previous_response_id"] = request.previous_response_id
    runs_code = interpreter and request.tool_calls_left > 0
    include = [OUTPUTS] if runs_code else []
    tools = [*map(_tool, request.tools), *([TOOL] if runs_code else [])]
    if runs_code:
        body["max_tool_calls"] = request.tool_calls_left
    if tools:
        body |= {
            "tools": tools,
            "tool_choice": "auto",
            "parallel_tool_calls": True,
        }
    if reasoning:
        body["reasoning"] = {"effort": request.effort}
        if history == "replay":
            # Without it, the server keeps the reasoning to itself and the next call starts to think from nothing.
            include.append("reasoning.encrypted_content")
    if include:
        body["include"] = include
    return body


def _tool(spec: ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
        "strict": True,
    }
