"""Detection of languages by the model that ships, on the kinds of text that documents hold."""

import pytest

from workbench.adapters.language.detector import MIN_LETTERS, LangidDetector

pytestmark = pytest.mark.req("ASK-10")

ENGLISH = (
    "7.1 Payment terms. The Customer shall pay each undisputed invoice within 45 days of receipt. "
    "Late payments bear interest at two percent above the base rate."
)
GERMAN = "Die Vergütung ist innerhalb von dreißig Tagen nach Zugang der Rechnung ohne Abzug zur Zahlung fällig."
RUSSIAN = "Оплата производится в течение тридцати календарных дней с даты получения счета Заказчиком."
FRENCH = "Le client paie chaque facture non contestée dans un délai de quarante-cinq jours à compter de sa réception."
NUMBERS = "\n".join(f"INV-{n} 2024-0{n} EUR {n}00,000.00 QTY {n}" for n in range(1, 9))


@pytest.fixture(scope="module")
def detector() -> LangidDetector:
    return LangidDetector()


@pytest.mark.parametrize(("text", "code"), [(ENGLISH, "en"), (GERMAN, "de"), (RUSSIAN, "ru"), (FRENCH, "fr")])
def test_a_sentence_of_a_contract_is_enough(detector: LangidDetector, text: str, code: str) -> None:
    assert detector.detect(text) == code


def test_case_makes_no_difference(detector: LangidDetector) -> None:
    assert detector.detect(GERMAN.upper()) == "de"


@pytest.mark.parametrize("text", ["", "   ", "Orbex", "12 345 678 " * 50, NUMBERS, "a" * (MIN_LETTERS - 1)])
def test_what_is_not_language_is_not_guessed(detector: LangidDetector, text: str) -> None:
    assert detector.detect(text) is None
