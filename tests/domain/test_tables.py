"""Addresses of cells, names of sheets, and which cells a stretch of a sheet's text shows."""

import pytest

from workbench.domain.tables import CellRange, SheetArea, cells_shown, column_letters, column_number, in_sheet

TEXT = "\n".join(
    [
        "Row\tA\tC\tD",
        "1\tItem\tPrice\tUnit",
        "5\tBolt\t7.40\tbox",
        "6 (hidden)\tNut\t\tbag",
        "9\tWasher\t0.12\tbox",
    ]
)


def shown(words: str, until: str = "") -> list[str]:
    start = TEXT.index(words)
    end = TEXT.index(until) + len(until) if until else start + len(words)
    return [str(cells) for cells in cells_shown(TEXT, start, end)]


@pytest.mark.parametrize(("number", "letters"), [(1, "A"), (26, "Z"), (27, "AA"), (16384, "XFD")])
def test_columns_have_letters(number: int, letters: str) -> None:
    assert column_letters(number) == letters
    assert column_number(letters) == number


@pytest.mark.req("CITE-8")
@pytest.mark.parametrize(
    ("words", "until", "cells"),
    [
        ("7.40", "", ["C5"]),
        ("5\tBolt", "box", ["A5:D5"]),
        ("7.40\tbox", "", ["C5:D5"]),
        ("6 (hidden)\tNut\t\tbag", "", ["A6:D6"]),
        ("Bolt", "bag", ["A5:D6"]),
        ("Nut", "0.12", ["A6:D6", "A9:C9"]),
        ("6 (hidden)", "", ["A6:D6"]),
        ("Row\tA", "", []),
    ],
)
def test_a_stretch_of_text_names_the_cells_it_shows(words: str, until: str, cells: list[str]) -> None:
    assert shown(words, until) == cells


@pytest.mark.req("CITE-8")
def test_the_rest_of_a_row_cut_in_two_names_no_cell() -> None:
    text = "Row\tA\tB\nthe end of a long cell\t12"
    assert cells_shown(text, 8, len(text)) == []


@pytest.mark.req("CITE-8")
@pytest.mark.parametrize(
    ("sheet", "label"),
    [
        ("Prices", "Prices B5:B9"),
        ("Preise_2025", "Preise_2025 B5:B9"),
        ("Цены", "Цены B5:B9"),
        ("Price list", "'Price list' B5:B9"),
        ("Q1!new", "'Q1!new' B5:B9"),
        ("Bob's", "'Bob''s' B5:B9"),
        ("2025", "'2025' B5:B9"),
        ("AB12", "'AB12' B5:B9"),
        ("R1C1", "'R1C1' B5:B9"),
        ("", "B5:B9"),
    ],
)
def test_names_of_sheets_are_written_as_in_formulas(sheet: str, label: str) -> None:
    assert in_sheet(sheet, "B5:B9") == label


def test_one_cell_is_no_range() -> None:
    assert str(CellRange(3, 2, 3, 2)) == "B3"
    assert SheetArea(sheet="Log", first_row=3, last_row=3, first_column=2, last_column=2).label == "Log B3"
