"""A sandbox for tests that runs known code only: without a process, and so without any protection.

It refuses what it was not told of, so that no test, and nobody by mistake, runs a model's code in this process.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal

from workbench.domain.calculations import InputHash, RunError, RunLimits, RunOutcome, SandboxResult
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import SandboxInputs, Scalar

Rows = list[dict[str, Scalar]]
Program = Callable[[Mapping[str, Rows]], SandboxResult | object]
"""What a piece of code does with its tables: a value, or a whole result."""


def HANGS(tables: Mapping[str, Rows]) -> object:  # noqa: N802 - it stands for a program
    """A program that never ends by itself."""
    raise NotImplementedError


class PlainSandbox:
    """``programs`` say what each code does. ``given`` keeps the limits of every run, ``closed`` whether it was closed.

    ``hanging`` and ``stopped`` are set where a program that never ends began, and was stopped.
    """

    def __init__(self, programs: Mapping[str, Program] | None = None, *, broken: str = "") -> None:
        self.programs = dict(programs or {})
        self.broken = broken
        self.given: list[RunLimits] = []
        self.closed = False
        self.hanging = threading.Event()
        self.stopped = threading.Event()

    @property
    def name(self) -> str:
        self._check()
        return "known programs (for tests)"

    @property
    def reason(self) -> str:
        self._check()
        return "A test asked for it."

    @property
    def description(self) -> str:
        self._check()
        return "Python. tables[name] holds the rows of a table as dictionaries."

    def run(
        self, code: str, inputs: SandboxInputs, limits: RunLimits, stop: Callable[[], bool] = lambda: False
    ) -> SandboxResult:
        self._check()
        self.given.append(limits)
        tables: dict[str, Rows] = {}
        hashes = []
        for table in inputs.tables:
            rows = [tuple(row) for row in table.rows]
            tables[table.name] = [dict(zip(table.columns, row, strict=True)) for row in rows]
            digest = hashlib.sha256(json.dumps([table.columns, rows], default=_json).encode()).hexdigest()
            hashes.append(InputHash(name=table.name, sha256=digest))
        program = self.programs.get(code)
        result = self._until(stop) if program is HANGS else _result(program, tables)
        return result.model_copy(update={"inputs": tuple(hashes)})

    def close(self) -> None:
        self.closed = True

    def _until(self, stop: Callable[[], bool]) -> SandboxResult:
        self.hanging.set()
        while not stop():
            self.stopped.wait(0.01)
        self.stopped.set()
        error = RunError(type="Stopped", message="stopped, because the turn ended")
        return SandboxResult(outcome=RunOutcome.STOPPED, error=error, seconds=0.01)

    def _check(self) -> None:
        if self.broken:
            raise SandboxUnavailable(self.broken, "Install it anew.")


def _result(program: Program | None, tables: Mapping[str, Rows]) -> SandboxResult:
    if program is None:
        error = RunError(type="NameError", message="the code is not known here", line=1)
        return SandboxResult(outcome=RunOutcome.ERROR, error=error, seconds=0.01)
    given = program(tables)
    if isinstance(given, SandboxResult):
        return given
    return SandboxResult(outcome=RunOutcome.OK, value=None if given is None else repr(given), seconds=0.01)


def _json(value: object) -> str:
    if isinstance(value, Decimal | date):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no cell")
