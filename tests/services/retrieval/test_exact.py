import pytest

from workbench.services.retrieval.exact import exact, holds

pytestmark = pytest.mark.req("FIND-3")


@pytest.mark.parametrize(
    ("query", "quoted"),
    [
        ('where is "time is of the essence" said', ("time is of the essence",)),
        ("“gross negligence” and „grobe Fahrlässigkeit“", ("gross negligence", "grobe Fahrlässigkeit")),
        ("что значит «форс-мажор»", ("форс-мажор",)),
        ('an empty "" pair', ()),
        ('a single " mark', ()),
        ("the supplier's and the buyer's terms", ()),
    ],
)
def test_quoted_phrases_are_read_in_every_kind_of_quotation_mark(query: str, quoted: tuple[str, ...]) -> None:
    assert exact(query).quoted == quoted
    assert not any(mark in exact(query).text for mark in '"“”„«»' if quoted)


@pytest.mark.parametrize(
    ("query", "references"),
    [
        ("what does 12.3 say", ("12.3",)),
        ("clause 7.2(b) on notice", ("clause 7.2(b)",)),
        ("Was regelt § 5 Abs. 2 genau", ("§ 5 Abs. 2",)),
        ("invoice INV-2024/0017", ("INV-2024/0017",)),
        ("value at SITE-07", ("SITE-07",)),
        ("paid within 30 days of 2024", ()),
        ("late payment", ()),
    ],
)
def test_clause_numbers_and_identifiers_are_wanted_word_for_word(query: str, references: tuple[str, ...]) -> None:
    assert exact(query).references == references


@pytest.mark.parametrize(
    ("text", "literal", "held"),
    [
        ("The “Gross\nNegligence” of a party", "gross negligence", True),
        ("long\u2011term supply", "long-term", True),
        ("see clause 12.3.", "12.3", True),
        ("see clause 112.3", "12.3", False),
        ("the invoice INV-2024/00171", "INV-2024/0017", False),
        ("a.c", "abc", False),
    ],
)
def test_a_literal_stands_whole_whatever_its_case_breaks_and_dashes(text: str, literal: str, held: bool) -> None:
    assert holds(text, literal) is held
