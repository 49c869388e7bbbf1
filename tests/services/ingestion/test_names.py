"""Names of files are for display: nothing of a path survives."""

import pytest

from workbench.services.ingestion.names import MAX_LENGTH, safe_name

pytestmark = pytest.mark.req("LIB-9")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("contract.pdf", "contract.pdf"),
        ("../out.txt", "out.txt"),
        ("..\\out.txt", "out.txt"),
        ("/tmp/x.txt", "x.txt"),
        ("a/../../b.txt", "b.txt"),
        ("evil\x00name.pdf", "name.pdf"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("na\u202eme\r\n .pdf", "name .pdf"),
        ("cafe\u0301.pdf", "café.pdf"),
        ("“Bericht”: 1.pdf", "“Bericht”: 1.pdf"),
        ("計画書.pdf", "計画書.pdf"),
    ],
)
def test_safe_name(name: str, shown: str) -> None:
    assert safe_name(name) == shown


def test_long_names_keep_their_extension() -> None:
    assert safe_name("n" * 300 + ".pdf") == "n" * (MAX_LENGTH - 4) + ".pdf"
