"""The folder in which a run finds its code and its inputs: all of the host's files that it ever sees, and it cannot write."""

import hashlib
import json
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from workbench.domain.calculations import InputHash, RunLimits
from workbench.services.ports import SandboxInputs, SandboxTable, Scalar

GUEST = ("domain/amounts.py", *(f"adapters/sandbox/guest/{name}.py" for name in ("confine", "harness", "table")))
"""The files of this package that the guest runs."""
_PACKAGE = Path(__file__).parents[2]
PYTHON = ("-P", "-s", "-S", "-B", "-X", "utf8")
HASH_SEED = ("PYTHONHASHSEED", "0")
"""The only variable that Python reads: with it, sets have the same order in every run, so that a run can be had again."""


class RunFolder(NamedTuple):
    """``nonce`` marks the answer of this run on the guest's standard error."""

    path: Path
    nonce: str
    hashes: tuple[InputHash, ...]


@contextmanager
def run_folder(parent: Path, code: str, inputs: SandboxInputs, limits: RunLimits) -> Iterator[RunFolder]:
    """Write the request and its tables into a new folder under ``parent``, and remove it afterwards."""
    path = Path(tempfile.mkdtemp(prefix="run-", dir=parent))
    try:
        files = {table.name: f"table{number}.jsonl" for number, table in enumerate(inputs.tables)}
        hashes = tuple(
            InputHash(name=table.name, sha256=_write_table(path / files[table.name], table)) for table in inputs.tables
        )
        values = json.dumps(dict(inputs.values))
        if inputs.values:
            hashes += (InputHash(name="values", sha256=hashlib.sha256(values.encode()).hexdigest()),)
        nonce = secrets.token_hex(16)
        request = {
            "code": code,
            "nonce": nonce,
            "tables": files,
            "values": json.loads(values),
            "output_bytes": limits.output_bytes,
            "result_bytes": limits.result_bytes,
            "result_rows": limits.result_rows,
        }
        (path / "request.json").write_text(json.dumps(request), encoding="utf-8")
        # A guest of another user id must get at its inputs; the folder above stays closed to everyone else.
        path.chmod(0o755)
        yield RunFolder(path, nonce, hashes)
    finally:
        shutil.rmtree(path, ignore_errors=True)


def prepare(home: Path) -> tuple[Path, Path]:
    """Return the folder for runs and that of the guest's part of this package, both under ``home``.

    What runs of a process that died left behind is removed: it holds cells of documents.
    """
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    runs, guest = home / "runs", home / "guest"
    shutil.rmtree(runs, ignore_errors=True)
    runs.mkdir(exist_ok=True, mode=0o700)
    _write_guest(guest)
    return runs, guest


def _write_guest(target: Path) -> None:
    for name in GUEST:
        file = target / "workbench" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((_PACKAGE / name).read_bytes())
        for folder in file.relative_to(target).parents:
            if folder != Path():
                (target / folder / "__init__.py").touch()


def _write_table(path: Path, table: SandboxTable) -> str:
    """Write a table as lines of JSON; return the SHA-256 of the file."""
    digest = hashlib.sha256()
    dates: set[int] = set()
    floats = False
    body = path.with_suffix(".body")
    with body.open("wb") as file:
        for row in table.rows:
            floats = floats or any(type(cell) is float for cell in row)
            dates.update(index for index, cell in enumerate(row) if isinstance(cell, date))
            file.write(f"[{','.join(map(_json, row))}]\n".encode())
    head = json.dumps({"columns": table.columns, "dates": sorted(dates), "floats": floats}) + "\n"
    with path.open("wb") as whole, body.open("rb") as rows:
        for chunk in (head.encode(), *iter(lambda: rows.read(1 << 20), b"")):
            digest.update(chunk)
            whole.write(chunk)
    body.unlink()
    return digest.hexdigest()


def _json(cell: Scalar) -> str:
    """A decimal is written as the number it is: JSON knows no limit of digits. Its exponent tells a whole one from an int."""
    if isinstance(cell, Decimal):
        return f"{cell:f}" if "." in f"{cell:f}" else f"{cell:f}e0"
    if isinstance(cell, datetime):
        return json.dumps(cell.isoformat())
    if isinstance(cell, date):
        return json.dumps(cell.isoformat())
    return json.dumps(cell)
