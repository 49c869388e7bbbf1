"""Documents by name, in full and on a chip."""

from typing import Any

import pytest

from workbench.domain.citations import Citation
from workbench.ui.ask.document_names import SHORT_TITLE, full_name, short_name, short_title

pytestmark = pytest.mark.req("CITE-9")


@pytest.mark.parametrize(
    ("document", "short"),
    [
        ("halden_msa.pdf", "halden msa"),
        ("orders.xlsx.pdf", "orders"),
        ("brightmoor_cleaning_services_2024.pdf", "brightmoor cleaning … 2024"),
        ("BNY MELLON Transfer Agency and Service Agreement.pdf", "BNY MELLON … Agreement"),
        ("one-word-that-is-longer-than-any-chip-should-be.pdf", "one-word-that-is-longer-than…"),
        (".pdf", ".pdf"),
    ],
)
def test_a_short_title_keeps_the_beginning_and_the_last_word(document: str, short: str) -> None:
    assert short_title(document) == short
    assert len(short) <= SHORT_TITLE


def test_amendments_of_one_agreement_stay_apart() -> None:
    names = ("pinecrest_it_support_agreement_2023.pdf", "pinecrest_it_support_amendment_2_2025.pdf")

    assert len({short_title(name) for name in names}) == 2


def cited(make: Any, label: str) -> Citation:
    citation: Citation = make.answer.citations[0].model_copy(update={"label": label})
    return citation


def test_two_documents_of_one_name_are_told_apart_on_the_chip_too(make: Any) -> None:
    first, second = cited(make, "halden.pdf, p. 12"), cited(make, "halden.pdf (Archive), p. 12")

    assert (full_name(first), short_name(first)) == ("halden.pdf", "halden")
    assert (full_name(second), short_name(second)) == ("halden.pdf (Archive)", "halden (Archive)")


def test_a_name_with_hidden_characters_shows_them(make: Any) -> None:
    hostile = make.answer.citations[0].model_copy(update={"document": "a\u202eb.pdf", "label": "a\u202eb.pdf, p. 12"})

    assert full_name(hostile) == "a[U+202E]b.pdf"
    assert short_name(hostile) == "a[U+202E]b"
