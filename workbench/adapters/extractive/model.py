"""The embedded extractive model: a model port without a language model and without a network."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from workbench.adapters.extractive.naming import Roster
from workbench.adapters.extractive.selection import Selector
from workbench.adapters.extractive.steps import Deciding
from workbench.adapters.extractive.toolcalls import Step
from workbench.adapters.extractive.transcript import read_turns
from workbench.domain.documents import Document
from workbench.domain.errors import BadModelRequest
from workbench.domain.items import AssistantMessage, FunctionCall, Item, ModelResponse, TokenUsage
from workbench.domain.scope import Scope
from workbench.services.ports import Embedder, ModelEvent, ModelRequest, ResponseFinished, ResponseStarted, TextDelta

NAME = "pincite-extractive"
_PIECE = re.compile(r"\S+\s*|\s+")


class ExtractiveModel:
    """Plans searches by rules and answers with sentences quoted from what they found. It writes nothing of its own beyond
    fixed phrases, and quotes in the language of the documents whatever the question's. Figures it has calculated by code,
    which it puts together for the tables they come from.

    ``documents`` gives the searchable documents of a scope, ``vocabulary`` the lower-case words of its collections with
    their counts. The same request always gets the same response; ids depend on the transcript alone.
    """

    def __init__(
        self,
        embedder: Embedder,
        documents: Callable[[Scope], Sequence[Document]],
        vocabulary: Callable[[Scope], Mapping[str, int]],
    ) -> None:
        self._selector = Selector(embedder)
        self._documents = documents
        self._vocabulary = vocabulary

    @property
    def name(self) -> str:
        return NAME

    @property
    def identity(self) -> str:
        return NAME

    @property
    def history(self) -> Literal["chain", "replay"]:
        return "replay"

    def cost(self, response: ModelResponse) -> float:
        """Return 0.0: nothing is bought."""
        return 0.0

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Yield the events of one response, its text word by word. Raises BadModelRequest where nobody asked anything."""
        items = (*request.history, *request.input)
        turns = read_turns(items)
        if not turns:
            raise BadModelRequest("The request holds no question.", "Ask a question.")
        response_id = _id("resp", items)
        yield ResponseStarted(response_id)
        deciding = Deciding(
            turns,
            Roster(self._documents(request.scope)),
            self._vocabulary(request.scope),
            frozenset(tool.name for tool in request.tools),
        )
        step = deciding.next(self._selector)
        if isinstance(step, str):
            yield from (TextDelta(piece) for piece in _PIECE.findall(step))
        output = _output(step, items)
        usage = TokenUsage(input_tokens=_words(request.instructions, *items), output_tokens=_words(*output))
        yield ResponseFinished(ModelResponse(id=response_id, output=output, usage=usage))


def _output(step: Step, items: Sequence[Item]) -> tuple[Item, ...]:
    if isinstance(step, str):
        return (AssistantMessage(text=step),)
    return tuple(
        FunctionCall(
            call_id=_id(f"call{number}", items),
            name=call.name,
            arguments=json.dumps(call.arguments, ensure_ascii=False),
        )
        for number, call in enumerate(step, 1)
    )


def _id(kind: str, items: Sequence[Item]) -> str:
    """An id that no other response of the same talk has, since its transcript only grows."""
    digest = hashlib.sha256("\n".join(item.model_dump_json() for item in items).encode())
    return f"{kind}_extractive_{digest.hexdigest()[:20]}"


def _words(*parts: str | Item) -> int:
    """Tokens, estimated as words: this model has no tokens of its own."""
    return sum(len((part if isinstance(part, str) else part.model_dump_json()).split()) for part in parts)
