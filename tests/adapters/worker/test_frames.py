"""Messages of the reading process: whole values come through, and nothing that could run."""

import io
import os
from pathlib import Path

import pytest

from workbench.adapters.worker.frames import receive, send
from workbench.domain.errors import EncryptedFile
from workbench.domain.pages import Page, ReadDocument, Word

pytestmark = pytest.mark.req("LIB-9")


def through(message: object) -> object:
    pipe = io.BytesIO()
    send(pipe, message)
    pipe.seek(0)
    return receive(pipe)


def test_a_document_and_an_error_come_through_whole() -> None:
    page = Page(number=1, text="Fee", words=(Word(0, 3, 1.0, 2.0, 3.0, 4.0),))
    document = ReadDocument(media_type="text/plain", title="T", pages=(page,), canonical=b"%PDF")
    assert through(("document", document)) == ("document", document)
    assert through(("refused", EncryptedFile, "message", "advice")) == ("refused", EncryptedFile, "message", "advice")


class Hostile:
    """What a process that was taken over could send."""

    def __init__(self, canary: Path) -> None:
        self.canary = canary

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {self.canary}",)


def test_a_forged_message_runs_nothing(tmp_path: Path) -> None:
    canary = tmp_path / "ran"
    with pytest.raises(ValueError, match="may not hold"):
        through(Hostile(canary))
    assert not canary.exists()
