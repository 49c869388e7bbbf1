"""Runs the model's code in the guest and says what came of it: printed text on standard output, one JSON object on
standard error."""

import ast
import io
import json
import sys
from typing import Any

MAIN = "main.py"
_dumps = json.dumps


class OutputLimit(BaseException):
    """The code printed more than it may."""


class Printed(io.TextIOBase):
    """Standard output as far as it may go; what cannot be encoded is written as an escape."""

    def __init__(self, target: Any, limit: int) -> None:
        self._target, self._left = target, limit

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        data = text[: self._left].encode("utf-8", "backslashreplace")
        over = len(data) > self._left or len(text) > self._left
        self._target.write(data[: self._left])
        self._target.flush()
        self._left = max(self._left - len(data), 0)
        if over:
            raise OutputLimit
        return len(text)


def main(folder: str) -> None:
    with open(f"{folder}/request.json", encoding="utf-8") as file:  # noqa: PTH123
        request = json.load(file)
    answers = open(2, "wb", buffering=0, closefd=False)  # noqa: SIM115
    sys.stdin = io.StringIO("")
    sys.stdout = sys.stderr = Printed(open(1, "wb", buffering=0, closefd=False), request["output_bytes"])  # noqa: SIM115
    try:
        answer = _run(request, folder)
    except OutputLimit:
        answer = {"outcome": "output"}
    except BaseException as error:  # noqa: BLE001 - whatever the code raises is what it has to say
        answer = _failure(error, request)
    data = f"\n{request['nonce']}{_dumps(answer)}\n".encode()
    while data:
        data = data[answers.write(data) or 0 :]


def _run(request: dict[str, Any], folder: str) -> dict[str, Any]:
    names = _names(request, folder)
    code = request["code"]
    tree = ast.parse(code, MAIN)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, MAIN, "exec"), names)  # noqa: S102 - that is what a sandbox is for
    value = None
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), MAIN, "eval"), names)  # noqa: S307
    answer: dict[str, Any] = {"outcome": "ok", "tables": [], "clipped": False}
    if value is not None:
        text = repr(value)
        limit = request["result_bytes"]
        answer["value"], answer["clipped"] = text[:limit], len(text) > limit
        _add_tables(answer, value, request)
    return answer


def _names(request: dict[str, Any], folder: str) -> dict[str, Any]:
    names: dict[str, Any] = {
        "__name__": "__main__",
        "__builtins__": __builtins__,
        "tables": {},
        "to_decimal": _to_decimal,
    }
    if request["tables"]:
        from workbench.adapters.sandbox.guest.table import Table, load  # noqa: PLC0415 - a run without tables is quicker

        names["Table"] = Table
        names["tables"] = {name: load(f"{folder}/{file}") for name, file in request["tables"].items()}
    names.update(request["values"])
    return names


def _to_decimal(value: object, decimal_mark: str | None = None) -> object:
    """Read "1.234,56", "(1,250)", "12 %" or "EUR 4.3m" into an exact decimal."""
    from workbench.domain.amounts import to_decimal  # noqa: PLC0415

    return to_decimal(value, decimal_mark)


# --- tables ----------------------------------------------------------------------------------------------------------


def _add_tables(answer: dict[str, Any], value: Any, request: dict[str, Any]) -> None:
    named = value.items() if isinstance(value, dict) else [("", value)]
    left = request["result_bytes"]
    for name, each in named:
        found = _columns_and_rows(each)
        if found is None:
            continue
        columns, rows = found
        kept: list[list[str | None]] = []
        kinds = [_kind([row[index] for row in rows]) for index in range(len(columns))]
        for row in rows[: request["result_rows"]]:
            cells = [_cell(cell) for cell in row]
            left -= sum(len(cell or "") + 4 for cell in cells)
            if left < 0:
                break
            kept.append(cells)
        answer["clipped"] |= len(kept) < len(rows)
        answer["tables"].append(
            {"name": str(name)[:200], "columns": columns, "kinds": kinds, "rows": kept, "total_rows": len(rows)}
        )


def _columns_and_rows(value: Any) -> tuple[list[str], list[list[Any]]] | None:
    """Return the columns and rows of a list of dictionaries or a data frame; None for what is no table."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        keys = getattr(value, "columns", None) or list(dict.fromkeys(key for row in value for key in row))
        return [str(key) for key in keys], [[row.get(key) for key in keys] for row in value]
    if type(value).__module__.partition(".")[0] != "pandas" or not hasattr(value, "index"):
        return None
    frame = value.to_frame() if type(value).__name__ == "Series" else value
    if not hasattr(frame, "itertuples"):
        return None
    if type(frame.index).__name__ != "RangeIndex":
        frame = frame.reset_index()
    return [str(name) for name in frame.columns], [list(row) for row in frame.itertuples(index=False, name=None)]


def _kind(cells: list[Any]) -> str:
    given = [cell for cell in cells if cell is not None]
    names = {each.__name__ for cell in given for each in type(cell).__mro__}
    if given and all(not isinstance(cell, bool) and _is_number(cell) for cell in given):
        return "number"
    if given and "date" in names and all(hasattr(cell, "isoformat") for cell in given):
        return "date"
    return "text"


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, float)) or type(cell).__name__ == "Decimal" or hasattr(cell, "dtype")


def _cell(cell: Any) -> str | None:
    if cell is None or cell != cell:  # noqa: PLR0124 - not a number, or not a time
        return None
    text = cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
    return text[:2000]


# --- failures --------------------------------------------------------------------------------------------------------


def _failure(error: BaseException, request: dict[str, Any]) -> dict[str, Any]:
    """Say what was raised, and where in the code; the frames of this file are none of the model's business."""
    kind = type(error).__name__
    lines: list[int] = []
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == MAIN:
            lines.append(step.tb_lineno)
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename == MAIN and error.lineno:
        lines = [error.lineno]
    try:
        message = str(error.code if isinstance(error, SystemExit) else error)[: request["result_bytes"]]
    except BaseException:  # noqa: BLE001 - an exception's own words may be code of the model, too
        message = ""
    return {
        "outcome": "memory" if isinstance(error, MemoryError) else "error",
        "error": {"type": kind[:200], "message": message[:4000], "line": lines[-1] if lines else None},
        "traceback": _traceback(lines, request["code"].splitlines()),
    }


def _traceback(lines: list[int], code: list[str]) -> str:
    shown = [*lines[:4], *lines[-4:]] if len(lines) > 8 else lines
    return "\n".join(f"line {line}: {code[line - 1].strip()[:200]}" for line in shown if 0 < line <= len(code))
