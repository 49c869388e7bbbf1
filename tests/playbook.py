"""A model that answers each question by a script of its own, in whatever order and however often questions are asked."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from workbench.adapters.fakes.scripted_model import Step, call, say
from workbench.domain.errors import BadModelRequest
from workbench.domain.items import (
    AssistantMessage,
    FunctionCall,
    FunctionCallOutput,
    Item,
    ModelResponse,
    TokenUsage,
    UserMessage,
)
from workbench.domain.sources import parse_blocks
from workbench.services.ports import ModelEvent, ModelRequest, ResponseFinished, ResponseStarted, TextDelta

Entry = Step | Callable[[Sequence[Item]], Step]
"""A step, or what makes one of what was said and found in the turn so far."""
Scripts = Mapping[str, Sequence[Entry]]


def search(query: str, **narrowing: object) -> Step:
    """Call ``search_documents`` with every argument that its schema demands."""
    open_ = dict.fromkeys(("document_ids", "tags", "language", "date_from", "date_to", "period"))
    return call("search_documents", **(open_ | {"query": query} | narrowing))


def of_supplier(name: str) -> dict[str, object]:
    return {"tags": [{"key": "supplier", "value": name}]}


def quote(*sayings: tuple[str, str, str]) -> Callable[[Sequence[Item]], Step]:
    """Say each text with the marker of the passage of a document that holds some words: (text, document, words)."""

    def step(items: Sequence[Item]) -> Step:
        found = [block for item in items if isinstance(item, FunctionCallOutput) for block in parse_blocks(item.output)]

        def marked(text: str, document: str, words: str) -> str:
            refs = [
                block.ref for block in found if block.title == document and words in " ".join(block.content.split())
            ]
            return f"{text} [{refs[0]}]." if refs else "Nothing was found."

        return say(" ".join(marked(*saying) for saying in sayings))

    return step


class PlaybookModel:
    """Implements the Model port. It keeps no state: the transcript tells which step of the script is the next one."""

    name = identity = "playbook"
    history: Literal["chain", "replay"] = "replay"

    def __init__(self, scripts: Scripts, price: float | None = 0.0) -> None:
        self._scripts = scripts
        self._price = price

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        items = (*request.history, *request.input)
        question, since = _asked(items)
        steps = self._scripts[question]
        place = sum(isinstance(b, FunctionCall) and not isinstance(a, FunctionCall) for a, b in pairwise(since))
        if place >= len(steps):
            raise BadModelRequest(f"The script of {question!r} has {len(steps)} steps, and one more was asked for.")
        entry = steps[place]
        step = entry if isinstance(entry, Step) else entry(since)
        response_id = f"resp_{len(items)}_{place}"
        yield ResponseStarted(response_id)
        if step.text:
            yield TextDelta(step.text)
        output: list[Item] = [AssistantMessage(text=step.text)] if step.text else []
        output += [
            FunctionCall(call_id=f"call_{len(items)}_{number}", name=made.name, arguments=made.arguments)
            for number, made in enumerate(step.calls)
        ]
        usage = step.usage or TokenUsage(input_tokens=10 + len(json.dumps([str(item) for item in items])) // 5)
        yield ResponseFinished(ModelResponse(id=response_id, output=tuple(output), usage=usage))

    def cost(self, response: ModelResponse) -> float | None:
        return self._price


def _asked(items: Sequence[Item]) -> tuple[str, Sequence[Item]]:
    """Return the last question and what came since, the question first."""
    place = max(number for number, item in enumerate(items) if isinstance(item, UserMessage))
    asked = items[place]
    assert isinstance(asked, UserMessage)
    return asked.text, items[place:]
