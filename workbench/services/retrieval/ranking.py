"""Ranked candidates and the pure stages that order and cut them. Every stage says what it cut and why."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from workbench.domain.chunks import Chunk
from workbench.domain.ids import ChunkId
from workbench.services.ports import Scored


class Fused(NamedTuple):
    """A candidate after fusion. ``score`` is 0 to 1, more where the query wants the passage word for word; ``similarity`` is
    its cosine, None where only words matched."""

    chunk_id: ChunkId
    score: float
    similarity: float | None
    by_keyword: bool


class Ranked(NamedTuple):
    """A passage with its fused score; ``reason`` says why it was cut and is empty while it is kept."""

    chunk: Chunk
    score: float
    reason: str = ""


def fuse(vector: Sequence[Scored], keyword: Sequence[Scored], vector_weight: float) -> list[Fused]:
    """Fuse two candidate lists by min-max scaled scores, best first; ties are broken by id, so the order is stable.

    Each list is scaled over itself: its best candidate counts 1, its last 0, and one that an engine did not find 0.
    """
    near, worded = _scaled(vector), _scaled(keyword)
    similarity = {hit.chunk_id: hit.score for hit in vector}
    fused = [
        Fused(
            chunk_id=chunk_id,
            score=vector_weight * near.get(chunk_id, 0.0) + (1 - vector_weight) * worded.get(chunk_id, 0.0),
            similarity=similarity.get(chunk_id),
            by_keyword=chunk_id in worded,
        )
        for chunk_id in near.keys() | worded.keys()
    ]
    return in_order(fused)


def _scaled(hits: Sequence[Scored]) -> Mapping[ChunkId, float]:
    if not hits:
        return {}
    top, bottom = max(hit.score for hit in hits), min(hit.score for hit in hits)
    spread = top - bottom
    return {hit.chunk_id: (hit.score - bottom) / spread if spread else 1.0 for hit in hits}


def favour(everywhere: Sequence[Fused], named: Iterable[Sequence[Fused]], others: float) -> list[Fused]:
    """Put the candidates of named documents first: each list keeps its scores, all others count ``others`` of theirs."""
    best = {hit.chunk_id: hit._replace(score=others * hit.score) for hit in everywhere}
    best |= {hit.chunk_id: hit for hits in named for hit in hits}
    return in_order(best.values())


def add(fused: Sequence[Fused], found: Iterable[ChunkId]) -> list[Fused]:
    """Add candidates that only hold a phrase in a row, at the end; those that are there already stay as they are."""
    known = {hit.chunk_id for hit in fused}
    return [*fused, *(Fused(one, 0.0, None, by_keyword=True) for one in dict.fromkeys(found) if one not in known)]


def prefer(fused: Sequence[Fused], held: Mapping[ChunkId, float]) -> list[Fused]:
    """Raise the scores of passages that hold what is wanted word for word."""
    return in_order(hit._replace(score=hit.score + held.get(hit.chunk_id, 0.0)) for hit in fused)


def spread(fused: Sequence[Fused], page: Mapping[ChunkId, tuple[str, int]], share: float) -> list[Fused]:
    """Let further passages of a page count ``share`` of the one before, so that one page does not take every place.

    ``page`` names the page of each passage; those it does not name stay as they are.
    """
    seen: Counter[tuple[str, int]] = Counter()
    result: list[Fused] = []
    for hit in fused:
        key = page.get(hit.chunk_id)
        before = seen[key] if key is not None else 0
        result.append(hit._replace(score=hit.score * share**before) if before else hit)
        if key is not None:
            seen[key] += 1
    return in_order(result)


def rescored(fused: Sequence[Fused], scores: Mapping[ChunkId, float]) -> list[Fused]:
    """Order by a reranker's scores; what it did not judge follows in its old order, below everything judged."""
    judged = in_order(hit._replace(score=scores[hit.chunk_id]) for hit in fused if hit.chunk_id in scores)
    least = min((hit.score for hit in judged), default=1.0)
    top = max((hit.score for hit in fused), default=1.0) or 1.0
    return [*judged, *(hit._replace(score=least * hit.score / top) for hit in fused if hit.chunk_id not in scores)]


def in_order(hits: Iterable[Fused]) -> list[Fused]:
    """Best first; ties are broken by id, so the order is stable."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


class Cutoff(NamedTuple):
    """Where to stop: keep scores of at least ``band`` times the best, but ``at_least`` and ``at_most`` so many.

    A passage that shares no word with the query is kept only from ``floor`` cosine on, however few are left.
    """

    band: float = 0.4
    at_least: int = 3
    at_most: int = 8
    floor: float = 0.2


def cut(fused: Sequence[Fused], cutoff: Cutoff) -> tuple[list[Fused], list[tuple[Fused, str]]]:
    """Split ``fused`` (best first) into those kept and those cut with the reason."""
    kept: list[Fused] = []
    dropped: list[tuple[Fused, str]] = []
    top = fused[0].score if fused else 0.0
    for hit in fused:
        if not hit.by_keyword and (hit.similarity is None or hit.similarity < cutoff.floor):
            dropped.append((hit, f"no word in common and similarity under {cutoff.floor:.2f}"))
        elif len(kept) >= cutoff.at_most:
            dropped.append((hit, f"over the {cutoff.at_most} passages of one search"))
        elif len(kept) >= cutoff.at_least and hit.score < cutoff.band * top:
            dropped.append((hit, f"score under {cutoff.band:.2f} of the best"))
        else:
            kept.append(hit)
    return kept, dropped


def shingles(text: str, size: int = 5) -> frozenset[str]:
    """Return the runs of ``size`` words of a text, lower case; a shorter text is one run."""
    words = text.casefold().split()
    if len(words) <= size:
        return frozenset([" ".join(words)])
    return frozenset(" ".join(words[start : start + size]) for start in range(len(words) - size + 1))


def near_identical(left: frozenset[str], right: frozenset[str], threshold: float = 0.85) -> bool:
    """Tell whether two texts share nearly all their shingles (Jaccard similarity, Broder 1997)."""
    union = len(left | right)
    return union > 0 and len(left & right) / union >= threshold


def merged(lists: Iterable[Sequence[Scored]], limit: int) -> list[Scored]:
    """Merge candidate lists of one engine over several containers, best first, ``limit`` in all."""
    everything = [hit for hits in lists for hit in hits]
    return sorted(everything, key=lambda hit: (-hit.score, hit.chunk_id))[:limit]
