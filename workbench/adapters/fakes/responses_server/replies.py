"""Builds the wire form of a response from a step of the script."""

import json
from collections.abc import Sequence
from itertools import count
from typing import Any

from workbench.adapters.fakes.responses_server.containers import ContainerFile
from workbench.adapters.fakes.responses_server.rules import ENCRYPTED_PREFIX
from workbench.adapters.fakes.responses_server.state import Exchange, Wire
from workbench.adapters.fakes.steps import Call, CodeRun, Step

_CREATED_AT = 1_790_000_000
_CACHE_BLOCK = 128
_ECHOED: Wire = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "store": True,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
    "truncation": "disabled",
}


class ReplyBuilder:
    """Numbers responses, items and calls from 1, so that runs are alike."""

    def __init__(self) -> None:
        self._responses = count(1)
        self._items = count(1)
        self._calls = count(1)

    def started(self, body: Wire) -> Wire:
        """Return a response at its start: an id, the echoed parameters, nothing put out yet."""
        number = next(self._responses)
        return {
            "id": f"resp_{number:032x}",
            "object": "response",
            "created_at": _CREATED_AT + number,
            "status": "in_progress",
            "model": body["model"],
            "output": [],
            "error": None,
            "incomplete_details": None,
            "usage": None,
            **{name: body.get(name, default) for name, default in _ECHOED.items()},
        }

    def output(
        self, step: Step, body: Wire, container_id: str | None = None, files: Sequence[ContainerFile] = ()
    ) -> list[Wire]:
        """Return the items of a step: reasoning, code runs (in the container), the message, then the calls.

        The message refers to the ``files`` that the code wrote.
        """
        items: list[Wire] = []
        include = body.get("include") or ()
        if step.reasoning:
            items.append(self._reasoning(step.reasoning, "reasoning.encrypted_content" in include))
        with_outputs = "code_interpreter_call.outputs" in include
        items += [self._code_run(run, container_id, with_outputs) for run in step.runs]
        if step.text or step.refusal:
            items.append(self._message(step, files))
        return items + [self._function_call(made) for made in step.calls]

    def _reasoning(self, text: str, encrypted: bool) -> Wire:
        item: Wire = {"id": self._id("rs"), "type": "reasoning", "summary": [], "status": "completed"}
        return item | {"encrypted_content": f"{ENCRYPTED_PREFIX}{text}" if encrypted else None}

    def _code_run(self, run: CodeRun, container_id: str | None, with_outputs: bool) -> Wire:
        outputs = [{"type": "logs", "logs": run.logs}] if run.logs else []
        return {
            "id": self._id("ci"),
            "type": "code_interpreter_call",
            "status": "completed",
            "code": run.code,
            "container_id": container_id,
            "outputs": outputs if with_outputs else None,
        }

    def _message(self, step: Step, files: Sequence[ContainerFile]) -> Wire:
        content: list[Wire] = []
        if step.text:
            annotations = [_file_citation(file, step.text) for file in files]
            content.append({"type": "output_text", "text": step.text, "annotations": annotations, "logprobs": []})
        if step.refusal:
            content.append({"type": "refusal", "refusal": step.refusal})
        return {
            "id": self._id("msg"),
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": content,
        }

    def _function_call(self, made: Call) -> Wire:
        return {
            "id": self._id("fc"),
            "type": "function_call",
            "status": "completed",
            "call_id": made.call_id or f"call_{next(self._calls)}",
            "name": made.name,
            "arguments": made.arguments,
        }

    def _id(self, prefix: str) -> str:
        return f"{prefix}_{next(self._items):032x}"


def _file_citation(file: ContainerFile, text: str) -> Wire:
    link = f"sandbox:{file.path}"
    start = max(0, text.find(link))
    return {
        "type": "container_file_citation",
        "container_id": file.container_id,
        "file_id": file.id,
        "filename": file.path.rpartition("/")[2],
        "start_index": start,
        "end_index": start + len(link),
    }


def ended(response: Wire, output: Sequence[Wire], exchange: Exchange, step: Step) -> Wire:
    """Return the response at its end, complete or cut for the step's reason."""
    cut = step.finish != "complete"
    return response | {
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": step.finish} if cut else None,
        "output": list(output),
        "usage": _usage(exchange, output, step),
    }


def _usage(exchange: Exchange, output: Sequence[Wire], step: Step) -> Wire:
    if step.usage is not None:
        used = step.usage
        numbers = (used.input_tokens, used.cached_tokens, used.output_tokens, used.reasoning_tokens)
    else:
        read = _tokens([exchange.body.get("instructions"), exchange.body.get("tools"), exchange.context])
        cached = _tokens(exchange.context[: -len(exchange.body["input"])]) // _CACHE_BLOCK * _CACHE_BLOCK
        numbers = (read, cached, _tokens(output), _tokens(step.reasoning) if step.reasoning else 0)
    read, cached, written, thought = numbers
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": read + written,
    }


def _tokens(value: Any) -> int:
    """Estimate tokens: four characters each."""
    return len(json.dumps(value, ensure_ascii=False)) // 4
