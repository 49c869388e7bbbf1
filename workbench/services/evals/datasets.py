"""Suites as files: TOML, one sample a block, read into a dataset with errors that name file, block and key."""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.evals import Dataset, Sample

SUFFIX = ".toml"
_BLOCKS = ("sample", "document")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class BadSuite(PinciteError):
    """A suite's file cannot be read."""


def read_dataset(path: Path) -> Dataset:
    """Read a suite from its file. Raises BadSuite naming the file, the block and the key, NotFound where there is no file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotFound(f"The suite {path.name} cannot be read: {error.strerror or error}.") from error
    try:
        values = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSuite(f"{path.name} is not valid TOML: {error}.", "Correct the file.") from error
    values = {"name": path.stem, **values, "hash": hashlib.sha256(data).hexdigest()}
    try:
        return Dataset.model_validate(values)
    except ValidationError as error:
        raise BadSuite("\n".join(_problems(path.name, values, error)), "Correct the file.") from error


class Suites:
    """The suites of a folder, by name, and any other by the path of its file."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def names(self) -> list[str]:
        return sorted(path.stem for path in self.directory.glob(f"*{SUFFIX}"))

    def path(self, suite: str) -> Path:
        """Return the file of a suite. Raises NotFound naming those there are."""
        named = self.directory / f"{suite}{SUFFIX}"
        if suite in self.names():
            return named
        given = Path(suite)
        if given.suffix == SUFFIX and given.is_file():
            return given
        raise NotFound(f"There is no suite {suite!r}.", f"Those there are: {', '.join(self.names()) or 'none'}.")

    def read(self, suite: str) -> Dataset:
        return read_dataset(self.path(suite))


def _problems(name: str, values: Mapping[str, Any], error: ValidationError) -> list[str]:
    problems = []
    for problem in error.errors(include_url=False, include_input=False, include_context=False):
        block, key = _place(values, problem["loc"])
        where = ", ".join(part for part in (name, block, f"key {key}" if key else "") if part)
        problems.append(f"{where}: {problem['msg'].removeprefix('Value error, ')}.")
    return problems


def _place(values: Mapping[str, Any], location: Sequence[int | str]) -> tuple[str, str]:
    """Return the block that holds a value, for people, and the key inside it."""
    if len(location) < 2 or location[0] not in _BLOCKS or not isinstance(location[1], int):
        return "", ".".join(map(str, location))
    kind, number = str(location[0]), location[1]
    block = values[kind][number]
    named = block.get("id") or block.get("file") if isinstance(block, Mapping) else None
    return f"{kind} {number + 1}" + (f" ({named})" if named else ""), ".".join(map(str, location[2:]))


def append_sample(path: Path, sample: Sample) -> None:
    """Add a sample to the file of a suite, which is made if there is none.

    Raises BadSuite where the file then is no suite, such as for an id that is taken; the file stays as it was.
    """
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    joined = f"{before.rstrip()}\n\n{sample_text(sample)}" if before.strip() else sample_text(sample)
    fresh = path.with_name(f".{path.name}.new{SUFFIX}")
    fresh.write_text(joined, encoding="utf-8")
    try:
        read_dataset(fresh)
    except BadSuite as error:
        fresh.unlink()
        raise BadSuite(error.message.replace(fresh.name, path.name), error.advice) from error
    fresh.replace(path)


def sample_text(sample: Sample) -> str:
    """Return a sample as the block of a suite's file; what is left open is left out."""
    values = sample.model_dump(mode="json", exclude_defaults=True)
    nested = {key: values.pop(key) for key in ("filters", "limits", "pinned", "expect") if key in values}
    lines = ["[[sample]]", *(f"{_key(key)} = {_toml(value)}" for key, value in values.items())]
    for name, table in nested.items():
        lines += ["", f"[sample.{name}]", *(f"{_key(key)} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _toml(name)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(held)}" for key, held in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    # A JSON text is a TOML text, but for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
