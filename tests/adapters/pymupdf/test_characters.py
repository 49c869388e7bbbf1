"""Characters: ligatures spelled out, figures never changed."""

import pytest

from workbench.adapters.pymupdf.characters import clean

pytestmark = pytest.mark.req("CITE-7")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("o\ufb03ce", "office"),
        ("con\ufb01dential", "confidential"),
        ("10\u00b2", "10\u00b2"),
        ("\u00bd", "\u00bd"),
        ("Acme\u2122", "Acme\u2122"),
        ("cafe\u0301", "café"),
        ("cli\u00adent", "client"),
        ("10\u00ad12", "10-12"),
        ("agree\u00ad", "agree\u00ad"),
        ("non\u2011exclusive", "non-exclusive"),
        ("pay\u200bment\u202e", "payment"),
        ("a\x07b", "ab"),
        ("end\u037e", "end;"),
        ("\x00", ""),
    ],
)
def test_clean(raw: str, expected: str) -> None:
    assert clean(raw) == expected
