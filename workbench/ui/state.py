"""The keys of the session state that the screens share, in one place. A widget's key is the key of its state."""

from enum import StrEnum


class Key(StrEnum):
    """``UPLOAD_ROUND`` is counted up to empty the file chooser; ``UPLOAD_REFUSED`` are the files that were not taken in.
    ``DIALOG_OPEN`` keeps a dialog from being swept away when a file is done; ``UPLOADED`` are the ids of the last upload,
    until what became of them was read, and ``DELETED`` the ids of the receipts to be shown."""

    CONTAINER = "documents.container"
    CONTAINER_CHOICE = "documents.container.choice"
    DOCUMENT_WORDS = "documents.words"
    DOCUMENT_TAGS = "documents.tags"
    DOCUMENT_STATES = "documents.states"
    DOCUMENT_TYPES = "documents.types"
    DOCUMENT_LANGUAGES = "documents.languages"
    DOCUMENT_FROM = "documents.from"
    DOCUMENT_TO = "documents.to"
    DOCUMENT_VISIBILITY = "documents.visibility"
    DOCUMENT_SORT = "documents.sort"
    DOCUMENT_DOWN = "documents.sort.down"
    DOCUMENT_TABLE = "documents.table"
    REFUSED_ACTIONS = "documents.refused.actions"
    DELETED = "documents.deleted"
    CONTAINER_REFUSED = "containers.refused"
    OPEN_PAGE = "documents.open.page"
    UPLOAD_OPEN = "documents.upload.open"
    UPLOAD_ROUND = "documents.upload.round"
    UPLOAD_TAG = "documents.upload.tag"
    UPLOAD_DATE = "documents.upload.date"
    UPLOAD_LANGUAGE = "documents.upload.language"
    UPLOADED = "documents.uploaded"
    SEEN_STATES = "documents.states.seen"
    UPLOAD_REFUSED = "documents.upload.refused"
    DIALOG_OPEN = "documents.dialog.open"
    VIEWER = "viewer"
    VIEWER_CHOICE = "viewer.choice"
    LINKS = "links"
