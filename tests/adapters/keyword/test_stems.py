"""Stems and folding."""

import pytest

from workbench.adapters.keyword.stems import Stemmer, fold
from workbench.domain.errors import ConfigurationError

pytestmark = pytest.mark.req("FIND-3")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("terminated", "termination"),
        ("agreements", "agreement"),
        ("résumés", "resumes"),
        ("Müller", "muller"),
        ("STRASSE", "straße"),
        ("Łódź", "lodz"),
        ("Søren", "soren"),
        ("İstanbul", "istanbul"),
        ("договоры", "договора"),
        ("ёлка", "елка"),
        ("العقود", "عقود"),
        ("συμβάσεις", "συμβασεις"),
    ],
)
def test_forms_of_one_word_share_a_stem(one: str, other: str) -> None:
    stemmer = Stemmer()

    assert stemmer.stem(one) == stemmer.stem(other)


@pytest.mark.parametrize(("one", "other"), [("party", "part"), ("7.2", "7.20"), ("2024s", "2024")])
def test_different_words_stay_apart(one: str, other: str) -> None:
    stemmer = Stemmer()

    assert stemmer.stem(one) != stemmer.stem(other)


def test_identifiers_and_data_are_not_stemmed() -> None:
    stemmer = Stemmer()

    assert stemmer.stem("ref-2024/0017ing") == "ref-2024/0017ing"
    assert stemmer.stem("x" * 100_000 + "ing") == "x" * 100_000 + "ing"


def test_another_language_has_its_own_stems() -> None:
    assert Stemmer("german").stem("Verträge") == Stemmer("german").stem("Verträgen")
    assert Stemmer("russian").stem("договоры") == Stemmer("english").stem("договоры")


def test_a_language_without_a_stemmer_is_told() -> None:
    with pytest.raises(ConfigurationError, match="klingon"):
        Stemmer("klingon")


def test_folding_keeps_letters_that_only_look_accented() -> None:
    assert fold("й") == "й"
    assert fold("が") == "が"
    assert fold("한국") == "한국"
