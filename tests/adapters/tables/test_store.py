"""The folder of tables: what a crash leaves, damage, and ids that are no names of folders."""

from pathlib import Path

import pytest

from workbench.adapters.tables.parquet import ParquetEncoder
from workbench.adapters.tables.store import ParquetTables
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.tables import Cell, Table
from workbench.services.ingestion.table_builder import TableBuilder

pytestmark = pytest.mark.req("LIB-5")

DOCUMENT = DocumentId("doc_1")


def table() -> Table:
    builder = TableBuilder(ParquetEncoder(), 1, "Log")
    builder.row(1, [Cell(1, 1, "Tern", "Tern")])
    made = builder.sheet().table
    assert made is not None
    return made


def test_what_a_crash_left_unfinished_is_swept_at_the_start(tmp_path: Path) -> None:
    store = ParquetTables(tmp_path)
    store.save(DOCUMENT, [table()])
    (tmp_path / ".half").mkdir()
    (tmp_path / ".half" / "0001-0001.parquet").write_bytes(b"PAR1")
    again = ParquetTables(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [DOCUMENT]
    assert again.count(DOCUMENT) == 1


def test_nothing_stays_of_a_save_that_fails(tmp_path: Path) -> None:
    store = ParquetTables(tmp_path)
    broken = table().model_copy(update={"parts": (None,)})
    with pytest.raises(AttributeError):
        store.save(DOCUMENT, [broken])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file", ["tables.json", "0001-0001.parquet"])
def test_a_damaged_file_is_said_and_not_read(tmp_path: Path, file: str) -> None:
    store = ParquetTables(tmp_path)
    store.save(DOCUMENT, [table()])
    (tmp_path / DOCUMENT / file).write_bytes(b"nonsense")
    with pytest.raises(PinciteError, match=file):
        list(store.rows(DOCUMENT, 1))


@pytest.mark.parametrize("hostile", ["../doc_1", "", ".", "a/b", "C:\\x"])
def test_ids_that_are_no_names_reach_no_folder(tmp_path: Path, hostile: str) -> None:
    store = ParquetTables(tmp_path / "tables")
    with pytest.raises(NotFound):
        store.delete_document(DocumentId(hostile))
