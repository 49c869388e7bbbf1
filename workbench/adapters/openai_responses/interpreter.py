"""The provider's code interpreter: its tool, the runs in a response, and what the provider keeps of them.

Source of the shapes: the OpenAI Responses API reference (``code_interpreter_call``, ``container_file_citation``).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workbench.domain.calculations import CodeRun, LimitHit, RunError, RunLimits, RunOutcome, SandboxResult
from workbench.domain.items import NamedRun
from workbench.services.ports import ObjectUsed

CALL = "code_interpreter_call"
OUTPUTS = "code_interpreter_call.outputs"
TOOL: dict[str, Any] = {"type": "code_interpreter", "container": {"type": "auto"}}
"""The provider takes the container of the thread while it lives, and a new one otherwise."""

_MOST_PRINTED = 200_000
_RAISED = re.compile(
    r"^(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Iteration|Warning)): ?(?P<message>.*)", re.MULTILINE
)
_LINE = re.compile(
    r"(?:^Cell In\[\d+\], line |^-+> ?|<ipython[^>]*>.*?line |File \"<[^>]*>\", line )(\d+)", re.MULTILINE
)


def runs(output: Sequence[Mapping[str, Any]], host: str, seconds: Mapping[str, float]) -> tuple[NamedRun, ...]:
    """Return the code that ran inside a response; ``seconds`` say how long, by the ids of the items."""
    return tuple(
        NamedRun(call_id=str(item.get("id") or f"run_{number}"), run=_run(item, host, seconds))
        for number, item in enumerate(output, start=1)
        if item.get("type") == CALL
    )


def objects(value: Any) -> Iterator[ObjectUsed]:
    """Yield the containers, and the files in them, that are named anywhere in an item or event."""
    if isinstance(value, Mapping):
        container, file = value.get("container_id"), value.get("file_id")
        if isinstance(container, str) and container:
            yield ObjectUsed(container, file if isinstance(file, str) else "")
        for each in value.values():
            yield from objects(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from objects(each)


def _run(item: Mapping[str, Any], host: str, seconds: Mapping[str, float]) -> CodeRun:
    outputs = [each for each in item.get("outputs") or () if isinstance(each, Mapping)]
    printed = "".join(str(each.get("logs") or "") for each in outputs if each.get("type") == "logs")
    pictures = sum(each.get("type") == "image" for each in outputs)
    if pictures:
        noun = "picture" if pictures == 1 else "pictures"
        printed += (
            f"{'' if not printed or printed.endswith(chr(10)) else chr(10)}({pictures} {noun} kept at the provider)\n"
        )
    error = _error(printed, str(item.get("status") or "completed"))
    cut = len(printed) > _MOST_PRINTED
    return CodeRun(
        code=str(item.get("code") or ""),
        engine=f"the code interpreter of {host}",
        limits=RunLimits(),
        result=SandboxResult(
            outcome=RunOutcome.ERROR if error else RunOutcome.OK,
            printed=printed[:_MOST_PRINTED],
            error=error,
            seconds=round(seconds.get(str(item.get("id")), 0.0), 4),
            limits_hit=(LimitHit.OUTPUT,) if cut else (),
        ),
        at_provider=True,
    )


def _error(printed: str, status: str) -> RunError | None:
    """Read an error off what was printed: a run that raised one counts as completed at the provider."""
    raised = list(_RAISED.finditer(printed)) if "Traceback (most recent call last)" in printed else []
    if raised:
        lines = [int(found[1]) for found in _LINE.finditer(printed)]
        last = raised[-1]
        return RunError(
            type=last["type"], message=last["message"], line=lines[-1] if lines else None, traceback=printed[-20_000:]
        )
    if status in ("completed", "in_progress", "interpreting"):
        return None
    return RunError(type=status, message="the provider ended the run before it was done")
