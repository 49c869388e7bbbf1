"""The keys of the session state that the screens share, in one place. A widget's key is the key of its state."""

from enum import StrEnum


class Key(StrEnum):
    """``UPLOAD_ROUND`` is counted up to empty the file chooser; ``UPLOAD_OUTCOMES`` are what became of the last files."""

    CONTAINER = "documents.container"
    DOCUMENT_FILTER = "documents.filter"
    DOCUMENT_TABLE = "documents.table"
    UPLOAD_OPEN = "documents.upload.open"
    UPLOAD_ROUND = "documents.upload.round"
    UPLOAD_OUTCOMES = "documents.upload.outcomes"
    WATCHED = "documents.watched"
    VIEWER = "viewer"
    VIEWER_CHOICE = "viewer.choice"
    LINKS = "links"
