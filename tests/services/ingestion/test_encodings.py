"""Encodings of long texts: all bytes are looked at, however late the first one beyond ASCII comes."""

import pytest

from workbench.services.ingestion.encodings import Encoding, encoding_of

pytestmark = pytest.mark.req("LIB-6")

ASCII = b"4711;crate;12.50\n" * 90_000
"""One and a half megabytes: more than is looked at to tell an encoding."""


def test_plain_ascii_of_any_length_is_utf_8() -> None:
    assert encoding_of(ASCII, "a.csv") == Encoding("utf-8")


@pytest.mark.parametrize(
    ("line", "encoding"),
    [
        ("Köln;café – groß;€5\n", "cp1252"),
        ("Склад;Ящик деревянный;двенадцать\n", "cp1251"),
        ("倉庫;木箱の一覧;十二\n", "cp932"),
    ],
)
def test_one_late_line_tells_the_encoding(line: str, encoding: str) -> None:
    found = encoding_of(ASCII + line.encode(encoding), "a.csv")
    assert found.guessed
    assert line.encode(encoding).decode(found.name) == line


def test_a_late_byte_that_is_no_utf_8_does_not_change_what_the_other_lines_mean() -> None:
    good = "Zürich;Gänge;Öl\n".encode() * 20
    assert encoding_of(ASCII + good + b"bad \xff byte\n", "a.csv") == Encoding("utf-8", broken=True)


def test_a_mark_decides() -> None:
    assert encoding_of("\ufeffa;b\n".encode(), "a.csv") == Encoding("utf-8-sig")
    assert encoding_of("a;b\n".encode("utf-16"), "a.csv") == Encoding("utf-16")
