"""Which engine is chosen, and how its table is read."""

import stat
import sys
from pathlib import Path

import pytest

from workbench.adapters.ocr import rapid, tesseract
from workbench.adapters.ocr.choice import recognizer

pytestmark = [
    pytest.mark.req("LIB-3"),
    pytest.mark.skipif(sys.platform == "win32", reason="the programs played here are shell scripts"),
]


def program(folder: Path, languages: str) -> None:
    """Put a Tesseract into a folder that knows some languages."""
    script = folder / "tesseract"
    script.write_text(f"#!/bin/sh\nprintf 'List of available languages:\\n{languages}'\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Hide the machine's own engines."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(rapid, "installed", lambda: None)
    return tmp_path


def test_no_engine_is_no_error() -> None:
    assert recognizer("auto") is None
    assert recognizer("tesseract") is None
    assert recognizer("rapidocr") is None


def test_never_means_never(alone: Path) -> None:
    program(alone, "eng\\n")
    assert recognizer("never") is None


def test_the_package_goes_first(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(alone, "eng\\n")
    package = rapid.RapidOcr()
    monkeypatch.setattr(rapid, "installed", lambda: package)
    assert recognizer("auto") is package
    assert recognizer("tesseract") is not package


@pytest.mark.parametrize(
    ("known", "wanted", "read"),
    [
        ("deu\\neng\\nosd\\n", "", "eng+deu"),
        ("deu\\neng\\nosd\\n", "deu", "deu"),
        ("deu\\neng\\n", "deu+xyz", "deu"),
        ("afr\\nara\\ndeu\\neng\\nfra\\nita\\nosd\\n", "", "eng"),
    ],
)
def test_languages(alone: Path, known: str, wanted: str, read: str) -> None:
    program(alone, known)
    found = recognizer("auto", wanted)
    assert found is not None
    assert found.name == f"Tesseract, {read}"


def test_a_language_that_is_not_installed_leaves_no_engine(alone: Path) -> None:
    program(alone, "eng\\n")
    assert recognizer("tesseract", "deu") is None


def test_the_table_of_tesseract() -> None:
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
    rows = [
        "4\t1\t1\t1\t1\t0\t10\t20\t90\t12\t-1\t",
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t12\t96.5\tTotal",
        "5\t1\t1\t1\t1\t2\t45\t20\t5\t12\t95\t ",
        "5\t1\t1\t1\t1\t3\t50\t21\t40\t11\t80\t41\u202f200",
        "5\t1\t1\t1\t2\t1\t10\t40\t20\t12\t30\tEUR",
    ]
    found = tesseract.words("\n".join([head, *rows, ""]))
    assert [(word.text, word.line, word.confidence) for word in found] == [
        ("Total", 0, 0.965), ("41\u202f200", 0, 0.8), ("EUR", 1, 0.3),
    ]  # fmt: skip
    assert found[1].box == (50, 21, 90, 32)
