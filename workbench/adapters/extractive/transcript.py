"""The transcript as turns: what was asked, which calls were made since, and what they brought.

The model keeps no state: everything it knows of a talk it reads here, anew at every call.
"""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from workbench.domain.ids import DocumentId
from workbench.domain.items import AssistantMessage, FunctionCall, FunctionCallOutput, Item, UserMessage
from workbench.domain.sources import SourceBlock, parse_blocks

SEARCH, REWRITE, READ_PAGE, ASK = "search_documents", "rewrite_query", "read_page", "ask_user"
FIND = "find_documents"
READ_TABLE, RUN_CODE, DRAW_CHART = "read_table", "run_code", "draw_chart"

_REPLY = re.compile(r"^\s*the user replied:\s*", re.IGNORECASE)
_MARKER = re.compile(r"\[(S\d+)\]")


class Call(NamedTuple):
    """A tool call with its arguments read, and its output; ``batch`` counts the responses of the turn that made calls."""

    name: str
    arguments: dict[str, object]
    output: str | None
    batch: int

    @property
    def document_ids(self) -> frozenset[DocumentId] | None:
        ids = self.arguments.get("document_ids")
        return None if not isinstance(ids, list) else frozenset(DocumentId(str(one)) for one in ids)


class TurnSoFar(NamedTuple):
    """One turn: the question (or the reply to ours), the calls made since, and the answer where one was given."""

    question: str
    replying: bool = False
    calls: tuple[Call, ...] = ()
    answer: str = ""

    @property
    def batches(self) -> int:
        """How many responses of this turn looked into documents."""
        return len({call.batch for call in self.calls if call.name in (SEARCH, READ_PAGE)})

    @property
    def blocks(self) -> list[SourceBlock]:
        """The sources given in this turn, in order."""
        return [
            block
            for call in self.calls
            if call.output is not None and call.name in (SEARCH, READ_PAGE)
            for block in parse_blocks(call.output)
        ]

    @property
    def cited(self) -> frozenset[DocumentId]:
        """The documents that the answer cites."""
        refs = set(_MARKER.findall(self.answer))
        return frozenset(block.document for block in self.blocks if block.ref in refs)


def read_turns(items: Iterable[Item]) -> list[TurnSoFar]:
    """Return the turns of a transcript, the current one last. A transcript without a user's word has none."""
    items = list(items)
    outputs = {item.call_id: item.output for item in items if isinstance(item, FunctionCallOutput)}
    asked = {item.call_id for item in items if isinstance(item, FunctionCall) and item.name == ASK}
    turns: list[TurnSoFar] = []
    batch, open_batch = 0, False
    for item in items:
        turn = turns[-1] if turns else None
        if isinstance(item, FunctionCall) and turn is not None:
            batch, open_batch = (batch, True) if open_batch else (batch + 1, True)
            call = Call(item.name, _arguments(item.arguments), outputs.get(item.call_id), batch)
            turns[-1] = turn._replace(calls=(*turn.calls, call))
            continue
        open_batch = open_batch and not isinstance(item, FunctionCallOutput | UserMessage)
        if isinstance(item, UserMessage):
            if turn is not None and turn.replying and not turn.calls and not turn.answer:
                turns.pop()  # an owed output of a stopped turn, not a reply
            turns.append(TurnSoFar(item.text))
        elif isinstance(item, FunctionCallOutput) and item.call_id in asked:
            turns.append(TurnSoFar(_REPLY.sub("", item.output), replying=True))
        elif isinstance(item, AssistantMessage) and turn is not None:
            turns[-1] = turn._replace(answer=turn.answer + item.text)
    return turns


def _arguments(text: str) -> dict[str, object]:
    try:
        arguments = json.loads(text)
    except ValueError:
        return {}
    return arguments if isinstance(arguments, dict) else {}
