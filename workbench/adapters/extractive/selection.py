"""Selection: which sentences of the gathered passages answer a question, and how well."""

import itertools
import math
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.adapters.extractive.concepts import SETTLES, asked, cued, decisive, evidence
from workbench.adapters.extractive.lexicon import Concept
from workbench.adapters.extractive.splitting import Sentence, split
from workbench.adapters.extractive.words import content, one_line, stem, stems
from workbench.domain.sources import SourceBlock
from workbench.services.ports import Embedder, Vector

EMBEDDED = 40
"""How many candidates are embedded a question: the best by words alone. Embedding is the slow part."""


class Weights(NamedTuple):
    """What each sign of an answer counts.

    ``meaning`` is the cosine to the question, ``wording`` that to the usual wording of the notions asked about, ``words`` the
    share of the question's words found, ``evidence`` how far a notion is dealt with, ``cue`` the right kind of answer,
    ``rank`` the place of the passage in its search, ``fragment`` is taken off what is no whole sentence.
    """

    meaning: float
    wording: float
    words: float
    evidence: float
    cue: float
    rank: float
    fragment: float


NOTION = Weights(meaning=0.15, wording=0.25, words=0.15, evidence=0.6, cue=0.05, rank=0.2, fragment=0.05)
"""For questions about a known notion. Found on real contracts kept apart from those the quality is reported on."""

PLAIN = Weights(meaning=0.9, wording=0.0, words=0.5, evidence=0.0, cue=0.15, rank=0.15, fragment=0.12)
"""For all others: only the question's own words and their meaning tell."""

SETTLED, TOUCHED = 0.62, 0.7
"""The least score of a sentence that settles the notion asked about, and of one that only touches it. A sentence that does
neither is no answer, however near it sounds."""

PLAIN_FLOOR, SECOND_FLOOR = 0.85, 1.0
"""The least score by the question's words alone; the second where a notion was asked about and nothing dealt with it."""

NEARNESS = 0.75
"""Further sentences need this share of the best score."""


class Pick(NamedTuple):
    """A chosen sentence: the words to quote, verbatim but for white space, and the block they stand in.

    ``evidence`` tells how far it deals with a notion asked about.
    """

    quote: str
    block: SourceBlock
    score: float
    evidence: float = 0.0


class _Candidate(NamedTuple):
    sentence: Sentence
    block: SourceBlock
    rank: int
    lexical: float


class Selector:
    """Scores sentences against questions. Vectors of sentences are kept for a while: a turn scores the same ones again."""

    def __init__(self, embedder: Embedder) -> None:
        self._vectors = _Vectors(embedder)

    def select(
        self, question: str, blocks: Sequence[SourceBlock], vocabulary: Mapping[str, int], limit: int
    ) -> list[Pick]:
        """Return at most ``limit`` sentences that answer ``question``, best first; none where none is good enough."""
        query = _Query.of(question, vocabulary)
        picks = self._answering(query, blocks)
        if not picks and query.weights is NOTION:
            plain = query._replace(weights=PLAIN)
            picks = [pick for pick in self._scored(plain, blocks) if pick.score >= SECOND_FLOOR]
        chosen: list[Pick] = []
        for pick in picks:
            if len(chosen) == limit or pick.score < NEARNESS * picks[0].score:
                break
            if not any(_alike(pick.quote, other.quote) for other in chosen):
                chosen.append(pick)
        return chosen

    def _answering(self, query: "_Query", blocks: Sequence[SourceBlock]) -> list[Pick]:
        """The sentences good enough to be an answer, best first."""
        scored = self._scored(query, blocks)
        if query.weights is PLAIN:
            return [pick for pick in scored if pick.score >= PLAIN_FLOOR]
        return [
            pick
            for pick in scored
            if pick.evidence and pick.score >= (SETTLED if pick.evidence >= SETTLES else TOUCHED)
        ]

    def opening(self, blocks: Sequence[SourceBlock], limit: int) -> list[Pick]:
        """Return the first full sentences of the blocks."""
        sentences = ((sentence, block) for block in blocks for sentence in split(block.content) if sentence.complete)
        return [Pick(sentence.text, block, 1.0) for sentence, block in itertools.islice(sentences, limit)]

    def _scored(self, query: "_Query", blocks: Sequence[SourceBlock]) -> list[Pick]:
        """Return the most promising sentences with their scores, best first."""
        candidates = [
            _Candidate(sentence, block, rank, query.lexical(sentence, rank))
            for rank, block in enumerate(blocks)
            for sentence in split(block.content)
        ]
        candidates.sort(key=lambda c: (-c.lexical, c.rank, c.sentence.start))
        candidates = candidates[:EMBEDDED]
        texts = [_in_context(candidate.sentence) for candidate in candidates]
        close = self._vectors.similarities(query.question, texts)
        worded = self._vectors.similarities(query.terms, texts) if query.terms else [0.0] * len(texts)
        scored = [
            (round(c.lexical + query.weights.meaning * near + query.weights.wording * like, 4), c)
            for c, near, like in zip(candidates, close, worded, strict=True)
        ]
        scored.sort(key=lambda pair: (-pair[0], pair[1].rank, pair[1].sentence.start))
        return [Pick(query.quote(c), c.block, score, query.evidence(c.sentence)) for score, c in scored]


class _Query(NamedTuple):
    """A question made ready: the notions it is about and the stems of its content words, rarer ones heavier."""

    question: str
    concepts: tuple[Concept, ...]
    keys: Mapping[str, float]
    weights: Weights

    @classmethod
    def of(cls, question: str, vocabulary: Mapping[str, int]) -> "_Query":
        concepts = asked(question)
        keys = {stem(word): 1.0 / math.log(8 + vocabulary.get(word, 0)) for word in content(question)}
        return cls(question, concepts, keys, NOTION if decisive(concepts) else PLAIN)

    @property
    def terms(self) -> str:
        return " ".join(concept.terms for concept in self.concepts)

    def lexical(self, sentence: Sentence, rank: int) -> float:
        """The part of the score that needs no embedding."""
        weights = self.weights
        found = stems(_in_context(sentence))
        total = sum(self.keys.values())
        overlap = sum(weight for key, weight in self.keys.items() if key in found) / total if total else 0.0
        return (
            weights.words * overlap
            + weights.evidence * self.evidence(sentence)
            + weights.cue * cued(self.question, sentence.text)
            + weights.rank / (1 + 0.5 * rank)
            - (0.0 if sentence.complete else weights.fragment)
        )

    def evidence(self, sentence: Sentence) -> float:
        """How far the sentence deals with a notion asked about."""
        return evidence(self.concepts, sentence.text, sentence.heading)

    def quote(self, candidate: _Candidate) -> str:
        """The sentence, with the title before it where that title carries what the question is about."""
        sentence = candidate.sentence
        if sentence.joined is None or not sentence.heading:
            return sentence.text
        title, text = stems(sentence.heading), stems(sentence.text)
        carried = any(key in title and key not in text for key in self.keys)
        named = any(c.says.search(sentence.heading) and not c.says.search(sentence.text) for c in self.concepts)
        whole = one_line(candidate.block.content[sentence.joined : sentence.end])
        return whole if (carried or named) and whole == _in_context(sentence) else sentence.text


def _in_context(sentence: Sentence) -> str:
    return f"{sentence.heading} {sentence.text}" if sentence.heading else sentence.text


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
