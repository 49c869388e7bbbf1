"""The two engines alone, as the measurements compare them with the whole search."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.scope import Reach
from workbench.services.ports import Embedder, KeywordIndex, Scored, VectorIndex
from workbench.services.retrieval.ranking import merged


class Engines(NamedTuple):
    embedder: Embedder
    vectors: VectorIndex
    keywords: KeywordIndex

    def by_meaning(self, text: str, within: Sequence[Reach], limit: int) -> list[Scored]:
        """Embed the query and ask the vector index, and nothing else."""
        vector = self.embedder.embed_query(text)
        return merged((self.vectors.query(each.container_id, vector, limit, each.documents) for each in within), limit)

    def by_words(self, text: str, within: Sequence[Reach], limit: int) -> list[Scored]:
        return merged((self.keywords.query(each.container_id, text, limit, each.documents) for each in within), limit)
