"""The turn's ledger: which passages the model was given, under which ref, and how much of the budget is left."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from workbench.domain.chunks import Chunk
from workbench.domain.citations import Source
from workbench.domain.ids import ChunkId, DocumentId, Ref, ref
from workbench.services.retrieval.ranking import Ranked, near_identical, shingles

Labels = Callable[[DocumentId, Iterable[int]], dict[int, str]]
"""Gives the printed labels of a document's pages, for those that print one."""

LEAST_SHARE = 3
"""Fewer passages than this are not worth a search."""


class Naming(NamedTuple):
    """How a passage's document and container are called."""

    title: str
    container: str


class Admission(NamedTuple):
    """What became of the passages of one search: new sources, and those held back with the reason."""

    admitted: list[tuple[Source, float]]
    held_back: list[Ranked]

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(source for source, _ in self.admitted)


class Ledger:
    """Sources of one turn in the order given. Ref ids count up over the turn and are never reused.

    ``budget`` is the number of passages all searches of the turn may give together.
    """

    def __init__(self, budget: int, labels: Labels) -> None:
        self._budget = budget
        self._labels = labels
        self._sources: dict[Ref, Source] = {}
        self._by_chunk: dict[ChunkId, Ref] = {}
        self._shingles: dict[Ref, frozenset[str]] = {}
        self._said: set[str] = set()

    @property
    def given(self) -> int:
        return len(self._sources)

    @property
    def left(self) -> int:
        return max(0, self._budget - self.given)

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(self._sources.values())

    def share(self, searches: int) -> int:
        """Divide what is left among the searches of a batch, so that the first ones leave something to the last."""
        return max(LEAST_SHARE, self.left // max(1, searches))

    def unsaid(self, remarks: Iterable[str]) -> list[str]:
        """Return the remarks that the turn has not made yet; each is made once."""
        new = [remark for remark in dict.fromkeys(remarks) if remark not in self._said]
        self._said.update(new)
        return new

    def source(self, name: Ref) -> Source | None:
        return self._sources.get(name)

    def given_as(self, chunk: Chunk) -> Ref | None:
        """Return the ref under which a passage, or nearly the same one, was given; None where it was not."""
        return self._by_chunk.get(chunk.id) or self._like(chunk)

    def admit(self, ranked: Iterable[Ranked], naming: Callable[[Chunk], Naming], call_id: str) -> Admission:
        """Give out the passages that are new, distinct and within the budget; hold back the others with a reason."""
        admission = Admission([], [])
        for hit in ranked:
            reason = self._reason_against(hit.chunk)
            if reason:
                admission.held_back.append(hit._replace(reason=reason))
            else:
                admission.admitted.append((self._give(hit.chunk, naming(hit.chunk), call_id), hit.score))
        return admission

    def _reason_against(self, chunk: Chunk) -> str:
        if chunk.id in self._by_chunk:
            return f"already given as {self._by_chunk[chunk.id]}"
        if self.left == 0:
            return f"the turn's budget of {self._budget} passages is spent"
        like = self._like(chunk)
        return f"nearly the same as {like}" if like else ""

    def _like(self, chunk: Chunk) -> Ref | None:
        mine = shingles(chunk.text)
        for name, others in self._shingles.items():
            given = self._sources[name].chunk
            # Rows of a sheet look alike and are still other rows.
            if given.document_id == chunk.document_id and given.area == chunk.area and near_identical(mine, others):
                return name
        return None

    def _give(self, chunk: Chunk, naming: Naming, call_id: str) -> Source:
        name = ref(self.given + 1)
        pages = {segment.page for segment in chunk.segments}
        source = Source(
            ref=name,
            chunk=chunk,
            title=naming.title,
            container=naming.container,
            labels=self._labels(chunk.document_id, sorted(pages)),
            call_id=call_id,
        )
        self._sources[name] = source
        self._by_chunk[chunk.id] = name
        self._shingles[name] = shingles(chunk.text)
        return source
