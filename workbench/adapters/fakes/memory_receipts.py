"""A store of receipts in memory."""

import threading
from collections import defaultdict
from collections.abc import Sequence

from workbench.domain.deletions import Attempt, Receipt
from workbench.domain.ids import ReceiptId


class MemoryReceiptStore:
    """A :class:`~workbench.services.ports.ReceiptStore` that ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._receipts: dict[ReceiptId, Receipt] = {}
        self._attempts: defaultdict[ReceiptId, tuple[Attempt, ...]] = defaultdict(tuple)

    def save_receipt(self, receipt: Receipt, attempts: Sequence[Attempt] = ()) -> None:
        with self._lock:
            self._receipts[receipt.id] = receipt
            self._attempts[receipt.id] += tuple(attempts)

    def receipt(self, receipt_id: ReceiptId) -> Receipt | None:
        return self._receipts.get(receipt_id)

    def receipts(self, *, open_only: bool = False) -> list[Receipt]:
        with self._lock:
            found = [receipt for receipt in self._receipts.values() if receipt.open or not open_only]
        return sorted(found, key=lambda receipt: (-receipt.asked_at.timestamp(), receipt.id))

    def receipts_of(self, subjects: Sequence[str]) -> list[Receipt]:
        wanted = set(subjects)
        return [receipt for receipt in self.receipts() if wanted.intersection(receipt.subjects)]

    def attempts(self, receipt_id: ReceiptId) -> list[Attempt]:
        with self._lock:
            return list(self._attempts.get(receipt_id, ()))
