"""What a tool is: a name, typed arguments, and a run in two steps."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from workbench.domain.errors import PinciteError
from workbench.domain.events import Event
from workbench.domain.ids import DocumentId
from workbench.domain.listing import ListedDocument
from workbench.domain.results import ResultType
from workbench.domain.scope import Scope
from workbench.domain.values import Value
from workbench.services.ports import ToolSpec
from workbench.services.retrieval.ledger import Ledger
from workbench.services.tools.schema import strict_schema


class ToolContext(NamedTuple):
    """What a tool may use: the user's scope, the turn's ledger, the question, and the id of the call.

    ``requested_query`` is the query the model wrote, where the loop has put the rewritten one in its place. ``share`` is how
    many passages a search may give, so that the first searches of a batch leave something to the last. ``seconds_left`` are
    those of the turn; ``halted`` tells whether it has ended, so that what runs long ends as well.
    """

    scope: Scope
    ledger: Ledger
    question: str
    call_id: str
    requested_query: str | None = None
    share: int | None = None
    seconds_left: Callable[[], float] = lambda: math.inf
    halted: Callable[[], bool] = lambda: False


class CallRejected(PinciteError):
    """The arguments are well-formed and still mean nothing that can be done; nothing was done."""


class Ending(NamedTuple):
    """A tool's wish to end the turn with this text as the result.

    ``asks`` says that the user's next message is the output of the call; otherwise it has its own. ``cards`` are shown below
    the text.
    """

    result_type: ResultType
    text: str
    asks: bool = False
    cards: tuple[ListedDocument, ...] = ()


class ToolResult(NamedTuple):
    """``output`` is what the model is told; ``events`` go into the trace.

    ``reached`` are the documents whose passages the call could have given: those a search ran over, or the one that was read.
    ``matched`` are the documents on all pages of a listing, and None where the call listed nothing.
    """

    output: str
    events: tuple[Event, ...] = ()
    ending: Ending | None = None
    reached: frozenset[DocumentId] = frozenset()
    matched: frozenset[DocumentId] | None = None


class Tool(Protocol):
    """A tool. ``fetch`` may run beside other calls of its batch and must not touch the ledger; ``settle`` runs alone, in
    the order of the batch, so that refs and events come out the same whichever fetch was faster."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def arguments(self) -> type[Value]:
        """The model of the arguments. Its JSON schema is what the language model sees."""
        ...

    def fetch(self, arguments: Any, context: ToolContext) -> Any:
        """Do the slow part. Raises a PinciteError whose message is told to the model: a CallRejected where the call has to be
        made differently."""
        ...

    def settle(self, fetched: Any, arguments: Any, context: ToolContext) -> ToolResult: ...


def spec(tool: Tool) -> ToolSpec:
    """Return the tool as it is offered to a model."""
    return ToolSpec(name=tool.name, description=tool.description, parameters=strict_schema(tool.arguments))
