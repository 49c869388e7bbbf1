"""How text becomes words."""

import pytest

from workbench.adapters.keyword.words import Role, words

pytestmark = pytest.mark.req("FIND-3")


def texts(text: str) -> list[str]:
    return [word.text for word in words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Payment is DUE.", ["payment", "is", "due"]),
        ("INV-2024/0017", ["inv-2024/0017", "inv", "2024", "0017"]),
        ("7.2.1", ["7.2.1", "7", "2", "1"]),
        ("12:30", ["12:30", "12", "30"]),
        ("john@acme.com", ["john@acme.com", "john", "acme", "com"]),
        ("snake_case", ["snake_case", "snake", "case"]),
        ("Supplier's, suppliers' and supplier’s", ["supplier", "suppliers", "and", "supplier"]),
        ("one,two;three—four", ["one", "two", "three", "four"]),
        ("Fees........12", ["fees", "12"]),
        ("co\u00adoper\u200bate", ["cooperate"]),
        ("non‑binding", ["non-binding", "non", "binding"]),
        ("e\u0301tude ﬁn", ["étude", "fin"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ('"*^()\x00\ud800\u0301', []),
    ],
)
def test_words_and_their_parts(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    "printed", ["1,250,000", "1.250.000", "1'250'000", "1,250,000.00", "1.250.000,00", "1’250’000"]
)
def test_one_amount_has_one_plain_form_whatever_its_separators(printed: str) -> None:
    assert "1250000" in texts(printed)


@pytest.mark.parametrize("text", ["7.2.1", "1,25", "2024/001", "1,250,5"])
def test_what_is_no_grouped_number_has_no_plain_form(text: str) -> None:
    assert texts(text)[0] == text
    assert not {"721", "125", "2024001", "12505"} & set(texts(text))


def test_decimals_that_say_something_are_kept() -> None:
    assert "1250.75" in texts("$1,250.75")


def test_scripts_without_spaces_give_characters_and_pairs() -> None:
    assert list(words("契約書")) == [
        ("契", Role.CHARACTER),
        ("約", Role.CHARACTER),
        ("書", Role.CHARACTER),
        ("契約", Role.PAIR),
        ("約書", Role.PAIR),
    ]
    assert list(words("第7条")) == [("第", Role.WORD), ("7", Role.WORD), ("条", Role.WORD)]
