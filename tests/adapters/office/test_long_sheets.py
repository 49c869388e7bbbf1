"""Sheets longer than their pages: all cells are kept as a table, the first rows become pages, and both are said."""

import csv
import io
from decimal import Decimal

import openpyxl
import pytest

from workbench.adapters.office import xlsx
from workbench.adapters.office.xlsx import XlsxConverter
from workbench.adapters.tables.parquet import ParquetEncoder, decoded
from workbench.domain.chunks import ChunkKind
from workbench.domain.documents import Document
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.tables import Cell, CellKind, Table
from workbench.services.ingestion.chunking import chunk
from workbench.services.ingestion.limits import Limits

pytestmark = pytest.mark.req("LIB-5")

SHORT = Limits(searchable_rows=50, libreoffice="never", ocr="never")


def cells(table: Table) -> list[Cell]:
    return [cell for part in table.parts for row in decoded(io.BytesIO(part.data)) for cell in row.cells]


def payments(rows: int) -> bytes:
    target = io.StringIO()
    writer = csv.writer(target, delimiter=";")
    writer.writerow(["Day", "Payee", "Amount"])
    for number in range(rows):
        writer.writerow([f"2024-03-{number % 28 + 1:02d}", f"Harbour {number % 7}", f"{number},{number % 100:02d}"])
    return target.getvalue().encode("cp1252")


def test_all_rows_are_kept_and_the_first_become_pages(read) -> None:
    found = read(payments(400), "payments.csv", SHORT)
    (table,) = found.tables
    kept = cells(table)
    assert (table.info.rows, table.info.cells, table.info.paged) == (401, 1203, 50)
    assert sum(cell.value for cell in kept if cell.column == 3 and cell.row > 1) == sum(
        Decimal(f"{number}.{number % 100:02d}") for number in range(400)
    )
    assert max(page.area.last_row for page in found.pages[1:]) == 50
    assert "401 rows kept as a table; the first 50 are searchable as passages" in " ".join(found.notes)


def test_a_page_before_the_rows_says_what_each_column_holds(read) -> None:
    (first, *_) = read(payments(400), "payments.csv", SHORT).pages
    assert first.area.cells == "A1:C401"
    lines = first.text.split("\n")
    assert lines[2] == "Column\tName\tHolds\tFilled\tDifferent values\tSmallest\tLargest\tSum"
    assert lines[3] == "A\tDay\tdate\t400\t28\t2024-03-01\t2024-03-28"
    assert lines[4] == "B\tPayee\ttext\t400\t7"
    assert lines[5] == "C\tAmount\tnumber\t400\t400\t0.00\t399.99\t79998.00"


def test_the_summary_is_a_passage_of_its_own_that_speaks_of_all_cells(read) -> None:
    document = Document(
        id=DocumentId("doc_1"), container_id=ContainerId("c"), name="payments.csv", uploaded_at="2025-01-01T00:00:00Z"
    )
    pages = read(payments(400), "payments.csv", SHORT).pages
    first, second, *_ = chunk(document, pages, lambda texts: [len(text.split()) for text in texts], max_tokens=60)
    assert first.kind is ChunkKind.TABLE
    assert first.area is not None
    assert first.area.cells == "A1:C401"
    assert "79998.00" in first.text
    assert second.text.startswith("Row\tA\tB\tC\n1\tDay\tPayee\tAmount\n")


def test_a_sheet_that_its_pages_show_whole_has_no_summary(read) -> None:
    found = read(payments(20), "payments.csv", SHORT)
    assert found.pages[0].text.startswith("A1:C21\n")
    assert not any("kept as a table" in note for note in found.notes)
    assert not found.tables[0].info.cut


def test_numbers_late_in_the_file_that_use_the_other_decimal_sign_are_said(read) -> None:
    data = payments(400) + b"2024-03-01;Harbour 1;7.5\n"
    found = read(data, "payments.csv", SHORT)
    assert any("1 number is written with the other decimal sign, first in C402" in note for note in found.notes)
    assert cells(found.tables[0])[-1].kind is CellKind.TEXT


def test_a_damaged_byte_is_shown_and_its_line_named(read) -> None:
    good = "".join(f"{number};Zürich {number}\n" for number in range(80)).encode()
    found = read(good + b"80;Z\xffrich\n", "towns.csv", SHORT)
    assert cells(found.tables[0])[-1].text == "Z\ufffdrich"
    assert any("shown as \ufffd" in note and "81" in note for note in found.notes)


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Stock"
    sheet.append(["Sku", "Units", "Double"])
    for number in range(2, 90):
        sheet.append([f"sku-{number}", number / 4, f"=B{number}*2"])
        sheet.cell(number, 2).number_format = "0.00"
    sheet.merge_cells("A88:A89")
    sheet.row_dimensions[7].hidden = True
    sheet.column_dimensions["C"].hidden = True
    book.create_sheet("Draft").sheet_state = "hidden"
    book["Draft"]["B3"] = 5
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_a_workbook_read_row_by_row_is_the_same_as_one_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = XlsxConverter(ParquetEncoder(), paged_rows=50).convert(workbook(), "stock.xlsx")
    monkeypatch.setattr(xlsx, "_AT_ONCE", 10)
    row_by_row = XlsxConverter(ParquetEncoder(), paged_rows=50).convert(workbook(), "stock.xlsx")
    assert [table.info for table in row_by_row.tables] == [table.info for table in at_once.tables]
    assert [cells(table) for table in row_by_row.tables] == [cells(table) for table in at_once.tables]
    assert [sheet.cells for sheet in row_by_row.sheets] == [sheet.cells for sheet in at_once.sheets]
    info = row_by_row.tables[0].info
    assert (info.hidden_rows, info.hidden_columns, [str(each) for each in info.merged]) == (
        ((7, 7),),
        (3,),
        ["A88:A89"],
    )
    assert row_by_row.tables[1].info.hidden


def test_cells_keep_formula_format_and_exact_value() -> None:
    (stock, _) = XlsxConverter(ParquetEncoder()).convert(workbook(), "stock.xlsx").tables
    at = {cell.address: cell for cell in cells(stock)}
    assert (at["B3"].value, at["B3"].text, at["B3"].number_format) == (Decimal("0.75"), "0.75", "0.00")
    assert (at["C3"].kind, at["C3"].formula, at["C3"].value) == (CellKind.FORMULA, "=B3*2", None)
    assert stock.info.columns[1].total == str(sum(Decimal(number) / 4 for number in range(2, 90)))


def test_a_value_merged_over_rows_counts_once_in_the_table(read) -> None:
    book = openpyxl.Workbook()
    for row in (["Region", "Fee"], ["North", 5], ["North", None]):
        book.active.append(row)
    book.active.merge_cells("B2:B3")
    target = io.BytesIO()
    book.save(target)
    found = read(target.getvalue(), "fees.xlsx")
    assert "3\tNorth\t5" in found.pages[0].text
    assert found.tables[0].info.columns[1].total == "5"


@pytest.mark.parametrize("last", ["Total;30\n", "Gesamtsumme:;30\n"])
def test_no_sum_is_given_where_a_row_adds_up_the_others(read, last: str) -> None:
    (table,) = read(f"Item;Fee\nMooring;10\nWater;20\n{last}".encode(), "fees.csv").tables
    assert [column.total for column in table.info.columns] == ["", ""]
    (plain,) = read(b"Item;Fee\nMooring;10\nTotal Gas Ltd;20\n", "fees.csv").tables
    assert plain.info.columns[1].total == "30"


def test_no_sum_is_given_of_a_column_with_a_formula_that_adds_up() -> None:
    book = openpyxl.Workbook()
    for row in (["Item", "Fee"], ["Mooring", 10], ["Water", 20], ["All", "=sum(B2:B3)"]):
        book.active.append(row)
    target = io.BytesIO()
    book.save(target)
    (table,) = XlsxConverter(ParquetEncoder()).convert(target.getvalue(), "fees.xlsx").tables
    assert table.info.columns[1].total == ""
