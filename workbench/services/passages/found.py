"""What a search without a model found, as values that a screen or a command shows."""

from collections.abc import Sequence

from workbench.domain.events import Stage
from workbench.domain.excerpts import excerpt
from workbench.domain.finding import Place
from workbench.domain.ids import ChunkId, DocumentId
from workbench.domain.listing import ListedDocument
from workbench.domain.scope import Filters
from workbench.domain.values import Value
from workbench.services.passages.query import PassageQuery


class Passage(Value):
    """One passage found.

    ``pages`` says where it stands, for people: "p. 12", or a sheet and its cells. ``page`` is the physical page that its
    excerpt begins on, and ``ordinal`` its number in the document: together they open it. ``words`` are those of the query
    that the passage or its context line holds, ``also`` those of its usual wording; where there are none it was found by
    meaning. ``places`` and ``also_places`` say where they stand, in characters of ``excerpt``. ``gone`` is set where its
    document is no longer in scope since the search ran; then it has no text.
    """

    chunk_id: ChunkId
    ordinal: int
    document: ListedDocument
    container: str
    pages: str
    page: int
    text: str
    excerpt: str
    places: tuple[Place, ...]
    words: tuple[str, ...]
    score: float
    also: tuple[str, ...] = ()
    also_places: tuple[Place, ...] = ()
    gone: bool = False

    @property
    def found_by(self) -> str:
        """All words of the passage that were looked for; empty where it was found by meaning."""
        return " ".join((*self.words, *self.also))


class CutPassage(Value):
    """A candidate that is not among the results, and why."""

    document: str
    pages: str
    score: float
    reason: str


class Suggestion(Value):
    """What may help where little was found: other words, or a wider scope. ``text`` says it for people; ``query`` does it."""

    text: str
    query: PassageQuery


class Found(Value):
    """One page of what was found, and what is to be said of the whole.

    ``ran`` is the text that was searched for, where names that the scope already holds were taken out of the query.
    ``documents`` are those that have a passage on any page, in order. ``notes`` are sentences for people.
    """

    query: PassageQuery
    ran: str
    passages: tuple[Passage, ...] = ()
    total: int = 0
    documents: tuple[DocumentId, ...] = ()
    searched: int = 0
    candidates: int = 0
    cut: tuple[CutPassage, ...] = ()
    stages: tuple[Stage, ...] = ()
    notes: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def pages(self) -> int:
        """How many pages there are; 0 where nothing was found."""
        return -(-self.total // self.query.page_size)


def excerpt_of(words: str, text: str) -> tuple[str, tuple[Place, ...]]:
    """Return the excerpt of a passage on one line, and where in it the words stand."""
    start, end, places = excerpt(words, text)
    shown = "".join(" " if character.isspace() else character for character in text[start:end])
    return shown, tuple(Place(place.start - start, place.end - start) for place in places)


def active(filters: Filters) -> Sequence[str]:
    """Return the names of the filters that are set, as fields of :class:`Filters`."""
    return [name for name, value in filters if value not in (None, {})]
