"""Steps: what a scripted model does next. The scripted model and the fake provider are played from the same steps."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from threading import Lock
from typing import Generic, TypeVar

from workbench.domain.items import TokenUsage


@dataclass(frozen=True)
class Call:
    """A tool call to make. ``arguments`` is the JSON text as the model would write it, valid or not; an empty ``call_id``
    is numbered by whoever plays the step."""

    name: str
    arguments: str
    call_id: str = ""


@dataclass(frozen=True)
class CodeRun:
    """Code that the provider's interpreter runs by itself, what it printed, and the file that it wrote, where it did.

    The message of the step then refers to the file, as providers do.
    """

    code: str
    logs: str = ""
    file: str = ""


@dataclass(frozen=True)
class Step:
    """One response of a scripted model.

    ``reasoning`` puts a reasoning item first, and ``runs`` of code come before the text. ``finish`` other than ``complete``
    cuts the response for that reason. ``error`` is raised (by the scripted model) after ``text`` was streamed. ``usage`` is
    estimated where it is None.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    refusal: str = ""
    reasoning: str = ""
    finish: str = "complete"
    usage: TokenUsage | None = None
    error: Exception | None = None
    runs: tuple[CodeRun, ...] = ()

    def but(self, **changes: object) -> "Step":
        """Return the step with some fields changed, as in ``say("Hello.").but(finish="max_output_tokens")``."""
        return replace(self, **changes)  # type: ignore[arg-type]


def say(text: str) -> Step:
    """Answer with ``text``."""
    return Step(text=text)


def call(name: str, **arguments: object) -> Step:
    """Call one tool: ``call("search_documents", query="late fee")``."""
    return Step(calls=(Call(name, json.dumps(arguments, ensure_ascii=False)),))


def raw_call(name: str, arguments: str) -> Step:
    """Call one tool with ``arguments`` exactly as written, to try what is not JSON."""
    return Step(calls=(Call(name, arguments),))


def code_run(code: str, logs: str = "", file: str = "") -> Step:
    """Let the provider run code: ``calls(code_run("print(1)", logs="1"), say("It is 1."))`` runs it and then answers."""
    return Step(runs=(CodeRun(code, logs, file),))


def calls(*steps: Step) -> Step:
    """Join the calls (and texts and code runs) of several steps into one response: parallel tool calls."""
    return Step(
        text="".join(step.text for step in steps),
        calls=tuple(made for step in steps for made in step.calls),
        runs=tuple(run for step in steps for run in step.runs),
    )


RequestT = TypeVar("RequestT")


class Script(Generic[RequestT]):
    """A queue of steps. An entry is a step, an exception to raise, or a callable that reads the request and returns either.

    Safe to play from several threads.
    """

    def __init__(self, entries: Iterable["Entry[RequestT]"]) -> None:
        self._entries: Iterator[Entry[RequestT]] = iter(entries)
        self._lock = Lock()

    def next(self, request: RequestT) -> Step:
        """Return the next step; raise its exception, or ScriptEnded where nothing is left."""
        with self._lock:
            entry = next(self._entries, None)
        if entry is None:
            raise ScriptEnded
        made = entry if isinstance(entry, Step | Exception) else entry(request)
        if isinstance(made, Exception):
            raise made
        return made


Entry = Step | Exception | Callable[[RequestT], Step | Exception]


class ScriptEnded(Exception):
    """The script has no step left: more model calls were made than it foresees."""
