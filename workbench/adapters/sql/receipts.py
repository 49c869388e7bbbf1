"""The store of receipts: what was deleted, and every attempt at it."""

from collections.abc import Sequence

from sqlalchemy import Connection, Select, delete, func, insert, select

from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.records import batches, put, read
from workbench.adapters.sql.tables import RECEIPT_ATTEMPTS, RECEIPT_SUBJECTS, RECEIPTS
from workbench.domain.deletions import Attempt, Receipt
from workbench.domain.ids import ReceiptId


class SqlReceiptStore:
    """A :class:`~workbench.services.ports.ReceiptStore` in a relational database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_receipt(self, receipt: Receipt, attempts: Sequence[Attempt] = ()) -> None:
        values = {"asked_at": receipt.asked_at, "is_open": receipt.open, "value": receipt.model_dump_json()}
        with self._database.writing() as connection:
            put(connection, RECEIPTS, {"id": receipt.id}, values)
            _put_subjects(connection, receipt)
            _add(connection, receipt.id, attempts)

    def receipt(self, receipt_id: ReceiptId) -> Receipt | None:
        found = self._receipts(_WITH_VALUE.where(RECEIPTS.c.id == receipt_id))
        return found[0] if found else None

    def receipts(self, *, open_only: bool = False) -> list[Receipt]:
        return self._receipts(_WITH_VALUE.where(RECEIPTS.c.is_open) if open_only else _WITH_VALUE)

    def receipts_of(self, subjects: Sequence[str]) -> list[Receipt]:
        found: dict[str, Receipt] = {}
        for some in batches(list(dict.fromkeys(subjects))):
            named = select(RECEIPT_SUBJECTS.c.receipt_id).where(RECEIPT_SUBJECTS.c.subject.in_(some))
            found |= {each.id: each for each in self._receipts(_WITH_VALUE.where(RECEIPTS.c.id.in_(named)))}
        return sorted(found.values(), key=_latest_first)

    def attempts(self, receipt_id: ReceiptId) -> list[Attempt]:
        wanted = (
            select(RECEIPT_ATTEMPTS.c.number, RECEIPT_ATTEMPTS.c.value)
            .where(RECEIPT_ATTEMPTS.c.receipt_id == receipt_id)
            .order_by(RECEIPT_ATTEMPTS.c.number)
        )
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [read(Attempt, value, f"attempt {number} of receipt {receipt_id}") for number, value in rows]

    def _receipts(self, wanted: Select[str, str]) -> list[Receipt]:
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return sorted((read(Receipt, value, f"receipt {key}") for key, value in rows), key=_latest_first)


_WITH_VALUE = select(RECEIPTS.c.id, RECEIPTS.c.value)


def _latest_first(receipt: Receipt) -> tuple[float, str]:
    return (-receipt.asked_at.timestamp(), receipt.id)


def _put_subjects(connection: Connection, receipt: Receipt) -> None:
    connection.execute(delete(RECEIPT_SUBJECTS).where(RECEIPT_SUBJECTS.c.receipt_id == receipt.id))
    rows = [{"receipt_id": receipt.id, "subject": subject} for subject in dict.fromkeys(receipt.subjects)]
    connection.execute(insert(RECEIPT_SUBJECTS), rows)


def _add(connection: Connection, receipt_id: ReceiptId, attempts: Sequence[Attempt]) -> None:
    if not attempts:
        return
    # The receipt's row was written in this transaction, so no other writer counts at the same time.
    held = select(func.count()).select_from(RECEIPT_ATTEMPTS).where(RECEIPT_ATTEMPTS.c.receipt_id == receipt_id)
    first = (connection.scalar(held) or 0) + 1
    rows = [
        {"receipt_id": receipt_id, "number": number, "value": attempt.model_dump_json()}
        for number, attempt in enumerate(attempts, first)
    ]
    connection.execute(insert(RECEIPT_ATTEMPTS), rows)
