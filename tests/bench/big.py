"""Two big files through the reading process and every step of ingestion: a CSV of 100 MB and a PDF of 2,000 pages.

Embeddings are made by hashing, so that the seconds are those of everything else. The total of a column is read back from the
store and compared with the sum that was written. PINCITE_MAX_READ_SECONDS sets the time a file may take to be read.
"""

import tempfile
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from tests.bench.reading import LONG, text_pages, watched
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.tables.store import ParquetTables
from workbench.bootstrap import LOCAL_USER, Workbench
from workbench.domain.documents import Document, DocumentState
from workbench.domain.tables import CellRange
from workbench.services.ingestion.jobs import Upload
from workbench.services.ports import TableStore
from workbench.settings import load

MEGABYTES = 100
PATIENCE = 3600.0
_AMOUNT = 4


class BigTable(NamedTuple):
    data: bytes
    rows: int
    total: Decimal


def main() -> None:
    table = big_table(MEGABYTES)
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        settings = load(home=Path(folder))
        tables = ParquetTables(settings.home / "tables")
        workbench = bootstrap.build(settings, embedder=HashingEmbedder(), tables=tables)
        try:
            report_table(workbench, tables, table)
            report_pages(workbench)
        finally:
            workbench.close()


def big_table(megabytes: int) -> BigTable:
    """Return separated values of so many MB, whose rows and total of amounts are known."""
    lines = ["id,supplier,date,amount\n"]
    size = cents = rows = 0
    while size < megabytes * 1_000_000:
        amount = rows * 7919 % 1_000_000
        lines.append(
            f"{rows},Supplier {rows % 997},2024-{rows % 12 + 1:02d}-{rows % 28 + 1:02d},{amount // 100}.{amount % 100:02d}\n"
        )
        size += len(lines[-1])
        cents += amount
        rows += 1
    return BigTable("".join(lines).encode(), rows, Decimal(cents) / 100)


def report_table(workbench: Workbench, tables: TableStore, table: BigTable) -> None:
    what = f"CSV of {len(table.data) / 1e6:.0f} MB and {table.rows:,} rows"
    document = ingested(workbench, what, "big.csv", table.data)
    (info,) = workbench.sheets.of(workbench.library.access(LOCAL_USER), document.id)
    read_back = sum(_amounts(tables, document, info.area), Decimal(0))
    print(
        f"big: {info.rows:,} rows kept, the sum of the column as read back is {read_back}, as told {info.columns[-1].total}, "
        f"as written {table.total}: {'right' if read_back == table.total else 'WRONG'}"
    )


def report_pages(workbench: Workbench) -> None:
    document = ingested(workbench, f"PDF of {LONG} pages", "long.pdf", text_pages(LONG))
    last = workbench.library.page(workbench.library.access(LOCAL_USER), document.id, document.page_count)
    print(f"big: {document.page_count} pages; the last one holds its first line: {f'{LONG}.0 ' in last.text}")


def ingested(workbench: Workbench, what: str, name: str, data: bytes) -> Document:
    """Take a file in, print what that took, and return its document."""
    access = workbench.library.access(LOCAL_USER)
    container = workbench.library.ensure_container(access, "Big")
    access = workbench.library.access(LOCAL_USER)
    with watched() as watch:
        started = time.perf_counter()
        (outcome,) = workbench.ingestion.submit(access, container.id, [Upload(name, data)])
        if outcome.document_id is None:
            raise SystemExit(f"big: {name} was not taken: {outcome}")
        workbench.ingestion.wait([outcome.document_id], timeout=PATIENCE)
        seconds = time.perf_counter() - started
    document = workbench.library.document(access, outcome.document_id)
    if document.state is not DocumentState.READY:
        raise SystemExit(f"big: {name} is {document.state}: {document.error}")
    print(
        f"big: {what}: {document.page_count} pages, {document.chunk_count} passages in {seconds:.0f} s; "
        f"peak memory of the reading process +{watch.peak.reading:.0f} MB, of the app +{watch.peak.app:.0f} MB",
        flush=True,
    )
    return document


def _amounts(tables: TableStore, document: Document, area: CellRange) -> Iterator[Decimal]:
    column = CellRange(area.first_row + 1, _AMOUNT, area.last_row, _AMOUNT)
    for row in tables.rows(document.id, 1, column):
        yield from (Decimal(cell.text) for cell in row.cells)
