"""The keys of the session state that the screens share, in one place. A widget's key is the key of its state."""

from enum import StrEnum


class Key(StrEnum):
    """``UPLOAD_ROUND`` is counted up to empty the file chooser; ``UPLOAD_REFUSED`` are the files that were not taken in.
    ``DIALOG_OPEN`` keeps a dialog from being swept away when a file is done."""

    CONTAINER = "documents.container"
    CONTAINER_CHOICE = "documents.container.choice"
    DOCUMENT_WORDS = "documents.words"
    DOCUMENT_TAGS = "documents.tags"
    DOCUMENT_TABLE = "documents.table"
    UPLOAD_OPEN = "documents.upload.open"
    UPLOAD_ROUND = "documents.upload.round"
    UPLOAD_TAG = "documents.upload.tag"
    UPLOAD_REFUSED = "documents.upload.refused"
    DIALOG_OPEN = "documents.dialog.open"
    VIEWER = "viewer"
    VIEWER_CHOICE = "viewer.choice"
    LINKS = "links"
