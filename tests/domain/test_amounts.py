"""Amounts are read to the cent in either convention, and what means two things is not guessed."""

from decimal import Decimal

import pytest

from workbench.domain.amounts import Amount, decimal_mark_of, read_amount, to_decimal


@pytest.mark.parametrize(
    ("text", "value", "unit", "scale"),
    [
        ("1.234,56", "1234.56", "", 0),
        ("1,234.56", "1234.56", "", 0),
        ("(1,250)", "-1250", "", 0),
        ("-1.250,00 €", "-1250.00", "EUR", 0),
        ("12 %", "12", "%", 0),
        ("7,5%", "7.5", "%", 0),
        ("EUR 4.3m", "4300000", "EUR", 6),
        ("$1.25bn", "1250000000", "USD", 9),
        ("US$ 3k", "3000", "USD", 3),
        ("2,5 Mio. EUR", "2500000", "EUR", 6),
        ("1 234 567,89", "1234567.89", "", 0),
        ("CHF 1'250.05", "1250.05", "CHF", 0),
        ("12.345.678", "12345678", "", 0),
        ("12,34,567", "1234567", "", 0),
        ("0.125", "0.125", "", 0),
        ("0,125", "0.125", "", 0),
        (".5", "0.5", "", 0),
        ("−17", "-17", "", 0),
        ("£(9.99)", "-9.99", "GBP", 0),
    ],
)
def test_an_amount_is_read(text: str, value: str, unit: str, scale: int) -> None:
    assert read_amount(text) == Amount(Decimal(value), unit, scale)


@pytest.mark.parametrize(
    "text", ["", "n/a", "twelve", "12 apples", "1-2", "12/2024", "1,2345,6", "1.2.3,4", "12 34", "1 0000"]
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        read_amount(text)


def test_a_number_that_means_two_things_is_not_guessed() -> None:
    with pytest.raises(ValueError, match="two ways"):
        read_amount("1.234")

    assert read_amount("1.234", ".").value == Decimal("1.234")
    assert read_amount("1.234", ",").value == Decimal(1234)
    assert read_amount("1,234", ",").value == Decimal("1.234")


def test_a_decimal_mark_that_contradicts_the_number_is_refused() -> None:
    with pytest.raises(ValueError, match="parts the decimals"):
        read_amount("1.234,56", ".")
    with pytest.raises(ValueError, match="decimal mark is"):
        read_amount("1", ";")


def test_a_column_tells_its_decimal_mark() -> None:
    assert decimal_mark_of(["1.234", "17", "2.500,75"]) == ","
    assert decimal_mark_of(["1,234", "2,500.75"]) == "."
    assert decimal_mark_of(["1,234", "17", ""]) is None
    with pytest.raises(ValueError, match="some"):
        decimal_mark_of(["1.234,56", "1,234.56"])


def test_numbers_become_exact() -> None:
    assert to_decimal(0.1) + to_decimal("0.2") == Decimal("0.3")
    assert to_decimal("12 %") == Decimal("0.12")
    assert to_decimal(7) == 7
    for no_number in (None, True):
        with pytest.raises(ValueError, match="is no number"):
            to_decimal(no_number)
