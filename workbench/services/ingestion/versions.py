"""Versions: which document of a container an uploaded file is, or is a newer version of."""

import unicodedata
from collections.abc import Sequence

from workbench.domain.documents import Document, DocumentState, display_name
from workbench.services.ingestion.names import UNNAMED

ENDED_EARLY = (DocumentState.FAILED, DocumentState.CANCELLED)


def same_bytes(held: Sequence[Document], content_hash: str) -> Document | None:
    """Return the document that the same bytes are already, the usable one first.

    A replaced version does not count: whoever uploads its bytes again wants them to be the current ones.
    """
    found = [each for each in held if each.content_hash == content_hash and each.replaced_by is None]
    return min(found, key=lambda each: each.state in ENDED_EARLY, default=None)


def current_of_name(held: Sequence[Document], name: str) -> Document | None:
    """Return the latest version of the document of that name; case, Unicode form and a conversion's suffix do not matter.

    A name that was made up because the file had none is nobody's.
    """
    if name == UNNAMED:
        return None
    key = name_key(name)
    found = [each for each in held if name_key(each.name) == key and each.replaced_by is None]
    return max(found, key=lambda each: (each.uploaded_at, each.version), default=None)


def next_version(held: Sequence[Document], current: Document) -> int:
    return 1 + max(each.version for each in held if each.series == current.series)


def name_key(name: str) -> str:
    """Return the form in which two names are the same document's."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", display_name(name)).casefold())
