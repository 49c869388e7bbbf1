"""Whatever an amount is written like, it is read as it was meant, or refused: never as another amount."""

import csv
import io
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.adapters.sandbox.guest.table import Table
from workbench.domain.amounts import decimal_mark_of, read_amount, to_decimal

MARKS = {".": (",", " ", "\u00a0", "\u202f", "'", "’", ""), ",": (".", " ", "\u00a0", "\u202f", "'", "")}
"""What may group the digits where this mark parts the decimals."""
UNITS = {"EUR": ("€", "EUR", "Euro"), "USD": ("$", "US$", "USD"), "GBP": ("£", "GBP"), "CHF": ("CHF",), "": ("",)}
SCALES = {0: ("",), 3: ("k", "thousand"), 6: ("m", "mn", "Mio.", "million"), 9: ("bn", "Mrd.", "billion")}

cents = st.integers(min_value=-(10**12), max_value=10**12)


def grouped(value: Decimal, mark: str, grouping: str) -> str:
    """Write an amount's digits, without its sign."""
    return f"{abs(value):,f}".replace(",", "\0").replace(".", mark).replace("\0", grouping)


@st.composite
def written(draw: st.DrawFn) -> tuple[str, Decimal, str, int]:
    """An amount as somebody may write it: the text, what it means, its unit and its scale."""
    value = Decimal(draw(cents)).scaleb(-2)
    mark = draw(st.sampled_from(sorted(MARKS)))
    digits = grouped(value, mark, draw(st.sampled_from(MARKS[mark])))
    unit = draw(st.sampled_from(sorted(UNITS)))
    scale = draw(st.sampled_from(sorted(SCALES)))
    word, factor = draw(st.sampled_from(UNITS[unit])), draw(st.sampled_from(SCALES[scale]))
    before = draw(st.booleans())
    parts = [word, f"{digits}{factor}"] if before else [digits, factor, word]
    text = " ".join(part for part in parts if part)
    if value < 0:
        text = draw(st.sampled_from([f"-{text}", f"−{text}", f"({text})"]))
    return text, value.scaleb(scale), unit, scale


@given(written())
def test_with_its_cents_an_amount_is_read_in_any_convention(amount: tuple[str, Decimal, str, int]) -> None:
    text, value, unit, scale = amount
    read = read_amount(text)
    assert (read.value, read.unit, read.scale) == (value, unit, scale)


@given(st.integers(min_value=1, max_value=10**12), st.sampled_from([".", ","]), st.sampled_from([".", ","]))
def test_a_whole_amount_is_read_by_its_mark_and_never_a_thousandfold(number: int, mark: str, grouping: str) -> None:
    if mark == grouping:
        return
    text = f"{number:,}".replace(",", grouping)
    assert read_amount(text, mark).value == number
    if text.count(".") == 1:
        with pytest.raises(ValueError, match="two ways"):
            read_amount(text)
    else:
        assert read_amount(text).value == number


@given(st.lists(cents, min_size=1, max_size=30), st.sampled_from(sorted(MARKS)))
def test_a_column_of_text_is_added_up_exactly(numbers: list[int], mark: str) -> None:
    values = [Decimal(number).scaleb(-2) for number in numbers]
    cells = [f"-{text}" if value < 0 else text for value in values for text in [grouped(value, mark, MARKS[mark][0])]]
    table = Table([{"amount": cell} for cell in [*cells, None, ""]])
    assert decimal_mark_of(cells) == mark
    assert table.sum("amount") == sum(values)


@given(
    st.decimals(min_value=0, max_value=1000, places=2),
    st.sampled_from(["%", " %", " per cent", " percent", " Prozent"]),
)
def test_a_percentage_is_a_share_to_calculate_with(value: Decimal, unit: str) -> None:
    assert to_decimal(f"{value}{unit}", ".") == value / 100


def column(text: str, delimiter: str) -> Table:
    rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
    return Table(rows)


def test_each_file_is_read_in_its_own_convention() -> None:
    german = column("name;amount\na;8,25\nb;4.120,60\nc;-0,5\nd;2 310,15\n", ";")
    english = column('name,amount\na,"4,120.60"\n', ",")
    assert german.sum("amount") == Decimal("6438.50")
    assert english.sum("amount") == Decimal("4120.60")


def test_a_column_that_could_be_either_is_not_added_up() -> None:
    with pytest.raises(ValueError, match="two ways"):
        column("name;amount\na;1.250\nb;2.750\n", ";").sum("amount")
    assert column("name;amount\na;1.250\nb;2.750\n", ";").sum("amount", ",") == 4000


@pytest.mark.parametrize("text", ["12,5%", "12.5 per cent", "0.125", ".125"])
def test_ways_to_write_an_eighth(text: str) -> None:
    assert to_decimal(text) == Decimal("0.125")
