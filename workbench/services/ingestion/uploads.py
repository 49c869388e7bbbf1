"""Uploads: what comes in, what becomes of it, and how far it is."""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from workbench.domain.documents import DocumentState
from workbench.domain.ids import DocumentId
from workbench.domain.tags import Tag


class Upload(NamedTuple):
    """A file as it came: its name for display, its bytes, and what is known about it."""

    name: str
    data: bytes
    tags: tuple[Tag, ...] = ()
    dated: date | None = None
    language: str | None = None


class UploadStatus(StrEnum):
    QUEUED = "queued"
    NEW_VERSION = "new version"
    RETRIED = "retried"
    ALREADY_THERE = "already there"
    REFUSED = "refused"


class UploadOutcome(NamedTuple):
    """What became of an upload: the document it is now, new or not, or why it could not even be stored.

    Whether the file can be read is not known yet; its progress tells.
    """

    name: str
    document_id: DocumentId | None
    status: UploadStatus
    error: str = ""


_SHARES = {
    DocumentState.READING: (0.0, 0.15),
    DocumentState.CHUNKING: (0.15, 0.2),
    DocumentState.EMBEDDING: (0.2, 0.95),
    DocumentState.INDEXING: (0.95, 1.0),
}
"""Where each stage begins and ends on the way from 0 to 1, by the time it usually takes."""


class FileProgress(NamedTuple):
    """Where a document stands. ``done`` of ``total`` counts pages or passages of the stage; 0 of 0 before it is known."""

    document_id: DocumentId
    name: str
    state: DocumentState
    stage: str
    done: int
    total: int
    error: str

    @property
    def fraction(self) -> float:
        """How much of the work is behind it, from 0 to 1; a document that has ended, however it did, is at 1."""
        if not self.state.working:
            return 1.0
        begin, end = _SHARES.get(self.state, (0.0, 0.0))
        return begin + (end - begin) * (min(self.done / self.total, 1.0) if self.total else 0.0)


def overall(files: Sequence[FileProgress]) -> float:
    """Return how much of the work on several files is behind, from 0 to 1; for none of them it is 1."""
    return sum(file.fraction for file in files) / len(files) if files else 1.0
