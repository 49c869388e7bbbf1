"""Listings: documents found by what is known of them, page by page, as opposed to passages found by what they say."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum

from pydantic import Field

from workbench.domain.documents import Document
from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.scope import Filters
from workbench.domain.tags import Tag
from workbench.domain.values import Value

PAGE_SIZE = 20
MAX_PAGE_SIZE = 50


class Sort(StrEnum):
    """The order of a listing. Undated documents come last by date; equal ones are ordered by id, so pages never overlap."""

    NEWEST = "newest"
    OLDEST = "oldest"
    NAME = "name"


class ListingQuery(Value):
    """The normalised parameters of a listing: nothing in them is relative, so that they mean the same at any later time.

    ``text`` is matched by words; both dates are inclusive; ``page`` counts from 1.
    """

    text: str = ""
    language: str | None = None
    date_from: date | None = None
    date_to: date | None = None
    tags: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    sort: Sort = Sort.NEWEST
    page: int = Field(default=1, ge=1)
    page_size: int = Field(default=PAGE_SIZE, ge=1, le=MAX_PAGE_SIZE)

    @property
    def filters(self) -> Filters:
        """The part of the parameters that narrows a scope."""
        return Filters(tags=self.tags, language=self.language, date_from=self.date_from, date_to=self.date_to)

    def on_page(self, page: int) -> "ListingQuery":
        return ListingQuery.model_validate({**self.model_dump(), "page": page})


class ListedDocument(Value):
    """A document as a list or a card shows it. ``name`` is the display name; ``pages`` is how many it has."""

    id: DocumentId
    container_id: ContainerId
    name: str
    title: str = ""
    tags: tuple[Tag, ...] = ()
    dated: date | None = None
    language: str | None = None
    pages: int = 0


class Listing(Value):
    """One page of a listing and the parameters that give it again.

    ``total`` counts the documents on all pages. ``undated`` and ``without_language`` count documents that a date range or a
    language left out only because theirs is not known.
    """

    query: ListingQuery = ListingQuery()
    items: tuple[ListedDocument, ...] = ()
    total: int = 0
    undated: int = 0
    without_language: int = 0

    @property
    def page(self) -> int:
        return self.query.page

    @property
    def page_size(self) -> int:
        return self.query.page_size

    @property
    def pages(self) -> int:
        """How many pages there are; 0 where nothing matches."""
        return -(-self.total // self.page_size)


class Coverage(Value):
    """How much of a listing an answer rests on: the searches and reads behind it reached ``based_on`` of the ``matched``
    documents."""

    based_on: int = Field(ge=0)
    matched: int = Field(ge=0)

    @property
    def limited(self) -> bool:
        return self.based_on < self.matched

    @property
    def text(self) -> str:
        """The notice for people, such as "based on 20 of 134 documents"."""
        return f"based on {self.based_on or 'none'} of {self.matched} document{'' if self.matched == 1 else 's'}"


def listed(document: Document) -> ListedDocument:
    """Return a document as a list shows it."""
    return ListedDocument(
        id=document.id,
        container_id=document.container_id,
        name=document.display_name,
        title=document.title,
        tags=document.tags,
        dated=document.dated,
        language=document.language,
        pages=document.page_count,
    )
