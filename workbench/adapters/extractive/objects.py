"""What the embedded model keeps of a conversation: nothing."""

from workbench.adapters.extractive.model import NAME
from workbench.domain.deletions import Fate, ProviderObject


class NothingKept:
    """The :class:`~workbench.services.ports.ProviderObjects` of the embedded model, whose responses are never stored."""

    def keeps(self, provider: str) -> bool:
        return provider == NAME

    def delete(self, kept: ProviderObject) -> Fate:
        return Fate.ALREADY_GONE
