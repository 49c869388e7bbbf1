"""``find_documents``: a list of documents by name, date, language and tags; the screen shows it, page by page."""

from datetime import date
from typing import NamedTuple

from pydantic import Field

from workbench.domain.events import DocumentsListed
from workbench.domain.ids import DocumentId
from workbench.domain.listing import MAX_PAGE_SIZE, PAGE_SIZE, ListedDocument, Listing, ListingQuery, Sort
from workbench.domain.markers import neutral
from workbench.domain.tags import Tag, by_key
from workbench.domain.values import Value
from workbench.services.listing import Listings
from workbench.services.ports import Clock
from workbench.services.tools.narrowing import DateFrom, DateTo, Language, PeriodText, bounds, left_out_note
from workbench.services.tools.tool import ToolContext, ToolResult

_NAME, _TITLE, _TAGS = 36, 28, 32
"""Longest name, title and tags told to the model, in characters: a page of twenty stays under a thousand tokens."""


class FindArguments(Value):
    text: str | None = Field(
        max_length=200,
        description="Words that the name, title, tags or opening of a document must hold, all of them. Null for any.",
    )
    language: Language
    date_from: DateFrom
    date_to: DateTo
    period: PeriodText
    tags: tuple[Tag, ...] | None = Field(description="Only documents with these tags. Null for any.")
    sort: Sort | None = Field(description="The order. Null is newest first.")
    page: int | None = Field(ge=1, le=100_000, description="The page of the list, from 1. Null is 1.")
    page_size: int | None = Field(
        ge=1, le=MAX_PAGE_SIZE, description=f"Documents a page, at most {MAX_PAGE_SIZE}. Null is {PAGE_SIZE}."
    )

    def query(self, today: date) -> ListingQuery:
        """The normalised parameters; raise CallRejected for impossible dates."""
        first, last = bounds(self.period, self.date_from, self.date_to, today)
        return ListingQuery(
            text=" ".join((self.text or "").split()),
            language=self.language,
            date_from=first,
            date_to=last,
            tags=by_key(self.tags or ()),
            sort=self.sort or Sort.NEWEST,
            page=self.page or 1,
            page_size=self.page_size or PAGE_SIZE,
        )


class Fetched(NamedTuple):
    listing: Listing
    matched: frozenset[DocumentId]
    seconds: float


class FindDocuments:
    name = "find_documents"
    description = (
        "List documents by words of their name, title, tags or opening, by language, date and tags. Use it when the user "
        "wants a list, a count or the newest ones, and before search_documents when the question is about such a group: "
        "pass the ids it gives as document_ids. It says nothing of what the documents say. The user sees the list itself."
    )
    arguments = FindArguments

    def __init__(self, listings: Listings, clock: Clock) -> None:
        self._listings = listings
        self._clock = clock

    def fetch(self, arguments: FindArguments, context: ToolContext) -> Fetched:
        started = self._clock.monotonic()
        listing, matched = self._listings.find(context.scope, arguments.query(self._clock.now().date()))
        return Fetched(listing, matched, self._clock.monotonic() - started)

    def settle(self, fetched: Fetched, arguments: FindArguments, context: ToolContext) -> ToolResult:
        listing = fetched.listing
        note = _note(listing)
        event = DocumentsListed(
            call_id=context.call_id,
            listing=listing,
            period=arguments.period or "",
            note=note,
            seconds=round(fetched.seconds, 4),
        )
        lines = [_head(listing), *([f"NOTE: {note}"] if note else []), *(_line(item) for item in listing.items)]
        return ToolResult("\n".join(lines), (event,), matched=fetched.matched)


def _note(listing: Listing) -> str:
    """Say in words why a page is empty and what was left out."""
    notes = []
    if listing.total == 0:
        notes.append("No document matches. Drop a condition, or say so.")
    elif not listing.items:
        notes.append(f"There is no page {listing.page}: the last one is {listing.pages}.")
    notes.append(left_out_note(listing.undated, listing.without_language))
    return " ".join(note for note in notes if note)


def _head(listing: Listing) -> str:
    query = listing.query
    parts = [f"{listing.total} in all, page {listing.page} of {max(1, listing.pages)}, {query.sort.value}"]
    if query.date_from or query.date_to:
        parts.append(f"dated {query.date_from or 'any'} to {query.date_to or 'any'}")
    return f"DOCUMENTS: {', '.join(parts)}. Fields: id; name; title; date; language; values of tags"


def _line(item: ListedDocument) -> str:
    tags = ", ".join(tag.value for tag in item.tags)
    title = item.title if item.title.casefold() != item.name.casefold() else ""
    values = (
        item.id,
        _cut(item.name, _NAME),
        _cut(title, _TITLE),
        str(item.dated or ""),
        item.language or "",
        _cut(tags, _TAGS),
    )
    return "| " + "; ".join(values)


def _cut(text: str, length: int) -> str:
    """Return document text on one line, harmless as a marker and no longer than ``length``."""
    line = " ".join(neutral(text).split()).replace(";", ",")
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
