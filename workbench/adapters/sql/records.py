"""Records: values as stored JSON, and the few statements that both databases lack a common word for."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from sqlalchemy import Connection, Table, and_, insert, update
from sqlalchemy.exc import IntegrityError

from workbench.domain.errors import PinciteError

T = TypeVar("T")

BATCH = 500
"""How many ids one statement names: the databases limit the number of parameters."""


def packed(value: BaseModel) -> bytes:
    """Return the value's JSON, compressed."""
    return zlib.compress(value.model_dump_json().encode())


def read(kind: type[T] | TypeAdapter[T], stored: str | bytes, record: str) -> T:
    """Return the value of a stored JSON text, or of one that was packed.

    Raises PinciteError naming ``record`` where it cannot be read.
    """
    adapter = kind if isinstance(kind, TypeAdapter) else _adapter(kind)  # type: ignore[arg-type]
    try:
        return adapter.validate_json(zlib.decompress(stored) if isinstance(stored, bytes) else stored)
    except (ValidationError, zlib.error) as error:
        raise PinciteError(
            f"The stored record of {record} cannot be read: it is damaged, or another version of Pincite wrote it.",
            "Restore the data directory from a copy, or delete this record and create it again.",
        ) from error


@cache  # making one takes longer than reading a record
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def put(connection: Connection, table: Table, key: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Insert the row of ``key`` or replace its values, whichever applies; another writer may insert it meanwhile."""
    change = update(table).where(and_(*(table.c[name] == value for name, value in key.items()))).values(values)
    if connection.execute(change).rowcount:
        return
    try:
        with connection.begin_nested():
            connection.execute(insert(table).values({**key, **values}))
    except IntegrityError:
        if not connection.execute(change).rowcount:
            raise


def batches(ids: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield ``ids`` in pieces that fit into one statement."""
    for start in range(0, len(ids), BATCH):
        yield ids[start : start + BATCH]
