"""A store of gaps in memory."""

import threading
from collections.abc import Sequence

from workbench.domain.gaps import Gap
from workbench.domain.ids import ConversationId, GapId


class MemoryGapStore:
    """A :class:`~workbench.services.ports.GapStore` that ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._gaps: dict[GapId, Gap] = {}

    def add_gap(self, gap: Gap) -> None:
        with self._lock:
            self._gaps[gap.id] = gap

    def gaps(self) -> list[Gap]:
        with self._lock:
            return sorted(self._gaps.values(), key=lambda gap: (-gap.asked_at.timestamp(), gap.id))

    def delete_gaps(self, gap_ids: Sequence[GapId]) -> None:
        with self._lock:
            for gap_id in gap_ids:
                self._gaps.pop(gap_id, None)

    def gaps_of(self, conversation_id: ConversationId) -> list[Gap]:
        return [gap for gap in self.gaps() if gap.conversation_id == conversation_id]

    def delete_gaps_of(self, conversation_id: ConversationId) -> None:
        with self._lock:
            self._gaps = {key: gap for key, gap in self._gaps.items() if gap.conversation_id != conversation_id}
