"""What the model is told of a run: how it ended, its result, what it printed, and the tables it gave, cut to a size."""

from collections.abc import Iterable, Iterator, Sequence

from workbench.domain.calculations import LimitHit, ResultTable, RunInput, RunLimits, SandboxResult
from workbench.domain.markers import neutral

VALUE_CHARACTERS, PRINTED_CHARACTERS, TABLE_ROWS, TABLES, CELL_CHARACTERS = 4_000, 6_000, 40, 5, 200
"""So much of a result goes to the model. The trace keeps all of it."""


def run_text(result: SandboxResult, limits: RunLimits, inputs: Iterable[RunInput], notes: Sequence[str] = ()) -> str:
    """Return the output of the call. What came from code or documents stands in lines that begin with "| "."""
    lines = [f"OUTCOME: {result.outcome.value}, {result.seconds:.2f} seconds"]
    lines += [f"NOTE: {note}" for note in (*_limits(result, limits), *notes)]
    if result.error is not None:
        lines += _error(result)
    if result.value is not None and not result.tables:
        lines += _block("RESULT", result.value, VALUE_CHARACTERS)
    if result.printed:
        lines += _block("PRINTED", result.printed.rstrip("\n"), PRINTED_CHARACTERS)
    for table in result.tables[:TABLES]:
        lines += _table(table)
    if len(result.tables) > TABLES:
        lines.append(f"NOTE: {len(result.tables) - TABLES} more tables are in the trace only.")
    if result.ok and result.value is None and not result.printed and not result.tables:
        lines.append("NOTE: The code gave nothing: end it with an expression, or print the result.")
    for given in inputs:
        lines += _input(given)
    return "\n".join(lines)


def _limits(result: SandboxResult, limits: RunLimits) -> Iterator[str]:
    words = {
        LimitHit.TIME: f"The run was stopped after {limits.seconds:g} seconds. Do less at once.",
        LimitHit.MEMORY: f"The run was stopped: it needed more than {limits.memory_mb} MB.",
        LimitHit.OUTPUT: f"The run was stopped: it printed more than {limits.output_bytes:,} bytes.",
        LimitHit.RESULT: f"The result was cut to {limits.result_rows:,} rows and {limits.result_bytes:,} bytes.",
    }
    return (words[hit] for hit in result.limits_hit)


def _error(result: SandboxResult) -> list[str]:
    error = result.error
    if error is None:
        return []
    line = f" in line {error.line}" if error.line is not None else ""
    return [f"ERROR: {error.type}{line}", *_quoted(_cut(error.message, 1_000))]


def _block(name: str, text: str, characters: int) -> list[str]:
    return [f"{name}:", *_quoted(_cut(text, characters))]


def _table(table: ResultTable) -> list[str]:
    name = f" {_one_line(table.name)}" if table.name else ""
    shown = table.rows[:TABLE_ROWS]
    lines = [f"TABLE{name} ({table.total_rows:,} rows, {len(table.columns)} columns):"]
    lines += _quoted("\n".join("\t".join(_cell(cell) for cell in row) for row in (table.columns, *shown)))
    if table.total_rows > len(shown):
        lines.append(f"NOTE: The first {len(shown)} of {table.total_rows:,} rows.")
    return lines


def _input(given: RunInput) -> list[str]:
    cite = f"cite it as {given.ref}" if given.ref else "it has no REF, for the turn has no room for one more source"
    columns = ", ".join(given.columns)
    origin = neutral(_one_line(f"{given.title}, {given.origin}"))
    return [
        f"INPUT {given.name}: {given.rows:,} rows from {origin}; {cite}. Columns:",
        *_quoted(_cut(columns, 1_000)),
    ]


def _cell(cell: str | None) -> str:
    return "" if cell is None else _cut(_one_line(cell), CELL_CHARACTERS)


def _quoted(text: str) -> list[str]:
    return [f"| {line}" for line in neutral(text).split("\n")]


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[:characters]}… ({len(text):,} characters)"


def _one_line(text: str) -> str:
    return " ".join(text.split())
