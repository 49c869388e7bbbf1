"""The search without a model: one run, kept for a while, and shown page by page in any order without searching anew."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from workbench.domain.chunks import Chunk, chunk_id
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.excerpts import excerpt, places_of
from workbench.domain.gaps import GapOrigin
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.listing import listed
from workbench.domain.pages import boxes_for, pages_label
from workbench.domain.scope import Access, Scope, build_scope
from workbench.domain.words import is_among, telling, tokens
from workbench.services.citations.highlights import NOT_LOCATED, PageHighlight
from workbench.services.gaps import Gaps
from workbench.services.library import Library
from workbench.services.passages.advice import removable, respelt, wider, without
from workbench.services.passages.found import CutPassage, Found, Passage, Suggestion, excerpt_of
from workbench.services.passages.query import LONGEST, Order, PassageQuery
from workbench.services.ports import Clock, KeywordIndex, LibraryStore
from workbench.services.retrieval.ranking import Ranked
from workbench.services.retrieval.search import Search, SearchOutcome
from workbench.services.tools.narrowing import left_out

AT_MOST = 50
"""Passages that one search keeps."""
SHOWN_CUT = 30
KEPT_SEARCHES = 64
KEPT_FOR = timedelta(minutes=30)

_Key = tuple[UserId, str]


class _Kept(NamedTuple):
    """A search that ran, and when. ``suggestions`` were made of what it found."""

    outcome: SearchOutcome
    at: datetime
    notes: tuple[str, ...]
    suggestions: tuple[Suggestion, ...]


class PassageSearch:
    """The use case of searching by hand, on the Search screen and at the command line."""

    def __init__(
        self, search: Search, library: Library, store: LibraryStore, keywords: KeywordIndex, gaps: Gaps, clock: Clock
    ) -> None:
        self._search = search
        self._library = library
        self._store = store
        self._keywords = keywords
        self._gaps = gaps
        self._clock = clock
        self._kept: OrderedDict[_Key, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, access: Access, query: PassageQuery, origin: GapOrigin = GapOrigin.SCREEN) -> Found:
        """Return the page that ``query`` asks for; a page past the last one is empty and still says the total.

        The search itself runs once for a text, its containers and filters: other pages and orders are of the same run, so
        that together they hold every passage exactly once. What has left the scope since is shown as gone, in its place.
        Raises ScopeError where no container is chosen or one is not the user's, PinciteError for a query of too many
        characters.
        """
        if len(query.text) > LONGEST:
            raise PinciteError(f"A search has at most {LONGEST} characters.", "Search for fewer words.")
        scope = build_scope(access, query.containers, query.filters)
        kept = self._run(access, scope, query, origin)
        outcome = kept.outcome
        ordered = arranged(outcome, query)
        start = (query.page - 1) * query.page_size
        visible = {document.id for document in self._search.documents(scope)}
        shown = ordered[start : start + query.page_size]
        labels = self._labels(hit.chunk.document_id for hit in [*shown, *outcome.cut[:SHOWN_CUT]])
        return Found(
            query=query,
            ran=outcome.query,
            passages=tuple(_passage(hit, _wanted(query, outcome), outcome, labels, visible) for hit in shown),
            total=len(ordered),
            documents=tuple(
                dict.fromkeys(hit.chunk.document_id for hit in ordered if hit.chunk.document_id in visible)
            ),
            searched=len(outcome.documents),
            candidates=outcome.candidates,
            cut=tuple(
                _cut(hit, outcome, labels) for hit in outcome.cut[:SHOWN_CUT] if hit.chunk.document_id in visible
            ),
            stages=outcome.stages,
            notes=kept.notes,
            suggestions=kept.suggestions,
        )

    def forget(self, access: Access, query: PassageQuery) -> None:
        """Search anew when this is asked for the next time."""
        with self._lock:
            self._kept.pop(_key(access, query), None)

    def highlights(self, access: Access, document_id: DocumentId, ordinal: int, words: str) -> list[PageHighlight]:
        """Return where a passage's excerpt for ``words`` stands, page by page, at least one.

        Raises NotFound where the document or the passage is missing or not the user's.
        """
        self._library.document(access, document_id)
        found = self._store.chunks([chunk_id(document_id, ordinal)])
        if not found:
            raise NotFound("This passage no longer exists.", "Search again.")
        chunk = found[0]
        start, end, _ = excerpt(words, chunk.text)
        marked: dict[int, PageHighlight] = {}
        for segment in chunk.on_pages(start, end):
            page = self._library.page(access, document_id, segment.page)
            boxes = tuple(dict.fromkeys(boxes_for(page, segment.start, segment.end)))
            marked[segment.page] = PageHighlight(page=segment.page, boxes=boxes, note="" if boxes else NOT_LOCATED)
        return list(marked.values()) or [PageHighlight(page=chunk.first_page, note=NOT_LOCATED)]

    def _run(self, access: Access, scope: Scope, query: PassageQuery, origin: GapOrigin) -> _Kept:
        key, now = _key(access, query), self._clock.now()
        with self._lock:
            known = self._kept.get(key)
        if known is not None and now - known.at < KEPT_FOR:
            return known
        outcome = self._search.run(scope, query.text, AT_MOST)
        fresh = _Kept(outcome, now, self._notes(access, query, outcome), self._suggestions(access, query, outcome))
        if not outcome.kept:
            self._gaps.record(access.user_id, query.containers, query.text, query.filters, origin)
        with self._lock:
            self._kept[key] = fresh
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT_SEARCHES:
                self._kept.popitem(last=False)
        return fresh

    def _notes(self, access: Access, query: PassageQuery, outcome: SearchOutcome) -> tuple[str, ...]:
        excluded = left_out(self._search.documents(build_scope(access, query.containers)), query.filters)
        taken_out = f"Searched for ‘{outcome.query}’: the names in the query already say where to look."
        also = f"Searched as well for the usual wording: {outcome.also}."
        notes = (
            outcome.note,
            *outcome.remarks,
            excluded,
            taken_out if outcome.query != query.text else "",
            also if outcome.also else "",
        )
        return tuple(note for note in notes if note)

    def _suggestions(self, access: Access, query: PassageQuery, outcome: SearchOutcome) -> tuple[Suggestion, ...]:
        words = telling(query.text)
        seen = frozenset(token.word for hit in outcome.kept for token in tokens(hit.chunk.indexed_text))
        suggestions: list[Suggestion] = []
        if not all(is_among(word, seen) for word in words):
            better = respelt(query, self._vocabulary(query.containers))
            suggestions += [] if better is None else [better]
        if outcome.kept:
            return tuple(suggestions)
        scopes = {name: build_scope(access, query.containers, without(query, name)) for name in removable(query)}
        counts = {name: len(self._search.documents(scope)) for name, scope in scopes.items()}
        suggestions += wider(query, counts, len(outcome.documents))
        others = access.containers - set(query.containers)
        if others:
            everywhere = tuple(each.id for each in self._library.containers(access))
            wide = query.model_copy(update={"containers": everywhere, "page": 1})
            suggestions.append(Suggestion(text="In all your containers", query=wide))
        return tuple(suggestions)

    def _vocabulary(self, containers: Iterable[ContainerId]) -> Mapping[str, int]:
        words: dict[str, int] = {}
        for container in containers:
            for word, count in self._keywords.vocabulary(container).items():
                words[word] = words.get(word, 0) + count
        return words

    def _labels(self, documents: Iterable[DocumentId]) -> Mapping[DocumentId, dict[int, str]]:
        """Return the printed labels of the documents' pages."""
        return {
            each: {page.number: page.label for page in self._store.page_outlines(each) if page.label is not None}
            for each in dict.fromkeys(documents)
        }


def arranged(outcome: SearchOutcome, query: PassageQuery) -> list[Ranked]:
    """Return the passages of a search in the order that the query asks for, the same at every call."""
    ordered = sorted(outcome.kept, key=_by(query.order, outcome.documents))
    if not query.grouped:
        return ordered
    first = {hit.chunk.document_id: place for place, hit in reversed(list(enumerate(ordered)))}
    return sorted(ordered, key=lambda hit: first[hit.chunk.document_id])


def _by(order: Order, documents: Mapping[DocumentId, Document]) -> Callable[[Ranked], tuple[object, ...]]:
    if order is Order.RELEVANCE:
        return lambda hit: (-hit.score, hit.chunk.id)
    sign = 1 if order is Order.OLDEST else -1

    def by_date(hit: Ranked) -> tuple[object, ...]:
        dated = documents[hit.chunk.document_id].dated
        return (dated is None, sign * (dated or date.min).toordinal(), -hit.score, hit.chunk.id)

    return by_date


def _key(access: Access, query: PassageQuery) -> _Key:
    asked = query.model_copy(update={"order": Order.RELEVANCE, "grouped": False, "page": 1, "page_size": 1})
    return access.user_id, asked.model_dump_json()


class _Wanted(NamedTuple):
    """The words that were looked for: those of the query, and others of its usual wording."""

    own: tuple[str, ...]
    also: tuple[str, ...]


def _wanted(query: PassageQuery, outcome: SearchOutcome) -> _Wanted:
    own = telling(query.text)
    usual = telling(outcome.also) if outcome.also else ()
    return _Wanted(own, tuple(word for word in usual if not is_among(word, own)))


def _passage(
    hit: Ranked,
    wanted: _Wanted,
    outcome: SearchOutcome,
    labels: Mapping[DocumentId, dict[int, str]],
    visible: set[DocumentId],
) -> Passage:
    chunk = hit.chunk
    document = outcome.documents[chunk.document_id]
    gone = chunk.document_id not in visible
    words, also = _matched(wanted.own, chunk), _matched(wanted.also, chunk)
    found_by = " ".join((*words, *also))
    start, end, _ = excerpt(found_by, chunk.text)
    shown, places = ("", ()) if gone else excerpt_of(found_by, chunk.text)
    own = frozenset(places_of(" ".join(words), shown)) if words else frozenset()
    segments = chunk.on_pages(start, end)
    return Passage(
        chunk_id=chunk.id,
        ordinal=chunk.ordinal,
        document=listed(document),
        container=outcome.containers.get(chunk.container_id, ""),
        pages=_pages(chunk, labels, [segment.page for segment in segments]),
        page=segments[0].page if segments else chunk.first_page,
        text="" if gone else chunk.text,
        excerpt=shown,
        places=tuple(place for place in places if place in own),
        words=words,
        also=also,
        also_places=tuple(place for place in places if place not in own),
        score=round(hit.score, 4),
        gone=gone,
    )


def _matched(wanted: Sequence[str], chunk: Chunk) -> tuple[str, ...]:
    held = frozenset(token.word for token in tokens(chunk.indexed_text))
    return tuple(word for word in wanted if is_among(word, held))


def _cut(hit: Ranked, outcome: SearchOutcome, labels: Mapping[DocumentId, dict[int, str]]) -> CutPassage:
    return CutPassage(
        document=outcome.documents[hit.chunk.document_id].display_name,
        pages=_pages(hit.chunk, labels, []),
        score=round(hit.score, 4),
        reason=hit.reason,
    )


def _pages(chunk: Chunk, labels: Mapping[DocumentId, dict[int, str]], pages: Sequence[int]) -> str:
    """Say where a passage stands: sheet and cells, or the pages of its excerpt, all of its own where none are given."""
    if chunk.area is not None:
        return chunk.area.label
    known = labels[chunk.document_id]
    return pages_label(min(pages, default=chunk.first_page), max(pages, default=chunk.last_page), known)
