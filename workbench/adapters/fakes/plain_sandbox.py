"""A sandbox for tests that runs known code only: without a process, and so without any protection.

It refuses what it was not told of, so that no test, and nobody by mistake, runs a model's code in this process.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal

from workbench.domain.calculations import InputHash, RunError, RunLimits, RunOutcome, SandboxResult
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import SandboxInputs, Scalar

Rows = list[dict[str, Scalar]]
Program = Callable[[Mapping[str, Rows]], SandboxResult | object]
"""What a piece of code does with its tables: a value, or a whole result."""


class PlainSandbox:
    """``programs`` say what each code does. ``given`` keeps the limits of every run, ``closed`` whether it was closed."""

    def __init__(self, programs: Mapping[str, Program] | None = None, *, broken: str = "") -> None:
        self.programs = dict(programs or {})
        self.broken = broken
        self.given: list[RunLimits] = []
        self.closed = False

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
        return _result(self.programs.get(code), tables).model_copy(update={"inputs": tuple(hashes)})

    def close(self) -> None:
        self.closed = True

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
