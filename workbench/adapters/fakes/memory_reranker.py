"""A reranker that counts words in common."""

from collections.abc import Sequence


class MemoryReranker:
    """A :class:`~workbench.services.ports.Reranker`: the share of the query's words that a passage holds."""

    name = "words in common"

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        wanted = set(query.casefold().split())
        return [len(wanted & set(passage.casefold().split())) / max(1, len(wanted)) for passage in passages]
