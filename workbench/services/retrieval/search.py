"""One search, in named stages over the ports. It knows nothing of turns or models.

    scope -> understanding -> candidates -> fusion -> names -> exact -> pages -> (rerank) -> cut-off

Each stage is a function on values and leaves a :class:`~workbench.domain.events.Stage` that says what it did. Budget,
duplicates and refs are the business of the turn's ledger.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from workbench.domain.chunks import Chunk
from workbench.domain.documents import Container, Document
from workbench.domain.events import Stage
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.domain.scope import Reach, Scope, reaches
from workbench.services.ports import Embedder, KeywordIndex, LibraryStore, Reranker, Scored, Vector, VectorIndex
from workbench.services.retrieval.exact import Exact, holds
from workbench.services.retrieval.languages import Languages
from workbench.services.retrieval.mentions import RARE
from workbench.services.retrieval.ranking import (
    Cutoff,
    Fused,
    Ranked,
    add,
    cut,
    favour,
    fuse,
    merged,
    prefer,
    rescored,
    spread,
)
from workbench.services.retrieval.understanding import Understood, understand


class Tuning(NamedTuple):
    """The figures of the pipeline, chosen by measurement on contracts that are not the ones reported.

    ``candidates`` is how many each engine gives. ``vector_weight`` is the weight of meaning against words; where the usual
    wording of a notion was added, words know more, and ``worded_weight`` takes its place; ``foreign_weight`` at most holds
    for languages that the embedding model was not made for. Passages outside named documents count ``others`` of their
    score, a further passage of the same page ``same_page``. ``looked_at`` candidates are loaded and may be reordered,
    ``reranked`` of them by the reranker. ``quoted`` and ``referred`` are added for what the query wants word for word.

    ``python -m tests.bench quality`` gave, as page-hit@1/@5/@8 of 358 questions tuned on and 138 others (differences under
    .04 are noise):

    ======================  ===================  ===================
    contracts tuned on      the contract known   its name in query
    ======================  ===================  ===================
    as it is                .737/.927/.953       .749/.944/.961
    meaning alone           .475/.715/.782       .296/.573/.662
    words alone             .511/.749/.821       .215/.464/.564
    ======================  ===================  ===================
    other contracts
    ======================  ===================  ===================
    as it is                .819/.971/.971       .833/.986/1.000
    meaning alone           .688/.848/.899       .471/.775/.848
    words alone             .645/.870/.935       .333/.601/.761
    ======================  ===================  ===================

    ``python -m tests.bench tuning`` changes one figure at a time: ``worded_weight`` at 0.5 gives .707/.913/.936, 0 as good
    as 0.3. The cut-off at 0.4 of the best keeps 5.5 passages of 8 and loses .01 at 8 of what no cut-off keeps (.936/.958
    against .936/.969 at 5 and 8, before tables became passages).
    """

    candidates: int = 100
    vector_weight: float = 0.5
    worded_weight: float = 0.3
    foreign_weight: float = 0.2
    others: float = 0.5
    same_page: float = 0.8
    looked_at: int = 40
    reranked: int = 30
    quoted: float = 1.0
    referred: float = 0.5


WEAK = 0.25
"""A best similarity under this, without a passage that shares several words, is told as a weak match."""

AT_ONCE = 4
"""How many look-ups of words run at the same time, of all searches together."""

SHOWN_CUT = 30
"""How many of the passages cut are given back with their reason, of those looked at; the stages count them all."""


class SearchOutcome(NamedTuple):
    """What a search found.

    ``query`` is the text that ran; ``documents`` those in scope by id; ``note`` says in words why nothing was found, and is
    empty otherwise. ``also`` is the usual wording that was searched for as well, ``named`` the documents that the query
    names, ``remarks`` what a reader of the result should know, ``stages`` what each stage did.
    """

    query: str
    documents: dict[DocumentId, Document]
    containers: dict[ContainerId, str]
    candidates: int
    kept: list[Ranked]
    cut: list[Ranked]
    note: str = ""
    also: str = ""
    named: tuple[DocumentId, ...] = ()
    remarks: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()


class Search:
    """Hybrid retrieval inside a scope.

    ``unindexed`` gives those documents of some containers that have no vectors of the present embedding model yet; they are
    found by words only, and the outcome says so.
    """

    def __init__(
        self,
        store: LibraryStore,
        vectors: VectorIndex,
        keywords: KeywordIndex,
        embedder: Embedder,
        cutoff: Cutoff | None = None,
        *,
        reranker: Reranker | None = None,
        languages: Languages | None = None,
        unindexed: Callable[[Sequence[ContainerId]], frozenset[DocumentId]] = lambda _: frozenset(),
        tuning: Tuning | None = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._keywords = keywords
        self._embedder = embedder
        self._cutoff = cutoff or Cutoff()
        self._reranker = reranker
        self._languages = languages or Languages()
        self._unindexed = unindexed
        self._tuning = tuning or Tuning()
        self._beside = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="words")

    @property
    def passages(self) -> int:
        """How many passages a search gives at most, where nothing else is asked for."""
        return self._cutoff.at_most

    def documents(self, scope: Scope) -> list[Document]:
        """Return the searchable documents of the scope, newest first."""
        return [document for document in self._store.documents(scope.containers) if scope.admits(document)]

    def run(
        self, scope: Scope, query: str, at_most: int | None = None, documents: Sequence[Document] | None = None
    ) -> SearchOutcome:
        """Search the scope for ``query``; ``at_most`` replaces the number of passages kept.

        ``documents`` saves reading the library where the caller has just read a wider scope: only those that this one admits
        count. The outcome is empty, with a note, where the scope holds no document or nothing fits.
        """
        read = self.documents(scope) if documents is None else [each for each in documents if scope.admits(each)]
        containers = [container for container in self._store.containers() if container.id in scope.containers]
        within = _Within(
            {document.id: document for document in read}, containers, reaches(scope, read), _is_chosen(scope)
        )
        if not within.reaches:
            note = "No searchable document is in scope: the filters exclude all of them, or none is ready yet."
            return _nothing(query, within, note)
        if not query.strip():
            return _nothing(query, within, "The query is empty.")
        understood = self._understand(query, within)
        cutoff = self._cutoff if at_most is None else self._cutoff._replace(at_most=at_most)
        return self._search(understood, within, cutoff)

    # --- the stages --------------------------------------------------------------------------------------------------

    def _understand(self, query: str, within: "_Within") -> Understood:
        def holders(text: str) -> list[DocumentId]:
            found: list[DocumentId] = []
            for reach in within.reaches:
                found += self._keywords.holders(reach.container_id, text, RARE + 1 - len(found), reach.documents)
                if len(found) > RARE:
                    break
            return found

        return understand(query, list(within.documents.values()), within.containers, holders, chosen=within.chosen)

    def _search(self, understood: Understood, within: "_Within", cutoff: Cutoff) -> SearchOutcome:
        trail = _Trail(within, understood)
        foreign = self._languages.foreign(understood.text, within.documents.values())
        weight = self._weight(understood, within, foreign=bool(foreign))
        fused = self._candidates(understood, within.reaches, weight, trail)
        chunks = self._load(fused[: self._tuning.looked_at])
        fused = self._exactly(fused, understood.exact, within.reaches, chunks, trail)
        pages = {chunk.id: (chunk.document_id, chunk.first_page) for chunk in chunks.values()}
        fused = spread(fused, pages, self._tuning.same_page)
        fused = self._reranked(fused, understood, chunks, trail)
        kept, dropped = cut(fused, cutoff)
        trail.cutoff(kept, dropped)
        remarks = [*trail.remarks, *([foreign] if foreign else []), *self._missing(within), *_weakness(kept)]
        chunks |= self._load(hit for hit in kept if hit.chunk_id not in chunks)
        shown = [(hit, why) for hit, why in dropped if hit.chunk_id in chunks][:SHOWN_CUT]
        note = "" if kept else "Nothing in scope comes close to this query: all candidates are below the threshold."
        return SearchOutcome(
            understood.text,
            within.documents,
            within.names,
            len(fused),
            [Ranked(chunks[hit.chunk_id], hit.score) for hit in kept if hit.chunk_id in chunks],
            [Ranked(chunks[hit.chunk_id], hit.score, why) for hit, why in shown],
            note,
            understood.also,
            tuple(sorted(document for group in understood.named for document in group)),
            tuple(remarks),
            tuple(trail.stages),
        )

    def _weight(self, understood: Understood, within: "_Within", *, foreign: bool) -> float:
        weight = self._tuning.worded_weight if understood.also else self._tuning.vector_weight
        return min(weight, self._tuning.foreign_weight) if foreign else weight

    def _candidates(
        self, understood: Understood, within: Sequence[Reach], weight: float, trail: "_Trail"
    ) -> list[Fused]:
        """Ask both engines, everywhere and once more in the documents of each name, and fuse what they give.

        Words are looked up in other threads meanwhile: what embeds the query and what looks words up share no lock.
        """
        places = [within, *(_narrowed(within, group) for group in understood.named)]
        words = [self._beside.submit(self._worded, understood.asked, place) for place in places]
        own = self._beside.submit(self._worded, understood.exact.text, within) if understood.also else None
        vector = self._embedder.embed_query(understood.asked)
        found = [(self._near(vector, place), each.result()) for place, each in zip(places, words, strict=True)]
        fused = fuse(*found[0], weight)
        trail.candidates(len(fused), *found[0], weight)
        if own is not None:
            by_keyword = {hit.chunk_id for hit in own.result()}
            fused = [
                hit if hit.by_keyword == (hit.chunk_id in by_keyword) else hit._replace(by_keyword=not hit.by_keyword)
                for hit in fused
            ]
        if not understood.named:
            return fused
        named = [fuse(*both, weight) for both in found[1:]]
        trail.named(sum(map(len, named)))
        return favour(fused, named, self._tuning.others)

    def _near(self, vector: Vector, within: Sequence[Reach]) -> list[Scored]:
        limit = self._tuning.candidates
        near = (self._vectors.query(reach.container_id, vector, limit, reach.documents) for reach in within)
        return merged(near, limit)

    def _worded(self, text: str, within: Sequence[Reach]) -> list[Scored]:
        limit = self._tuning.candidates
        return merged(
            (self._keywords.query(reach.container_id, text, limit, reach.documents) for reach in within), limit
        )

    def _exactly(
        self,
        fused: list[Fused],
        wanted: Exact,
        within: Sequence[Reach],
        chunks: dict[ChunkId, Chunk],
        trail: "_Trail",
    ) -> list[Fused]:
        """Put first what holds the query's phrases and references word for word."""
        held: dict[ChunkId, float] = {}
        for literal in wanted.literals:
            found = [hit.chunk_id for hit in self._in_a_row(literal, within)]
            chunks |= self._load_ids(one for one in found if one not in chunks)
            literally = [one for one in found if one in chunks and holds(chunks[one].indexed_text, literal)]
            quoted = literal in wanted.quoted
            for one in literally or found:
                held[one] = held.get(one, 0.0) + (self._tuning.quoted if quoted else self._tuning.referred)
            trail.exactly(literal, literally, found, quoted=quoted)
            fused = add(fused, literally or found)
        return prefer(fused, held) if held else fused

    def _in_a_row(self, text: str, within: Sequence[Reach]) -> list[Scored]:
        limit = self._tuning.candidates
        return merged(
            (self._keywords.phrase(reach.container_id, text, limit, reach.documents) for reach in within), limit
        )

    def _reranked(
        self, fused: list[Fused], understood: Understood, chunks: Mapping[ChunkId, Chunk], trail: "_Trail"
    ) -> list[Fused]:
        if self._reranker is None or not fused:
            return fused
        judged = [hit.chunk_id for hit in fused if hit.chunk_id in chunks][: self._tuning.reranked]
        scores = self._reranker.scores(understood.text, [chunks[one].indexed_text for one in judged])
        trail.reranked(len(fused), len(judged), self._reranker.name)
        return rescored(fused, dict(zip(judged, scores, strict=True)))

    # --- loading and telling -----------------------------------------------------------------------------------------

    def _load(self, hits: Iterable[Fused]) -> dict[ChunkId, Chunk]:
        return self._load_ids(hit.chunk_id for hit in hits)

    def _load_ids(self, ids: Iterable[ChunkId]) -> dict[ChunkId, Chunk]:
        wanted = list(ids)
        return {chunk.id: chunk for chunk in self._store.chunks(wanted)} if wanted else {}

    def _missing(self, within: "_Within") -> list[str]:
        missing = len(self._unindexed([reach.container_id for reach in within.reaches]) & within.documents.keys())
        if not missing:
            return []
        remark = (
            f"{missing} of {len(within.documents)} documents have no vectors of the present embedding model yet: "
            "until they are indexed again they are found by words only."
        )
        return [remark]


class _Within(NamedTuple):
    """What a search runs over. ``chosen`` says that the scope names its documents one by one."""

    documents: dict[DocumentId, Document]
    containers: list[Container]
    reaches: tuple[Reach, ...]
    chosen: bool

    @property
    def names(self) -> dict[ContainerId, str]:
        return {container.id: container.name for container in self.containers}


class _Trail:
    """The stages of a search as they pass, and remarks on them."""

    def __init__(self, within: _Within, understood: Understood) -> None:
        containers = len(within.reaches)
        where = f"in {containers} container{'' if containers == 1 else 's'}"
        self.stages = [Stage(name="scope", left=len(within.documents), note=where)]
        self.remarks: list[str] = []

    def candidates(self, left: int, near: Sequence[Scored], worded: Sequence[Scored], weight: float) -> None:
        self._add("candidates", left, f"{len(near)} by meaning, {len(worded)} by words")
        self._add("fusion", left, f"meaning weighs {weight:.2f}, words {1 - weight:.2f}")

    def named(self, found: int) -> None:
        self._add("names", found, "of the documents that the query names go first")

    def exactly(self, literal: str, literally: Sequence[ChunkId], found: Sequence[ChunkId], *, quoted: bool) -> None:
        if quoted or literally:
            self._add("word for word", len(literally), f"hold ‘{literal}’ and go first")
        if quoted and not literally:
            near = "; those that hold its words in other forms go first" if found else ""
            self.remarks.append(f"No passage in scope holds “{literal}” word for word{near}.")

    def reranked(self, left: int, judged: int, name: str) -> None:
        self._add("rerank", left, f"the first {judged} were judged by {name}")

    def cutoff(self, kept: Sequence[Fused], dropped: Sequence[tuple[Fused, str]]) -> None:
        reasons: dict[str, int] = {}
        for _, reason in dropped:
            reasons[reason] = reasons.get(reason, 0) + 1
        self._add("cut-off", len(kept), "; ".join(f"{count} {reason}" for reason, count in reasons.items()))

    def _add(self, name: str, left: int, note: str) -> None:
        self.stages.append(Stage(name=name, left=left, note=note))


def _is_chosen(scope: Scope) -> bool:
    return any(filters.document_ids is not None for filters in scope.filters)


def _narrowed(within: Sequence[Reach], documents: frozenset[DocumentId]) -> list[Reach]:
    return [
        Reach(container_id=reach.container_id, documents=both)
        for reach in within
        if (both := reach.documents & documents)
    ]


def _nothing(query: str, within: _Within, note: str) -> SearchOutcome:
    stages = (Stage(name="scope", left=len(within.documents), note=note),)
    return SearchOutcome(query, within.documents, within.names, 0, [], [], note, stages=stages)


def _weakness(kept: Sequence[Fused]) -> list[str]:
    similar = [hit.similarity for hit in kept if hit.similarity is not None]
    if not kept or not similar or max(similar) >= WEAK or max(hit.score for hit in kept) >= 1.0:
        return []
    return [
        "These are weak matches: none comes close in meaning. Check that they answer the question, or ask in other words."
    ]
