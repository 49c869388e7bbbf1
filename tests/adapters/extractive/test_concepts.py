"""Notions: how people ask and how contracts say it."""

import pytest

from workbench.adapters.extractive.concepts import asked, cued, evidence


@pytest.mark.parametrize(
    ("question", "notion", "settles", "beside"),
    [
        (
            "Which law applies?",
            "governing law",
            "It shall be construed in accordance with the laws of Norway.",
            "The Buyer shall comply with export rules.",
        ),
        (
            "Is liability capped?",
            "liability cap",
            "In no event shall Seller's liability exceed the price.",
            "The liability insurance is kept by Seller.",
        ),
        (
            "When are invoices due?",
            "payment terms",
            "Invoices are payable within 20 days of receipt.",
            "Each invoice shall show the order number.",
        ),
        (
            "Does it renew?",
            "renewal",
            "The term renews automatically for successive periods of one year.",
            "The Supplier shall renew its licences.",
        ),
        (
            "Can the Buyer assign the agreement?",
            "assignment",
            "Neither party may assign this Agreement without prior consent.",
            "Staff assigned to the site wear badges.",
        ),
        (
            "What is the uptime commitment?",
            "service levels",
            "The platform shall be available 99.5 % of each month.",
            "The platform is described in Annex 2.",
        ),
        (
            "May our auditors inspect their books?",
            "audit rights",
            "Customer may, on notice, inspect the books and records of Supplier.",
            "Records are kept in English.",
        ),
    ],
)
def test_the_wording_of_contracts_settles_what_people_ask(question, notion, settles, beside):
    concepts = asked(question)
    assert notion in [concept.name for concept in concepts]
    assert evidence(concepts, settles, "") >= 0.9
    assert evidence(concepts, beside, "") < 0.9


def test_a_narrower_notion_puts_the_wider_aside():
    names = [concept.name for concept in asked("How much notice stops the agreement from renewing?")]
    assert names == ["notice against renewal"]


def test_a_heading_names_the_notion_of_a_sentence_that_does_not():
    concepts = asked("What insurance is required?")
    assert evidence(concepts, "It shall be kept for two years.", "Insurance.") > evidence(
        concepts, "It shall be kept.", ""
    )


def test_cues():
    assert cued("When does it end?", "It ends on 5 May 2024.") == 1.0
    assert cued("When does it end?", "It ends by agreement.") == 0.0
    assert cued("How much is the fee?", "The fee is $40 a day.") == 1.0
    assert cued("Who signs?", "The director signs.") == 0.5
