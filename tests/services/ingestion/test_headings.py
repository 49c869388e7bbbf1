"""Headings of contracts and reports."""

import pytest

from workbench.services.ingestion.headings import heading

pytestmark = pytest.mark.req("FIND-6")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("7. Limitation of Liability", "Section 7 Limitation of Liability"),
        ("7. LIMITATION OF LIABILITY", "Section 7 Limitation of Liability"),
        ("7.2 Late Payment. The Customer shall pay interest.", "Section 7.2 Late Payment"),
        ("Section 9.18 Confidentiality. Each party keeps it.", "Section 9.18 Confidentiality"),
        ("ARTICLE VII - INDEMNIFICATION", "Article VII Indemnification"),
        ("Article 3 – Duration", "Article 3 Duration"),
        ("SCHEDULE B", "Schedule B"),
        ("Annex 2: Service levels", "Annex 2 Service levels"),
        ("GOVERNING LAW", "Governing Law"),
        ("Payment Terms", "Payment Terms"),
    ],
)
def test_headings(text: str, shown: str) -> None:
    found = heading(text)
    assert found is not None
    assert found.text == shown


@pytest.mark.parametrize(
    "text",
    [
        "7.2 The Customer shall pay each invoice within thirty days.",
        "Section 7 applies to all claims under this Agreement.",
        "10 days after receipt",
        "1. Definitions ........ 3",
        "The Supplier shall pay.",
        "and the parties",
        "Item\tPrice",
        "",
    ],
)
def test_text_is_no_heading(text: str) -> None:
    assert heading(text) is None
