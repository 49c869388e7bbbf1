"""Calculations: code that a model wrote and that ran in the sandbox, with all it takes to run it again."""

from enum import StrEnum

from pydantic import Field

from workbench.domain.ids import DocumentId, Ref
from workbench.domain.tables import CellRange
from workbench.domain.values import Value


class RunOutcome(StrEnum):
    """How a run ended. All but ``OK`` and ``ERROR`` are the sandbox's doing: a limit, or a guest that died."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    CRASH = "crash"
    STOPPED = "stopped"


class RunLimits(Value):
    """What one run may take. ``output_bytes`` bounds what it prints, ``result_bytes`` and ``result_rows`` what it gives."""

    seconds: float = Field(default=10.0, gt=0)
    memory_mb: int = Field(default=512, ge=64)
    output_bytes: int = Field(default=200_000, ge=1_000)
    result_bytes: int = Field(default=200_000, ge=1_000)
    result_rows: int = Field(default=500, ge=1)


class LimitHit(StrEnum):
    """A limit that cut a run, or what it gave, short."""

    TIME = "time"
    MEMORY = "memory"
    OUTPUT = "output"
    RESULT = "result"


class RunError(Value):
    """What went wrong: ``line`` is that of the code (from 1), None where no line is to blame."""

    type: str
    message: str
    line: int | None = None
    traceback: str = ""


class ColumnKind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    TEXT = "text"


class ResultTable(Value):
    """A table that a run gave: cells as exact text, None where empty. ``total_rows`` counts those left out, too."""

    name: str = ""
    columns: tuple[str, ...]
    kinds: tuple[ColumnKind, ...]
    rows: tuple[tuple[str | None, ...], ...]
    total_rows: int


class InputHash(Value):
    """The SHA-256 of the file in which the code was given the input ``name``."""

    name: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class SandboxResult(Value):
    """What a run gave: ``value`` is the last expression as Python writes it, None where there is none."""

    outcome: RunOutcome
    value: str | None = None
    printed: str = ""
    tables: tuple[ResultTable, ...] = ()
    error: RunError | None = None
    seconds: float
    limits_hit: tuple[LimitHit, ...] = ()
    inputs: tuple[InputHash, ...] = ()

    @property
    def ok(self) -> bool:
        return self.outcome is RunOutcome.OK


class RunInput(InputHash):
    """A table that was given to the code, and the cells it came from: those in the range ``cells`` of table number ``table``
    of the document, without its header and what stands above it.

    ``title`` and ``origin`` name document and cells for people, ``page`` is the one that shows them first. ``ref`` is the
    source of the turn that stands for them, None where the turn had no room for one more.
    """

    document_id: DocumentId | None = None
    origin: str = ""
    title: str = ""
    table: int = 0
    cells: CellRange | None = None
    rows: int = 0
    columns: tuple[str, ...] = ()
    page: int = 1
    ref: Ref | None = None


class CodeRun(Value):
    """A run as it is stored, so that a reader can have it again with the same inputs.

    ``at_provider`` says that it ran in the code interpreter of the model's provider: it cannot be had again from here.
    """

    code: str
    inputs: tuple[RunInput, ...] = ()
    engine: str
    limits: RunLimits
    result: SandboxResult
    at_provider: bool = False

    def repeats(self, other: "CodeRun") -> bool:
        """Tell whether ``other`` ran the same code on the same inputs and gave the same; how long it took may differ."""
        given = [(each.name, each.sha256) for each in self.inputs]
        return (
            self.code == other.code
            and given == [(each.name, each.sha256) for each in other.inputs]
            and self.result.model_copy(update={"seconds": other.result.seconds}) == other.result
        )
