"""Suggested tags: what rules read out of a document's name and first pages, for a person to accept or dismiss."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from workbench.domain.document_dates import dated
from workbench.domain.documents import Document
from workbench.domain.kinds import kind
from workbench.domain.openings import Found, Opening, Source
from workbench.domain.parties import supplier
from workbench.domain.regions import region
from workbench.domain.tags import Tag
from workbench.domain.values import Value

SUPPLIER, TYPE, REGION, DATE = "supplier", "document type", "region", "date"


class Suggestion(Value):
    """A tag or a date to accept, and why: the words it rests on and where they stand."""

    key: str
    value: str
    quote: str
    page: int | None = None
    source: Source = Source.PAGE

    @property
    def tag(self) -> Tag:
        return Tag(key=self.key, value=self.value)

    @property
    def date(self) -> date | None:
        """The day, where this suggests a date; None where it suggests a tag."""
        return date.fromisoformat(self.value) if self.key == DATE else None


def suggest(opening: Opening, known: Mapping[str, Sequence[str]]) -> list[Suggestion]:
    """Return what the rules read. ``known`` are the values in use by key; where one of them fits, it is suggested."""
    found = {
        SUPPLIER: supplier(opening, known.get(SUPPLIER, ())),
        TYPE: kind(opening, known.get(TYPE, ())),
        REGION: region(opening, known.get(REGION, ())),
        DATE: dated(opening),
    }
    return [_suggestion(key, each) for key, each in found.items() if each is not None]


def open_for(document: Document, suggestions: Iterable[Suggestion]) -> list[Suggestion]:
    """Return the suggestions that a person has neither answered nor made needless by a tag or a date of their own."""
    held = {tag.key for tag in document.tags} | ({DATE} if document.dated else set())
    return [each for each in suggestions if each.key not in held and each.tag not in document.dismissed]


def _suggestion(key: str, found: Found) -> Suggestion:
    return Suggestion(key=key, value=found.value, quote=found.quote, page=found.page, source=found.source)
