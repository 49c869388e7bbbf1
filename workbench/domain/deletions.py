"""Deletions: what was to be deleted, what became of each part, and the receipt that proves it.

A receipt outlives what it tells of. It names parts by kind and number, never by their contents: of a conversation it keeps no
word that was said, of a document no more than its name and where it stood.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from workbench.domain.documents import Document, display_name
from workbench.domain.ids import ContainerId, DocumentId, ReceiptId, UserId
from workbench.domain.rights import Access
from workbench.domain.values import Value


class What(StrEnum):
    """A kind of thing that is deleted, in words for the receipt."""

    RECORD = "record"
    PASSAGES = "passages"
    PAGES = "pages"
    TABLES = "tables"
    VECTORS = "vectors"
    KEYWORDS = "keyword rows"
    IMAGES = "cached page images"
    ORIGINAL = "original file"
    PAGE_PDF = "page PDF"
    TURNS = "questions and answers"
    TRACE = "trace events"
    CODE_RUNS = "code runs"
    GAPS = "noted gaps"
    RESPONSE = "response at the provider"
    CODE_CONTAINER = "container at the provider"
    CODE_FILE = "file at the provider"


AT_PROVIDER = frozenset({What.RESPONSE, What.CODE_CONTAINER, What.CODE_FILE})


class Fate(StrEnum):
    """What became of one thing. ``PENDING`` was not tried yet; ``KEPT`` stays because something else uses it.

    ``UNCONFIRMED``: it may still be there; it is tried again until it is known to be gone.
    """

    PENDING = "not done yet"
    DELETED = "deleted"
    ALREADY_GONE = "already gone"
    KEPT = "kept"
    UNCONFIRMED = "could not confirm"

    @property
    def settled(self) -> bool:
        return self in (Fate.DELETED, Fate.ALREADY_GONE, Fate.KEPT)


class ProviderObject(Value):
    """Something that a model's provider keeps: its kind, its id, and the identity of the model that made it.

    ``container`` is the id of the container that holds a file.
    """

    what: What
    id: str
    provider: str
    container: str = ""


class DeletedDocument(Value):
    """What must be known of a document to finish its deletion after its record is gone."""

    id: DocumentId
    container_id: ContainerId
    name: str
    version: int = 1
    content_hash: str = ""
    canonical_hash: str = ""

    @property
    def display_name(self) -> str:
        return display_name(self.name)


class ReceiptItem(Value):
    """One line of a receipt: ``what`` of ``subject`` (the id of a document, a conversation or a provider's object).

    ``before`` is how many there were, None where that is not known. ``detail`` says in words why a thing could not be
    confirmed or is kept; ``at`` is when it was tried last, of ``tries`` times.
    """

    what: What
    subject: str
    name: str = ""
    before: int | None = None
    fate: Fate = Fate.PENDING
    detail: str = ""
    at: datetime | None = None
    tries: int = 0
    at_provider: ProviderObject | None = None

    @property
    def key(self) -> tuple[What, str]:
        return self.what, self.subject


class Attempt(Value):
    """One try at one thing, as it ended. Attempts are only ever added."""

    what: What
    subject: str
    fate: Fate
    detail: str = ""
    at: datetime


class Receipt(Value):
    """A deletion as it stands: who asked for what and when, and the fate of each part.

    ``subject`` is the id of the document or conversation asked for, ``documents`` are all that go with it (its versions).
    ``reason`` says why, where nobody asked. ``container_id`` and ``container`` say where a document stood. ``next_try_at``
    is set while something is unconfirmed, ``settled_at`` once nothing is left to do.
    """

    id: ReceiptId
    kind: Literal["document", "conversation"]
    subject: str
    name: str
    container_id: ContainerId | None = None
    container: str = ""
    documents: tuple[DeletedDocument, ...] = ()
    asked_by: UserId
    asked_at: datetime
    reason: str = ""
    items: tuple[ReceiptItem, ...] = ()
    tries: int = 0
    next_try_at: datetime | None = None
    settled_at: datetime | None = None

    @property
    def open(self) -> bool:
        """Whether something is still to be done or confirmed."""
        return self.settled_at is None

    @property
    def left(self) -> tuple[ReceiptItem, ...]:
        """The parts that are not settled."""
        return tuple(item for item in self.items if not item.fate.settled)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The ids under which the receipt is looked up: of all documents, or of the conversation."""
        return tuple(document.id for document in self.documents) or (self.subject,)

    def visible_to(self, access: Access, *, container_gone: bool = False) -> bool:
        """A document's receipt is for those who may see its container, a conversation's for whose it was.

        Once the container itself is deleted nobody is a member of it: then it is for who asked, and for administrators.
        """
        if self.container_id is None:
            return access.user_id == self.asked_by
        if container_gone:
            return access.administrator or access.user_id == self.asked_by
        return access.may_see(self.container_id)

    def with_items(self, items: tuple[ReceiptItem, ...]) -> "Receipt":
        """Return the receipt with ``items`` in the place of those of the same key, new ones at the end."""
        changed = {item.key: item for item in items}
        kept = tuple(changed.pop(item.key, item) for item in self.items)
        return self.model_copy(update={"items": (*kept, *changed.values())})


def deleted_document(document: Document) -> DeletedDocument:
    """Return what a receipt keeps of a document."""
    return DeletedDocument(
        id=document.id,
        container_id=document.container_id,
        name=document.name,
        version=document.version,
        content_hash=document.content_hash,
        canonical_hash=document.canonical_hash,
    )


_WAITS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2), timedelta(hours=8))
_LONGEST_WAIT = timedelta(days=1)


def wait_after(tries: int) -> timedelta:
    """Return how long to wait after the ``tries``-th attempt (from 1) that left something unconfirmed."""
    return _WAITS[tries - 1] if tries <= len(_WAITS) else _LONGEST_WAIT
