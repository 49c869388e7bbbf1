"""An embedder without a model: words hashed to the axes of a small space."""

import hashlib
import math
import re
from collections.abc import Sequence

from workbench.services.ports import Vector

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """An :class:`~workbench.services.ports.Embedder` in which texts that share words are near, the same on every machine.

    A text without a word stands on an axis that no word has.
    """

    fingerprint = "hashing-64"
    dimensions = 64
    max_tokens = 256

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        vector = [0.0] * self.dimensions
        for word in _WORD.findall(text.casefold())[: self.max_tokens]:
            vector[1 + _hash(word) % (self.dimensions - 1)] += 1.0
        length = math.sqrt(sum(value * value for value in vector))
        if not length:
            return [1.0, *vector[1:]]
        return [value / length for value in vector]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(_WORD.findall(text)) for text in texts]


def _hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
