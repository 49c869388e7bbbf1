"""Conversion by LibreOffice in a process of its own, with a time limit and a profile that nobody else uses."""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from workbench.domain.errors import BadFile, DamagedFile, TooLarge

_PROGRAMS = ("soffice", "libreoffice")
_ADVICE = "Open it in its own program, save it as PDF, and upload that."


def installed() -> str | None:
    """Return the path of LibreOffice on this machine, or None."""
    return next((found for program in _PROGRAMS if (found := shutil.which(program))), None)


class LibreOffice:
    """The PdfConverter that runs ``program``. A conversion may take ``seconds``; then it is ended with all it started."""

    def __init__(self, program: str, seconds: float = 120.0) -> None:
        self._program = program
        self._seconds = seconds

    def pdf(self, data: bytes, extension: str, name: str) -> bytes:
        """Return the PDF of a file; raise a BadFile where LibreOffice gives none, or not in time."""
        with tempfile.TemporaryDirectory(prefix="pincite-office-") as directory:
            folder = Path(directory)
            source = folder / f"document.{extension}"
            source.write_bytes(data)
            self._run(folder, source, name)
            target = folder / "document.pdf"
            if not target.is_file():
                raise DamagedFile(f"LibreOffice could not convert {name}.", _ADVICE)
            return target.read_bytes()

    def _run(self, folder: Path, source: Path, name: str) -> None:
        command = [
            self._program,
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            *(
                "--headless",
                "--norestore",
                "--nolockcheck",
                "--convert-to",
                "pdf",
                "--outdir",
                str(folder),
                str(source),
            ),
        ]
        try:
            process = subprocess.Popen(  # noqa: S603 - the program is the operator's, the file name our own
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise BadFile(f"LibreOffice could not be started for {name}.", _ADVICE) from error
        try:
            process.wait(self._seconds)
        except subprocess.TimeoutExpired as error:
            raise TooLarge(f"LibreOffice did not convert {name} within {self._seconds:g} seconds.", _ADVICE) from error
        finally:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process and its children: the program starts others, which hold the profile."""
    if process.poll() is None:
        if hasattr(signal, "SIGKILL"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
