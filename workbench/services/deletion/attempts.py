"""One attempt at a deletion: every step that is not settled runs, and what it found is written down at once."""

import logging
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from workbench.domain.deletions import Attempt, Fate, Receipt, ReceiptItem, wait_after
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import ReceiptId
from workbench.services.deletion.steps import Plan, Step
from workbench.services.ports import Clock, ReceiptStore

log = logging.getLogger(__name__)


class Attempts:
    """Works at receipts, one attempt at a time for each. ``plans`` are by the kind of a receipt."""

    def __init__(self, receipts: ReceiptStore, plans: Mapping[str, Plan], clock: Clock) -> None:
        self._receipts = receipts
        self._plans = plans
        self._clock = clock
        self._guard = threading.Lock()
        self._working: defaultdict[ReceiptId, threading.Lock] = defaultdict(threading.Lock)

    def begin(self, receipt_id: ReceiptId) -> Receipt:
        """Run the first steps, after which nothing of it is found any more."""
        with self._alone(receipt_id):
            receipt = self._required(receipt_id)
            if receipt.open:
                receipt = self._run(receipt, self._plans[receipt.kind].first(receipt))
            return receipt

    def run(self, receipt_id: ReceiptId) -> Receipt:
        """Run every step that is not settled; say when to try again what is left, or that nothing is."""
        with self._alone(receipt_id):
            receipt = self._required(receipt_id)
            if not receipt.open:
                return receipt
            plan = self._plans[receipt.kind]
            receipt = self._run(receipt, plan.first(receipt))
            receipt = self._run(receipt, plan.rest(receipt))
            return self._ended(receipt)

    def _run(self, receipt: Receipt, steps: Iterable[Step]) -> Receipt:
        for step in steps:
            settled = {item.key for item in receipt.items if item.fate.settled}
            if not settled.issuperset(step.keys):
                receipt = self._step(receipt, step)
        return receipt

    def _step(self, receipt: Receipt, step: Step) -> Receipt:
        def keep(items: Sequence[ReceiptItem]) -> None:
            nonlocal receipt
            receipt = receipt.with_items(tuple(items))
            self._receipts.save_receipt(receipt)

        try:
            items = step.run(keep)
        except PinciteError as error:
            log.warning("the step %s of deletion %s is not confirmed: %s", step.name, receipt.id, error)
            items = [_unconfirmed(item, str(error)) for item in receipt.items if item.key in step.keys]
        except Exception as error:
            # Whatever an index or a disk raises is written into the receipt, and the other steps go on.
            log.exception("the step %s of deletion %s failed", step.name, receipt.id)
            items = [_unconfirmed(item, _words(error)) for item in receipt.items if item.key in step.keys]
        return self._saved(receipt, items)

    def _saved(self, receipt: Receipt, items: Sequence[ReceiptItem]) -> Receipt:
        now = self._clock.now()
        tried = [item.model_copy(update={"at": now, "tries": item.tries + 1}) for item in items]
        receipt = receipt.with_items(tuple(tried))
        attempts = [
            Attempt(what=item.what, subject=item.subject, fate=item.fate, detail=item.detail, at=now) for item in tried
        ]
        if tried:
            self._receipts.save_receipt(receipt, attempts)
        return receipt

    def _ended(self, receipt: Receipt) -> Receipt:
        tries, now = receipt.tries + 1, self._clock.now()
        ended = {"next_try_at": now + wait_after(tries)} if receipt.left else {"next_try_at": None, "settled_at": now}
        receipt = receipt.model_copy(update={"tries": tries, **ended})
        self._receipts.save_receipt(receipt)
        return receipt

    def _required(self, receipt_id: ReceiptId) -> Receipt:
        receipt = self._receipts.receipt(receipt_id)
        if receipt is None:
            raise NotFound("There is no such receipt.", "Choose from the list of receipts.")
        return receipt

    def _alone(self, receipt_id: ReceiptId) -> threading.Lock:
        with self._guard:
            return self._working[receipt_id]


def _unconfirmed(item: ReceiptItem, why: str) -> ReceiptItem:
    return item.model_copy(update={"fate": Fate.UNCONFIRMED, "detail": why})


def _words(error: Exception) -> str:
    """Say an error without its place on this machine."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}."
    return f"{type(error).__name__}: {error}"
