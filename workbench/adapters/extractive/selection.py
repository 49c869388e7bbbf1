"""Selection: which sentences of the gathered passages answer a question, and how well."""

import itertools
import math
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.adapters.extractive.concepts import asked, cued, evidence
from workbench.adapters.extractive.lexicon import Concept
from workbench.adapters.extractive.splitting import Sentence, split
from workbench.adapters.extractive.words import content, one_line, stem, stems
from workbench.domain.sources import SourceBlock
from workbench.services.ports import Embedder, Vector

EMBEDDED = 40
"""How many candidates are embedded a question: the best by words alone. Embedding is the slow part."""


class Weights(NamedTuple):
    """What each sign of an answer counts. Found on contracts kept apart from those the quality is reported on."""

    meaning: float = 0.9
    words: float = 0.25
    evidence: float = 0.6
    cue: float = 0.15
    rank: float = 0.15
    fragment: float = 0.12
    floor: float = 0.62
    """The least score at which a sentence counts as an answer to a question about no known notion."""
    conceptual_floor: float = 0.85
    """The same where the question is about a known notion, whose wording then counts."""
    nearness: float = 0.8
    """Further sentences need this share of the best score."""


class Pick(NamedTuple):
    """A chosen sentence: the words to quote, verbatim but for white space, and the block they stand in."""

    quote: str
    block: SourceBlock
    score: float


class _Candidate(NamedTuple):
    sentence: Sentence
    block: SourceBlock
    rank: int
    lexical: float


class Selector:
    """Scores sentences against questions. Vectors of sentences are kept for a while: a turn scores the same ones again."""

    def __init__(self, embedder: Embedder, weights: Weights | None = None) -> None:
        self._vectors = _Vectors(embedder)
        self._weights = weights or Weights()

    def select(
        self, question: str, blocks: Sequence[SourceBlock], vocabulary: Mapping[str, int], limit: int
    ) -> list[Pick]:
        """Return at most ``limit`` sentences that answer ``question``, best first; none where none is good enough."""
        concepts = asked(question)
        floor = self._weights.conceptual_floor if concepts else self._weights.floor
        picks = [pick for pick in self.scored(question, concepts, blocks, vocabulary) if pick.score >= floor]
        chosen: list[Pick] = []
        for pick in picks:
            if len(chosen) == limit or pick.score < self._weights.nearness * picks[0].score:
                break
            if not any(_alike(pick.quote, other.quote) for other in chosen):
                chosen.append(pick)
        return chosen

    def opening(self, blocks: Sequence[SourceBlock], limit: int) -> list[Pick]:
        """Return the first full sentences of the blocks."""
        sentences = ((sentence, block) for block in blocks for sentence in split(block.content) if sentence.complete)
        return [Pick(sentence.text, block, 1.0) for sentence, block in itertools.islice(sentences, limit)]

    def scored(
        self,
        question: str,
        concepts: tuple[Concept, ...],
        blocks: Sequence[SourceBlock],
        vocabulary: Mapping[str, int],
    ) -> list[Pick]:
        """Return the most promising sentences with their scores, best first."""
        weights = self._weights
        keys = _key_stems(question, vocabulary)
        candidates = [
            _Candidate(sentence, block, rank, self._lexical(question, concepts, keys, sentence, rank))
            for rank, block in enumerate(blocks)
            for sentence in split(block.content)
        ]
        candidates.sort(key=lambda c: (-c.lexical, c.rank, c.sentence.start))
        candidates = candidates[:EMBEDDED]
        meaning = self._vectors.similarities(question, [_in_context(c.sentence) for c in candidates])
        picks = [
            (Pick(_quote(c, keys, concepts), c.block, round(c.lexical + weights.meaning * close, 4)), c)
            for c, close in zip(candidates, meaning, strict=True)
        ]
        picks.sort(key=lambda pair: (-pair[0].score, pair[1].rank, pair[1].sentence.start))
        return [pick for pick, _ in picks]

    def _lexical(
        self, question: str, concepts: tuple[Concept, ...], keys: Mapping[str, float], sentence: Sentence, rank: int
    ) -> float:
        weights = self._weights
        found = stems(f"{sentence.heading} {sentence.text}")
        total = sum(keys.values())
        overlap = sum(weight for key, weight in keys.items() if key in found) / total if total else 0.0
        return (
            weights.words * overlap
            + weights.evidence * evidence(concepts, sentence.text, sentence.heading)
            + weights.cue * cued(question, sentence.text)
            + weights.rank / (1 + 0.5 * rank)
            - (0.0 if sentence.complete else weights.fragment)
        )


def _key_stems(question: str, vocabulary: Mapping[str, int]) -> dict[str, float]:
    """The stems of the question's content words, rarer ones heavier."""
    return {stem(word): 1.0 / math.log(8 + vocabulary.get(word, 0)) for word in content(question)}


def _in_context(sentence: Sentence) -> str:
    return f"{sentence.heading} {sentence.text}" if sentence.heading else sentence.text


def _quote(candidate: _Candidate, keys: Mapping[str, float], concepts: tuple[Concept, ...]) -> str:
    """The sentence, with the title before it where that title carries what the question is about."""
    sentence = candidate.sentence
    if sentence.joined is None or not sentence.heading:
        return sentence.text
    carried = any(key in stems(sentence.heading) and key not in stems(sentence.text) for key in keys)
    named = any(c.says.search(sentence.heading) and not c.says.search(sentence.text) for c in concepts)
    if not (carried or named):
        return sentence.text
    whole = one_line(candidate.block.content[sentence.joined : sentence.end])
    return whole if whole == f"{sentence.heading} {sentence.text}" else sentence.text


def _alike(left: str, right: str) -> bool:
    a, b = stems(left), stems(right)
    return left in right or right in left or len(a & b) >= 0.8 * max(1, min(len(a), len(b)))


class _Vectors:
    """The most recent sentence vectors, shared by all turns."""

    KEPT = 4000

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of each text to the question."""
        if not texts:
            return []
        query = self._embedder.embed_query(question)
        return [sum(a * b for a, b in zip(query, vector, strict=True)) for vector in self._of(texts)]

    def _of(self, texts: Sequence[str]) -> list[Vector]:
        with self._lock:
            known = {text: self._kept[text] for text in texts if text in self._kept}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        if missing:
            known.update(zip(missing, self._embedder.embed_passages(missing), strict=True))
        with self._lock:
            for text in texts:
                self._kept[text] = known[text]
                self._kept.move_to_end(text)
            while len(self._kept) > self.KEPT:
                self._kept.popitem(last=False)
        return [known[text] for text in texts]
