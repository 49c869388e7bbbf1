"""Corrections that are sure, and everything that must stay as it was written."""

import pytest

from workbench.adapters.extractive.spelling import correct, foreign

VOCABULARY = {
    "payment": 40,
    "invoice": 30,
    "liability": 20,
    "renewal": 9,
    "supplier": 50,
    "contract": 80,
    "halden": 12,
    "indemnity": 4,
}
NAMES = {"halden", "corvid", "brightwater"}

pytestmark = pytest.mark.req("TOOL-1")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("what is the paymnt term?", "what is the payment term?"),
        ("Liabilty of the supplier", "Liability of the supplier"),
        ("compare the contracs", "compare the contracts"),
        ("when is the invoce due", "when is the invoice due"),
        ("the suplier's renewl clause", "the supplier's renewal clause"),
        ("teh tems of paymetn", "teh terms of payment"),
    ],
)
def test_misspelt_words_become_words_of_the_collection(written, meant):
    assert correct(written, VOCABULARY, NAMES) == meant


@pytest.mark.parametrize(
    "written",
    [
        "What is Halden's liability?",
        "what does corvid charge for 2023 renewals in Q4?",
        'is "paymnt" a word in the contract?',
        "does Paymint owe an invoice?",
        "is snow covered by the contract?",
        "Wie hoch ist die Haftungsgrenze im Vertrag?",
        "is the liability uncapped, unlimited or indemnified?",
    ],
)
def test_names_numbers_quotes_real_words_and_other_languages_stay(written):
    assert correct(written, VOCABULARY, NAMES) == written


def test_a_language_that_the_collection_does_not_speak_is_noticed():
    assert foreign("Wie hoch ist die Haftungsgrenze im Vertrag?", VOCABULARY, NAMES)
    assert not foreign("How high is the liability in the contract?", VOCABULARY, NAMES)
    assert not foreign("Haftungsgrenze?", VOCABULARY, NAMES)
