"""LibreOffice as a program that may fail, hang or be missing; a script stands in for it."""

import sys
from pathlib import Path

import pytest

from workbench.adapters.libreoffice.converter import LibreOffice
from workbench.domain.errors import BadFile, DamagedFile, TooLarge

pytestmark = [
    pytest.mark.req("LIB-9"),
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a POSIX script"),
]


def program(directory: Path, body: str) -> str:
    script = directory / "soffice"
    script.write_text(f"#!{sys.executable}\nimport sys, time, pathlib\n{body}\n", encoding="utf-8")
    script.chmod(0o755)
    return str(script)


def test_the_pdf_it_writes_is_returned_and_its_profile_is_its_own(tmp_path: Path) -> None:
    body = (
        "source = pathlib.Path(sys.argv[-1])\n"
        "profile = next(a for a in sys.argv if a.startswith('-env:UserInstallation=file:'))\n"
        "(source.parent / 'document.pdf').write_bytes(b'%PDF-' + source.read_bytes() + source.suffix.encode())"
    )
    assert LibreOffice(program(tmp_path, body)).pdf(b"data", "doc", "a.doc") == b"%PDF-data.doc"


def test_no_pdf_is_an_error_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile, match=r"could not convert a\.doc"):
        LibreOffice(program(tmp_path, "pass")).pdf(b"data", "doc", "a.doc")


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match=r"within 0\.3 seconds"):
        LibreOffice(program(tmp_path, "time.sleep(60)"), seconds=0.3).pdf(b"data", "doc", "a.doc")


def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="could not be started"):
        LibreOffice(str(tmp_path / "missing")).pdf(b"data", "doc", "a.doc")
