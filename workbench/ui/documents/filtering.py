"""Narrowing the list of documents: what can be asked for, and which documents have it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from workbench.domain.documents import Document, DocumentState
from workbench.domain.tags import matches
from workbench.ui.documents.wording import CANCELLED, FAILED, PARTLY, READY, WORKING, type_word


class Visibility(StrEnum):
    ALL = "Published and hidden"
    PUBLISHED = "Published"
    HIDDEN = "Hidden"


class Column(StrEnum):
    """What the list can be sorted by."""

    ADDED = "Added"
    NAME = "Name"
    STATE = "State"
    TYPE = "Type"
    PAGES = "Pages"
    TAGS = "Tags"
    LANGUAGE = "Language"
    DATE = "Date"
    VERSION = "Version"
    SIZE = "Size"


STATES = (READY, PARTLY, WORKING, FAILED, CANCELLED)


class Wanted(NamedTuple):
    """What the list is narrowed to; an empty value narrows nothing."""

    words: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    states: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    date_from: date | None = None
    date_to: date | None = None
    visibility: Visibility = Visibility.ALL

    @property
    def filters(self) -> int:
        """How many filters are set, the words not counted."""
        dates = self.date_from is not None or self.date_to is not None
        some = (self.tags, self.states, self.types, self.languages, dates, self.visibility is not Visibility.ALL)
        return sum(bool(each) for each in some)


def narrowed(documents: Iterable[Document], wanted: Wanted) -> list[Document]:
    """Return the documents that have all that is wanted. Of tags, one value of each key is enough."""
    by_key: dict[str, list[str]] = {}
    for key, value in wanted.tags:
        by_key.setdefault(key, []).append(value)
    words = wanted.words.casefold().split()
    return [each for each in documents if _has(each, wanted, by_key, words)]


def _has(document: Document, wanted: Wanted, tags: Mapping[str, Sequence[str]], words: Sequence[str]) -> bool:
    return (
        matches(document.tags, tags)
        and (not wanted.states or _state(document) in wanted.states)
        and (not wanted.types or type_word(document) in wanted.types)
        and (not wanted.languages or document.language in wanted.languages)
        and _within(document.dated, wanted.date_from, wanted.date_to)
        and (wanted.visibility is Visibility.ALL or document.hidden == (wanted.visibility is Visibility.HIDDEN))
        and _has_words(document, words)
    )


def _state(document: Document) -> str:
    if document.state.working:
        return WORKING
    if document.state is DocumentState.READY:
        return PARTLY if document.pages_without_text else READY
    return FAILED if document.state is DocumentState.FAILED else CANCELLED


def _within(dated: date | None, first: date | None, last: date | None) -> bool:
    if first is None and last is None:
        return True
    return dated is not None and (first is None or dated >= first) and (last is None or dated <= last)


def _has_words(document: Document, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = " ".join((document.display_name, document.title, *(tag.value for tag in document.tags))).casefold()
    return all(word in text for word in words)


def ordered(documents: Sequence[Document], column: Column, *, down: bool) -> list[Document]:
    """Return the documents sorted; what has no value comes last either way, equals by name."""
    value = _VALUES[column]
    named = sorted(documents, key=lambda each: each.display_name.casefold())
    valued = [(each, found) for each in named if (found := value(each)) is not None]
    empty = [each for each in named if value(each) is None]
    return [*(each for each, _ in sorted(valued, key=lambda pair: pair[1], reverse=down)), *empty]


_VALUES: Mapping[Column, Callable[[Document], Any]] = {
    Column.ADDED: lambda each: each.uploaded_at,
    Column.NAME: lambda each: each.display_name.casefold(),
    Column.STATE: _state,
    Column.TYPE: lambda each: type_word(each) or None,
    Column.PAGES: lambda each: each.page_count or None,
    Column.TAGS: lambda each: ", ".join(tag.value for tag in each.tags).casefold() or None,
    Column.LANGUAGE: lambda each: each.language,
    Column.DATE: lambda each: each.dated,
    Column.VERSION: lambda each: each.version,
    Column.SIZE: lambda each: each.size,
}


def tag_values(documents: Iterable[Document]) -> dict[str, list[str]]:
    """Return each tag key in use with its values, both sorted."""
    values: dict[str, set[str]] = {}
    for document in documents:
        for tag in document.tags:
            values.setdefault(tag.key, set()).add(tag.value)
    return {key: sorted(values[key], key=str.casefold) for key in sorted(values)}
