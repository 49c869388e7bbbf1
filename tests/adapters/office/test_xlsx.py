"""Workbooks: values as shown, formulas, hidden and merged parts, addresses on the page."""

import datetime
import io
from pathlib import Path

import openpyxl
import pytest

from workbench.adapters.fakes.memory_tables import PlainEncoder
from workbench.adapters.office.number_format import shown
from workbench.adapters.office.xlsx import XlsxConverter
from workbench.domain.errors import TooLarge
from workbench.domain.pages import boxes_for
from workbench.domain.tables import CellKind
from workbench.services.ingestion.limits import Limits

SAMPLES = Path(__file__).resolve().parents[3] / "data" / "samples"


def saved(book) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def prices() -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Prices"
    for row in (["Item", "Price"], ["Bolt", 1234.5], ["Nut", 7]):
        sheet.append(row)
    sheet["B2"].number_format = '#,##0.00 "EUR"'
    return book


@pytest.mark.req("LIB-4")
def test_the_sample_price_list_becomes_pages_that_name_their_cells(read) -> None:
    found = read((SAMPLES / "price_list_2025.xlsx").read_bytes(), "price_list_2025.xlsx")
    assert found.canonical is not None
    assert found.pages[0].area is not None
    assert "Row\tA\tB" in found.pages[0].text


@pytest.mark.req("LIB-4")
def test_a_value_is_shown_by_its_format_beside_its_row_and_has_a_box(read) -> None:
    (page,) = read(saved(prices()), "a.xlsx").pages
    assert "2\tBolt\t1,234.50 EUR" in page.text
    assert page.area is not None
    assert (page.area.sheet, page.area.cells, page.area.header_row) == ("Prices", "A1:B3", 1)
    start = page.text.index("1,234.50 EUR")
    (box,) = boxes_for(page, start, start + 12)
    assert box.x1 > box.x0


@pytest.mark.req("LIB-6")
def test_a_formula_without_a_stored_value_is_said_not_blank(read) -> None:
    book = prices()
    book.active["B4"] = "=SUM(B2:B3)"
    found = read(saved(book), "a.xlsx")
    assert "formula without a stored value: =SUM(B2:B3)" in found.pages[0].text
    assert any("Prices!B4" in note for note in found.notes)


@pytest.mark.req("LIB-6")
def test_hidden_sheets_rows_and_columns_are_marked_and_said(read) -> None:
    book = prices()
    book.active.row_dimensions[3].hidden = True
    draft = book.create_sheet("Draft")
    draft.append(["Item", "Price"])
    draft.append(["Bolt", 8])
    draft.sheet_state = "veryHidden"
    found = read(saved(book), "a.xlsx")
    assert "3 (hidden)\tNut" in found.pages[0].text
    assert "Sheet Draft (hidden)" in found.pages[1].text
    assert any("1 sheet is hidden" in note and "Draft" in note for note in found.notes)
    assert any("rows 3" in note for note in found.notes)


@pytest.mark.req("LIB-4")
def test_a_title_above_the_table_is_not_its_header() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"] = "HARBOUR LOG"
    sheet.merge_cells("A1:D1")
    for row in (["Berth", None, "Keeper", "State"], ["N1", None, "Ada", "open"], ["N2", None, "Bo", "shut"]):
        sheet.append(row)
    (found,) = XlsxConverter(PlainEncoder()).convert(saved(book), "a.xlsx").sheets
    assert found.header_row == 2
    assert [str(area) for area in found.merged] == ["A1:D1"]


@pytest.mark.req("LIB-4")
def test_a_value_merged_over_rows_stands_in_each_of_them(read) -> None:
    book = openpyxl.Workbook()
    for row in (["Region", "Town", "Fee"], ["North", "Alta", 5], [None, "Bodø", 6]):
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    assert "3\tNorth\tBodø\t6" in read(saved(book), "a.xlsx").pages[0].text


@pytest.mark.req("LIB-9")
def test_two_cells_far_apart_cost_two_cells(read) -> None:
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = 42, 7
    (page,) = read(saved(book), "a.xlsx").pages
    assert "1048576\t\t7" in page.text


@pytest.mark.req("LIB-9")
def test_more_cells_than_the_limit_are_refused_before_they_are_made(read) -> None:
    with pytest.raises(TooLarge, match="6 cells; the limit is 5"):
        read(saved(prices()), "a.xlsx", Limits(max_cells=5, libreoffice="never"))


@pytest.mark.req("LIB-4")
def test_types_of_cells() -> None:
    book = openpyxl.Workbook()
    book.active.append(["a", 1.5, datetime.date(2025, 3, 9), True, "#REF!"])
    (sheet,) = XlsxConverter(PlainEncoder()).convert(saved(book), "a.xlsx").sheets
    assert [cell.kind for cell in sheet.cells] == [
        CellKind.TEXT,
        CellKind.NUMBER,
        CellKind.DATE,
        CellKind.BOOLEAN,
        CellKind.ERROR,
    ]
    assert sheet.cells[2].text == "2025-03-09"
    assert sheet.cells[1].address == "B1"


@pytest.mark.req("LIB-4")
@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1234.5, "General", "1234.5"),
        (0.1 + 0.2, "General", "0.3"),
        (1234.5, "#,##0.00", "1,234.50"),
        (-1234.5, "#,##0.00;(#,##0.00)", "(1,234.50)"),
        (0, '0.00;-0.00;"none"', "none"),
        (0.125, "0.0%", "12.5%"),
        (7, "000", "007"),
        (1500, "[$€-407] #,##0", "€ 1,500"),
        (2.5, "0.##", "2.5"),
        (2.675, "0.00", "2.68"),
        (12345678, "0.00E+00", "1.23E+07"),
        (1200000, '0.0,,"M"', "1.2M"),
        (datetime.datetime(2025, 3, 9, 14, 5, tzinfo=datetime.UTC), "dd/mm/yyyy hh:mm", "2025-03-09 14:05"),
        (datetime.timedelta(hours=30, minutes=5), "[h]:mm", "30:05:00"),
        (True, "General", "TRUE"),
        (5, "# ?/?", "5"),
    ],
)
def test_number_formats(value: object, code: str, text: str) -> None:
    assert shown(value, code) == text
