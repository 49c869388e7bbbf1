"""A model that plays a script, for tests and demos. It ships, so that every port has a fake that keeps the real rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from threading import Lock
from typing import Literal

from workbench.adapters.fakes.steps import Call, CodeRun, Entry, Script, ScriptEnded, Step, call, calls, raw_call, say
from workbench.domain.deletions import Fate, ProviderObject, What
from workbench.domain.errors import BadModelRequest, HistoryExpired
from workbench.domain.items import (
    AssistantMessage,
    FunctionCall,
    FunctionCallOutput,
    Item,
    ModelResponse,
    OpaqueItem,
    TokenUsage,
    UserMessage,
)
from workbench.services.ports import ModelEvent, ModelRequest, ResponseFinished, ResponseStarted, TextDelta

__all__ = ["Call", "ScriptedModel", "Step", "call", "calls", "raw_call", "say"]


class ScriptedModel:
    """Implements the Model port from a script of steps (see :class:`~workbench.adapters.fakes.steps.Step`).

    It keeps the rules of the real thing: in ``chain`` mode a previous response must be one that it completed, and every
    tool call before or in a request has exactly one output. ``requests`` records every request, refused ones too.
    ``piece`` is the number of characters of a text delta; ``after_piece`` is called after each, to stop or to wait there.
    ``price`` is what each response costs in US dollars.
    """

    name = "scripted"
    identity = "scripted"

    def __init__(
        self,
        script: Iterable[Entry[ModelRequest]],
        history: Literal["chain", "replay"] = "chain",
        *,
        piece: int = 7,
        price: float | None = None,
        after_piece: Callable[[str], None] | None = None,
    ) -> None:
        self.history: Literal["chain", "replay"] = history
        self.requests: list[ModelRequest] = []
        self._script = Script(script)
        self._piece = piece
        self._price = price
        self._after_piece = after_piece
        self._threads: dict[str, tuple[Item, ...]] = {}
        self._numbers = count(1)
        self._call_numbers = count(1)
        self._lock = Lock()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Play the next step. Raises HistoryExpired for an unknown previous response, BadModelRequest for broken rules."""
        with self._lock:
            self.requests.append(request)
        context = self._context(request)
        check_pairs(context)
        step = self._next(request)
        response_id = f"resp_{next(self._numbers)}"
        yield ResponseStarted(response_id)
        for start in range(0, len(step.text), self._piece):
            delta = step.text[start : start + self._piece]
            yield TextDelta(delta)
            if self._after_piece is not None:
                self._after_piece(delta)
        if step.error is not None:
            raise step.error
        response = self._response(response_id, step, context)
        if response.finish == "complete":
            self._threads[response_id] = (*context, *response.output)
        yield ResponseFinished(response)

    def cost(self, response: ModelResponse) -> float | None:
        return self._price

    def forget(self, response_id: str) -> None:
        """Lose a response, as a provider does when its retention time is over."""
        self._threads.pop(response_id, None)

    def keeps(self, provider: str) -> bool:
        """It is the provider of its own responses as well: see :class:`~workbench.services.ports.ProviderObjects`."""
        return provider == self.identity

    def delete(self, kept: ProviderObject) -> Fate:
        """Forget a response; it made nothing else, whatever its script says of code."""
        known = kept.what is What.RESPONSE and self._threads.pop(kept.id, None) is not None
        return Fate.DELETED if known else Fate.ALREADY_GONE

    def _next(self, request: ModelRequest) -> Step:
        try:
            return self._script.next(request)
        except ScriptEnded:
            raise BadModelRequest(
                f"The scripted model was called {len(self.requests)} times, more often than its script has steps.",
                "Add steps to the script or look for a loop that does not end.",
            ) from None

    def _context(self, request: ModelRequest) -> tuple[Item, ...]:
        parent = request.previous_response_id
        if self.history == "replay" or parent is None:
            return (*request.history, *request.input)
        if parent not in self._threads:
            raise HistoryExpired(
                f"The scripted model does not know the previous response {parent!r}.", "Start a new chat."
            )
        return (*self._threads[parent], *request.input)

    def _response(self, response_id: str, step: Step, context: Sequence[Item]) -> ModelResponse:
        output: list[Item] = []
        if step.reasoning:
            output.append(
                OpaqueItem(raw={"type": "reasoning", "id": f"rs_{response_id}", "encrypted_content": step.reasoning})
            )
        output += [_code_item(run, f"ci_{response_id}_{number}") for number, run in enumerate(step.runs)]
        if step.text or step.refusal:
            output.append(AssistantMessage(text=step.text, refusal=step.refusal))
        if step.finish == "complete":
            output += [self._function_call(made) for made in step.calls]
        usage = step.usage or TokenUsage(input_tokens=count_words(context), output_tokens=count_words(output))
        return ModelResponse(id=response_id, output=tuple(output), usage=usage, finish=step.finish)

    def _function_call(self, made: Call) -> FunctionCall:
        call_id = made.call_id or f"call_{next(self._call_numbers)}"
        return FunctionCall(call_id=call_id, name=made.name, arguments=made.arguments)


def _code_item(run: CodeRun, item_id: str) -> OpaqueItem:
    """Return a run as a provider puts it out where nobody asked for what the code printed: the loop only keeps it."""
    shape = {"type": "code_interpreter_call", "status": "completed", "container_id": "cntr_scripted", "outputs": None}
    return OpaqueItem(raw=shape | {"id": item_id, "code": run.code})


def check_pairs(items: Iterable[Item]) -> None:
    """Raise BadModelRequest unless every tool call has exactly one output, after it."""
    open_calls: dict[str, bool] = {}
    for item in items:
        if isinstance(item, FunctionCall):
            if item.call_id in open_calls:
                raise BadModelRequest(f"Two tool calls share the id {item.call_id!r}.")
            open_calls[item.call_id] = True
        elif isinstance(item, FunctionCallOutput):
            if not open_calls.get(item.call_id):
                raise BadModelRequest(f"The output for {item.call_id!r} answers no open tool call.")
            open_calls[item.call_id] = False
    missing = [call_id for call_id, is_open in open_calls.items() if is_open]
    if missing:
        raise BadModelRequest(f"No tool output found for function call {', '.join(missing)}.")


def count_words(items: Iterable[Item]) -> int:
    """Count words as a stand-in for tokens."""
    return sum(len(_readable(item).split()) for item in items)


def _readable(item: Item) -> str:
    match item:
        case UserMessage():
            return item.text
        case AssistantMessage():
            return f"{item.text} {item.refusal}"
        case FunctionCall():
            return f"{item.name} {item.arguments}"
        case FunctionCallOutput():
            return item.output
        case _:
            return ""
