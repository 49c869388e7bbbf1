"""Passages: the right sentence, the exact offsets, and nothing rather than the wrong one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.domain.passages import locate

pytestmark = pytest.mark.req("CITE-7")

PAYMENT = (
    "7.1 Fees. The fees are set out in Schedule 2 and are exclusive of VAT.\n"
    "7.2 Payment. The Customer shall pay each correctly rendered invoice within forty-five (45) days of receipt. "
    "Late amounts bear interest at 4% per year above the base rate.\n"
    "7.3 Disputes. The Customer may withhold amounts disputed in good faith, and shall notify the Supplier within fifteen "
    "(15) days.\n\n"
    "8.1 Liability. The Supplier's total liability shall not exceed EUR 1,250,000 in any contract year."
)


def located(claim: str, text: str = PAYMENT) -> list[str]:
    return [text[start:end] for start, end in locate(claim, text)]


@pytest.mark.parametrize(
    ("claim", "start"),
    [
        ("Invoices are payable within 45 days of receipt", "The Customer shall pay each"),
        ("Halden gets paid 45 days after it sends the invoice", "The Customer shall pay each"),
        ("Late payments attract 4% interest", "Late amounts bear interest"),
        ("Liability is capped at €1.25 million a year", "The Supplier's total liability"),
        ("Disputed amounts may be withheld in good faith", "The Customer may withhold"),
        ("| **Halden** | interest of 4 per cent |", "Late amounts bear interest"),
        ("Die Zahlungsfrist beträgt 45 Tage", "The Customer shall pay each"),
    ],
)
def test_a_claim_in_other_words_finds_its_sentence(claim: str, start: str) -> None:
    assert [passage[: len(start)] for passage in located(claim)] == [start]


@pytest.mark.parametrize(
    "claim",
    [
        "Invoices are payable within 54 days of receipt",
        "Invoices are payable within 45 months of receipt",
        "Liability is capped at EUR 1,250 a year",
        "Late amounts bear interest at 8% per year",
        "The governing law is that of England and Wales",
        "The agreement renews for twelve months",
        "According to",
        "",
        "45",
    ],
)
def test_another_figure_or_another_subject_is_no_support(claim: str) -> None:
    assert located(claim) == []


def test_one_right_figure_does_not_excuse_a_wrong_one_beside_it() -> None:
    text = "Interest of 5% accrues after a notice of 10 days."
    assert located("Interest of 5% accrues after a notice of 10 days", text) == [text]
    assert located("After a notice of 30 days there is interest of 5%", text) == []


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The clause says “withhold amounts disputed in good faith”", "withhold amounts disputed in good faith,"),
        ('It is due "within forty-five (45) days"', "within forty-five (45) days"),
        ("Late amounts bear interest at 4% per year above the base rate.", None),
        ("LATE  AMOUNTS bear\ninterest at 4% per year above the base rate", None),
    ],
)
def test_words_of_the_source_are_found_exactly(claim: str, passage: str | None) -> None:
    assert located(claim) == [passage or "Late amounts bear interest at 4% per year above the base rate."]


@pytest.mark.parametrize(
    "text",
    [
        "The o\ufb03ce holds con\ufb01dential records of the Supplier.",
        "The office holds confi-\ndential records of the Supplier.",
        "The office holds confi\u00addential\u00a0records of  the Supplier.",
        "The office “holds” confidential records — of the Supplier.",
    ],
)
def test_ligatures_hyphens_and_typography_do_not_matter(text: str) -> None:
    claim = 'It says "office holds confidential records of the Supplier"'
    assert located(claim, text) == [text[text.index("o") :]]


def test_accents_match_in_both_normal_forms() -> None:
    assert located("“le café est fermé le lundi”", "Note: le cafe\u0301 est ferme\u0301 le lundi.") == [
        "le cafe\u0301 est ferme\u0301 le lundi."
    ]


def test_a_quote_never_ends_inside_a_number_or_a_word() -> None:
    assert located("“payment is due in 4”", "The payment is due in 45 days or so.") == []
    assert located("“rate is 1 5 of the sum”", "The rate is 15 of the sum.") == []
    assert located("“rate is 15 of the sum”", "The rate is 1.5 of the sum.") == []


def test_an_amount_weighs_more_than_the_day_beside_it() -> None:
    text = (
        "Certificates are cancelled no later than 31 March of the following year. The Offtaker may ask for proof. "
        "For every certificate missing on that day the Supplier pays EUR 9.50."
    )
    assert located("EUR 9.50 for each one missing on 31 March of the following year", text) == [
        text[text.index("For") :]
    ]


def test_two_quotes_give_two_spans() -> None:
    assert located("It says “exclusive of VAT” and “in any contract year”") == [
        "exclusive of VAT.",
        "in any contract year.",
    ]


def test_two_adjoining_sentences_where_one_does_not_carry_the_claim() -> None:
    text = "The Supplier provides support. Response times are four hours. Credits are capped at 10% of monthly charges. Fees."
    assert located("Response times are 4 hours and credits are capped at 10% of charges", text) == [
        "Response times are four hours. Credits are capped at 10% of monthly charges."
    ]


def test_never_across_a_paragraph() -> None:
    text = "Response times are four hours.\n\nCredits are capped at 10% of monthly charges."
    assert all(
        "\n\n" not in passage for passage in located("Response in 4 hours and credits capped at 10% of charges", text)
    )


def test_a_table_row() -> None:
    text = "| Service | Price |\n| Hosting | EUR 400 |\n| Support | EUR 900 |"
    assert located("Support costs 900 euros", text) == ["| Support | EUR 900 |"]


def test_japanese_without_spaces() -> None:
    text = "本契約は二年間有効とする。代金は請求書受領後45日以内に支払う。"
    assert located("代金は45日以内に支払われる。", text) == ["代金は請求書受領後45日以内に支払う。"]


@given(st.text(max_size=60), st.text(max_size=120))
def test_spans_lie_in_the_text_in_order_for_any_input(claim: str, text: str) -> None:
    spans = locate(claim, text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert list(spans) == sorted(spans)


CLAUSE = (
    "The tenant repairs the quay wall within ninety days of notice. "
    "Where the tenant does not, the port may repair it. "
    "The cost is a debt of the tenant."
)


@pytest.mark.parametrize(
    ("chunk", "marked"),
    [
        (f"4.1 Rent is paid monthly. {CLAUSE[:110]}", CLAUSE[:110]),
        (f"{CLAUSE[63:]} 4.3 Nothing else is owed.", CLAUSE[63:]),
        (CLAUSE[63:113], CLAUSE[63:113]),
        (f"4.1 Rent. {CLAUSE} 4.3 Nothing.", CLAUSE),
    ],
)
def test_a_quoted_clause_that_runs_over_several_sources_is_marked_in_each(chunk: str, marked: str) -> None:
    (span,) = locate(f"It says: “{CLAUSE}”", chunk)
    assert chunk[slice(*span)].strip() == marked.strip()


def test_a_few_letters_at_an_edge_are_no_part_of_a_quote() -> None:
    assert locate(f"It says: “{CLAUSE}”", "Nothing here matters, and least of all the tenant") == ()


def test_a_quote_that_holds_quoted_words_is_marked_as_a_whole() -> None:
    sentence = "The drawings are “works made for hire” and belong to the port."
    (span,) = locate(f"It says: “{sentence}”", f"4.1 Rent is paid monthly. {sentence} 4.3 Nothing else is owed.")
    assert span == (26, 26 + len(sentence))
