"""Documents and the containers that hold them."""

from datetime import date, datetime
from enum import StrEnum

from pydantic import Field

from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.tags import Tag
from workbench.domain.values import Value


class Container(Value):
    """A folder with members: a department, a case. Every document belongs to exactly one."""

    id: ContainerId
    name: str
    created_at: datetime
    founder: UserId = UserId("")
    """Who made it. Names are unique among those of one founder: that a name is taken tells nobody of others' containers."""


class DocumentState(StrEnum):
    """Where a document stands on its way to being searchable. Only ``READY`` ones are ever found."""

    QUEUED = "queued"
    READING = "reading"
    CHUNKING = "chunking"
    EMBEDDING = "embedding"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def working(self) -> bool:
        return self not in (DocumentState.READY, DocumentState.FAILED, DocumentState.CANCELLED)


class Document(Value):
    """A document as the library knows it.

    ``name`` is the file's name as uploaded and ``title`` the one found in it. ``content_hash`` is the SHA-256 of the
    uploaded bytes, ``canonical_hash`` that of the PDF shown in the viewer. ``pages_without_text`` lists physical pages
    that hold no readable text. ``notes`` say what reading the file left out or assumed. ``error`` says in words why a
    failed document failed. ``dismissed`` are suggested tags that a person turned down; they are not suggested again.

    A changed file of the same name is another document of the same series with the next ``version``: ``first_version`` is
    the id of the series' first document (None for that one itself), ``replaced_by`` the id of the version that took this
    one's place once it was ready. A replaced version is never found, but what was cited of it stays readable.
    """

    id: DocumentId
    container_id: ContainerId
    name: str
    title: str = ""
    media_type: str = ""
    size: int = 0
    content_hash: str = ""
    canonical_hash: str = ""
    tags: tuple[Tag, ...] = ()
    dismissed: tuple[Tag, ...] = ()
    language: str | None = None
    dated: date | None = None
    state: DocumentState = DocumentState.QUEUED
    error: str = ""
    hidden: bool = False
    page_count: int = 0
    chunk_count: int = 0
    pages_without_text: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    uploaded_at: datetime
    version: int = Field(default=1, ge=1)
    first_version: DocumentId | None = None
    replaced_by: DocumentId | None = None

    @property
    def series(self) -> DocumentId:
        """The id that all versions of a document share."""
        return self.first_version or self.id

    @property
    def display_name(self) -> str:
        return display_name(self.name)

    @property
    def searchable(self) -> bool:
        return self.state is DocumentState.READY and not self.hidden and self.replaced_by is None

    def tag(self, key: str) -> str:
        """Return the first value of ``key``, or an empty string."""
        return next((tag.value for tag in self.tags if tag.key == key), "")


_CONVERTED = tuple(
    f".{kind}.pdf"
    for kind in "docx docm doc odt rtf xlsx xlsm xlsb xls ods csv tsv pptx pptm ppt md html htm eml msg".split()
)


def display_name(name: str) -> str:
    """Return the name shown to people: a converted file's canonical ``orders.xlsx.pdf`` is shown as ``orders.xlsx``."""
    return name[: -len(".pdf")] if name.lower().endswith(_CONVERTED) else name
