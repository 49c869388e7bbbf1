"""Claims: what the text before a marker says it stands for."""

import pytest

from workbench.services.citations.claims import Claims

pytestmark = pytest.mark.req("CITE-7")


def claims(text: str) -> list[str]:
    """The claims of a text in which ``*`` stands for a marker."""
    follower = Claims()
    found: list[str] = []
    *pieces, _ = text.split("*")
    for piece in pieces:
        follower.text(piece)
        found.append(" ".join(follower.marker().split()))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One thing. The fee is 9 euros *.", ["The fee is 9 euros"]),
        ("One thing. The fee is 9 euros. *", ["The fee is 9 euros."]),
        ("The fee is 9 euros. * The term is 2 years. *", ["The fee is 9 euros.", "The term is 2 years."]),
        (
            "Invoices are due soon * and the term is two years *.",
            ["Invoices are due soon", "and the term is two years"],
        ),
        ("The fee is 9 euros **", ["The fee is 9 euros", "The fee is 9 euros"]),
        ("A is so and so *, b is this or that * *", ["A is so and so", ", b is this or that", ", b is this or that"]),
        (
            "The notice period is 90 days * or 30 days *.",
            ["The notice period is 90 days", "The notice period is days or 30 days"],
        ),
        ("- Fee: 9\n- Term: 2 years *", ["- Term: 2 years"]),
        ("# Heading\n\n* x", ["# Heading"]),
        ("It says: “The fee is 9 euros. It is due at once.” *", ["“The fee is 9 euros. It is due at once.”"]),
        ("“One.” Two words here. *", ["Two words here."]),
        (
            "“Limited to two hundred per cent. (200%) of the fee.” *",
            ["“Limited to two hundred per cent. (200%) of the fee.”"],
        ),
        ("* x", [""]),
        ("Paid in full.\n\n*", ["Paid in full."]),
    ],
)
def test_claims(text: str, expected: list[str]) -> None:
    assert claims(text) == expected
