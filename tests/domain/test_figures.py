"""Figures: two spellings of one value are the same, two values never are."""

from decimal import Decimal

import pytest

from workbench.domain.figures import Figure, figures, without_figures

pytestmark = pytest.mark.req("CITE-7")


def figure(value: str, unit: str = "") -> Figure:
    return Figure(Decimal(value), unit)


@pytest.mark.parametrize(
    "text",
    [
        "EUR 1,250,000",
        "€1.250.000",
        "EUR 1 250 000",
        "1.25 million euros",
        "€ 1.25m",
        "EUR 1,250,000.00",
        "€1'250'000",
        "1,25 Mio EUR",
    ],
)
def test_one_amount_however_it_is_written(text: str) -> None:
    assert figures(text) == {figure("1250000", "€")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("within forty-five (45) days", {figure("45", "day")}),
        ("within forty-five days", {figure("45", "day")}),
        ("thirty (30) calendar days", {figure("30", "day")}),
        ("twelve months", {figure("12", "month")}),
        ("99.9% uptime", {figure("99.9", "%")}),
        ("5 per cent", {figure("5", "%")}),
        ("1 April 2023", {figure("20230401", "date")}),
        ("April 1st, 2023", {figure("20230401", "date")}),
        ("1st day of April, 2023", {figure("20230401", "date")}),
        ("2023-04-01", {figure("20230401", "date")}),
        ("31/3/2024 or 3/31/2024", {figure("20240331", "date")}),
        ("10/9/01", set()),
        ("on 31 March of the following year", {figure("331", "calendar day")}),
        ("clause 7.2, Section 4 and page 12", set()),
        ("7.2 Payment", set()),
        ("30 days after", {figure("30", "day")}),
        ("| 30 days | 45 days |", {figure("30", "day"), figure("45", "day")}),
        ("in 2024", {figure("2024")}),
        ("one or more", set()),
    ],
)
def test_figures(text: str, expected: set[Figure]) -> None:
    assert figures(text) == expected


def test_agreement_needs_the_same_value_and_no_other_unit() -> None:
    assert figure("45", "day").agrees(figure("45"))
    assert not figure("45", "day").agrees(figure("45", "month"))
    assert not figure("45", "day").agrees(figure("54", "day"))


def test_text_without_its_figures_keeps_what_is_counted() -> None:
    text = "Halden: forty-five (45) days from 1 April 2023, EUR 1,250,000"
    assert without_figures(text).replace(",", "").split() == ["Halden:", "days", "from"]
