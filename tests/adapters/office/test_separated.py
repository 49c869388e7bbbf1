"""Separated values: encodings, separators, quotes and decimals are detected and said; no row is lost."""

from decimal import Decimal

import pytest

from workbench.adapters.fakes.memory_tables import PlainEncoder
from workbench.adapters.office.separated import SeparatedConverter
from workbench.domain.errors import EmptyFile

pytestmark = pytest.mark.req("LIB-6")


def convert(data: bytes):
    return SeparatedConverter(PlainEncoder()).convert(data, "a.csv")


def grid(data: bytes) -> dict[str, str]:
    return {cell.address: cell.text for cell in convert(data).sheets[0].cells}


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(separator: str) -> None:
    data = f"Boat{separator}Quay{separator}Crates\nTern{separator}N2{separator}14\n".encode()
    assert grid(data)["C2"] == "14"


def test_a_mark_and_quoted_separators_are_no_part_of_the_values() -> None:
    data = '\ufeffBoat;Quay;Crates\n"Tern; old";N2;14\n'.encode()
    found = grid(data)
    assert (found["A1"], found["A2"], found["C2"]) == ("Boat", "Tern; old", "14")


@pytest.mark.parametrize(
    ("text", "encoding"), [("Имя;Сумма\nООО «Ромашка»;1 200,50\n", "cp1251"), ("name,city\ncafé – €5,Köln\n", "cp1252")]
)
def test_an_old_encoding_is_found_and_said(text: str, encoding: str) -> None:
    workbook = convert(text.encode(encoding))
    assert any(word.text in text for word in workbook.sheets[0].cells)
    assert all(cell.text in text for cell in workbook.sheets[0].cells)
    assert encoding.upper() in workbook.notes[0]


def test_utf_16_without_a_mark_is_read() -> None:
    assert grid("id,name\n1,Ada\n".encode("utf-16-le"))["B2"] == "Ada"


def test_decimal_commas_are_decided_for_the_whole_file() -> None:
    workbook = convert(b"a;b\nx;7,45\nx;2.310,80\nx;-0,5\nx;1 120,25\n")
    values = [cell.value for cell in workbook.sheets[0].cells if cell.column == 2][1:]
    assert values == [Decimal("7.45"), Decimal("2310.80"), Decimal("-0.5"), Decimal("1120.25")]
    assert "decimals with a comma" in workbook.notes[0]


def test_decimal_points_are_decided_for_the_whole_file() -> None:
    (cell,) = [cell for cell in convert(b'a,b\nx,"2,310.80"\n').sheets[0].cells if cell.address == "B2"]
    assert cell.value == Decimal("2310.80")


def test_a_number_that_reads_two_ways_stays_as_written_and_is_said() -> None:
    workbook = convert(b"a;b\nx;1,234\n")
    assert {cell.address: cell.value for cell in workbook.sheets[0].cells}["B2"] == "1,234"
    assert any("B2" in note and "not clear" in note for note in workbook.notes)


def test_leading_zeros_are_no_number() -> None:
    assert {cell.address: cell.value for cell in convert(b"a,b\n00712,5\n").sheets[0].cells}["A2"] == "00712"


def test_ragged_rows_are_kept_and_said() -> None:
    workbook = convert(b"a,b,c\n1,2\n1,2,3\n1,2,3\n")
    assert any(note.endswith("2.") and "Rows" in note for note in workbook.notes)


def test_zero_bytes_are_left_out_and_said() -> None:
    workbook = convert(b"id,name\n1,a\x00b\n")
    assert any("1 zero byte" in note for note in workbook.notes)


def test_a_field_of_any_length_is_read_to_its_end(read) -> None:
    found = read(b"a,b\n" + b"word " * 60_000 + b"end,2\n", "a.csv")
    assert any("end\t2" in page.text or page.text.endswith("end") for page in found.pages)


def test_line_ends_within_quotes_belong_to_the_value() -> None:
    assert grid(b'a,b\n1,"ha \n""ha"" \nha"\n')["B2"] == 'ha \n"ha" \nha'


def test_no_values_at_all_are_refused() -> None:
    with pytest.raises(EmptyFile):
        convert(b",,\n,,\n")


def test_a_long_table_repeats_its_header_and_names_the_rows_of_each_page(read) -> None:
    rows = "".join(f"{number},item {number}\n" for number in range(2, 202))
    first, second, *_ = read(f"id,name\n{rows}".encode(), "a.csv").pages
    assert first.area.first_row == 1
    assert second.area.first_row == first.area.last_row + 1
    assert second.text.split("\n")[0] == second.area.cells
    assert "\n1\tid\tname\n" in second.text
