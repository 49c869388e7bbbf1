"""The items a model reads and writes, in the terms of the Responses API.

Source of the shapes: the OpenAI Responses API reference (``message``, ``function_call``, ``function_call_output``,
``reasoning``). Only what the loop acts on is typed; everything else is kept as it came, for replay.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from workbench.domain.calculations import CodeRun
from workbench.domain.values import Value


class UserMessage(Value):
    """What the user wrote."""

    type: Literal["user_message"] = "user_message"
    text: str


class AssistantMessage(Value):
    """What the model wrote; ``refusal`` is set where it declined."""

    type: Literal["assistant_message"] = "assistant_message"
    text: str
    refusal: str = ""


class FunctionCall(Value):
    """A tool call of the model. ``arguments`` is the raw JSON text as the model wrote it, valid or not."""

    type: Literal["function_call"] = "function_call"
    call_id: str
    name: str
    arguments: str


class FunctionCallOutput(Value):
    """The one answer to a tool call."""

    type: Literal["function_call_output"] = "function_call_output"
    call_id: str
    output: str


class OpaqueItem(Value):
    """An item we keep and send back but do not read, such as reasoning."""

    type: Literal["opaque"] = "opaque"
    raw: dict[str, Any]


Item = Annotated[
    UserMessage | AssistantMessage | FunctionCall | FunctionCallOutput | OpaqueItem, Field(discriminator="type")
]


class TokenUsage(Value):
    """Tokens of one or more model calls. ``cached_tokens`` is the part of the input that the provider had cached."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
        )


class NamedRun(Value):
    """Code that ran at the provider inside a response, under the id of its item."""

    call_id: str
    run: CodeRun


class ModelResponse(Value):
    """One completed response: its id at the provider, the items it put out, what it used, and code that it ran there.

    ``finish`` is ``complete``, or the reason for which the output was cut (``max_output_tokens``, ``content_filter``);
    the tool calls of a cut response are never run.
    """

    id: str
    output: tuple[Item, ...]
    usage: TokenUsage = TokenUsage()
    finish: str = "complete"
    runs: tuple[NamedRun, ...] = ()

    @property
    def calls(self) -> tuple[FunctionCall, ...]:
        return tuple(item for item in self.output if isinstance(item, FunctionCall))

    @property
    def text(self) -> str:
        return "".join(item.text for item in self.output if isinstance(item, AssistantMessage))

    @property
    def refusal(self) -> str:
        return " ".join(i.refusal for i in self.output if isinstance(i, AssistantMessage) and i.refusal)
