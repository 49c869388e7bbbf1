"""The table store: a folder for each document, with an index and one Parquet file for each part of a table.

A folder is written beside its place and then put there by a rename, so that what is there is whole.
"""

import re
import shutil
import threading
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from workbench.adapters.tables.parquet import decoded
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.tables import CellRange, Table, TableInfo
from workbench.domain.values import Value
from workbench.services.ports import TableRow

_INDEX = "tables.json"
_UNFINISHED = "."
"""Folders whose names begin so are on their way in or out."""


class _Part(Value):
    file: str
    first_row: int
    last_row: int


class _Kept(Value):
    info: TableInfo
    parts: tuple[_Part, ...]


_KEPT: TypeAdapter[tuple[_Kept, ...]] = TypeAdapter(tuple[_Kept, ...])


class ParquetTables:
    """A :class:`~workbench.services.ports.TableStore` in a folder that no other process writes to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changing = threading.Lock()
        for left in folder.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(left)

    def save(self, document_id: DocumentId, tables: Sequence[Table]) -> None:
        if not tables:
            self.delete_document(document_id)
            return
        place = self._place(document_id)
        place.parent.mkdir(parents=True, exist_ok=True)
        new = self._beside()
        new.mkdir()
        try:
            kept = tuple(_written(table, new) for table in tables)
            (new / _INDEX).write_bytes(_KEPT.dump_json(kept))
            with self._changing:
                self._remove(place)
                new.rename(place)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise

    def tables(self, document_id: DocumentId) -> list[TableInfo]:
        return [each.info for each in self._kept(document_id)]

    def rows(self, document_id: DocumentId, number: int, area: CellRange | None = None) -> Iterator[TableRow]:
        kept = next((each for each in self._kept(document_id) if each.info.number == number), None)
        if kept is None:
            raise NotFound(f"The document has no table {number}.", "Look at the list of its tables.")
        return self._rows(self._place(document_id), kept.parts, area)

    def delete_document(self, document_id: DocumentId) -> None:
        with self._changing:
            self._remove(self._place(document_id))

    def count(self, document_id: DocumentId) -> int:
        return len(self._kept(document_id))

    def _rows(self, place: Path, parts: Sequence[_Part], area: CellRange | None) -> Iterator[TableRow]:
        for part in parts:
            if area is None or (part.first_row <= area.last_row and area.first_row <= part.last_row):
                try:
                    yield from decoded(place / part.file, area)
                except FileNotFoundError as error:
                    raise NotFound("The table was deleted while it was read.") from error
                except (OSError, ValueError, KeyError) as error:
                    raise _damaged(part.file) from error

    def _kept(self, document_id: DocumentId) -> tuple[_Kept, ...]:
        try:
            return _KEPT.validate_json((self._place(document_id) / _INDEX).read_bytes())
        except FileNotFoundError:
            return ()
        except ValidationError as error:
            raise _damaged(_INDEX) from error

    def _place(self, document_id: DocumentId) -> Path:
        if not re.fullmatch(r"\w[\w-]*", document_id):
            raise NotFound(f"No document has the id {document_id!r}.")
        return self._folder / document_id

    def _remove(self, place: Path) -> None:
        """Take a folder out of its place at once, then remove what is in it."""
        gone = self._beside()
        try:
            place.rename(gone)
        except FileNotFoundError:
            return
        shutil.rmtree(gone)

    def _beside(self) -> Path:
        return self._folder / f"{_UNFINISHED}{uuid.uuid4().hex}"


def _written(table: Table, folder: Path) -> _Kept:
    parts = []
    for count, part in enumerate(table.parts, start=1):
        name = f"{table.info.number:04d}-{count:04d}.parquet"
        (folder / name).write_bytes(part.data)
        parts.append(_Part(file=name, first_row=part.first_row, last_row=part.last_row))
    return _Kept(info=table.info, parts=tuple(parts))


def _damaged(file: str) -> PinciteError:
    return PinciteError(
        f"The stored table {file} cannot be read: it is damaged, or another version of Pincite wrote it.",
        "Delete the document and upload it again.",
    )
