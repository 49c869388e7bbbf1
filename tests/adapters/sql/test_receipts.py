"""Receipts in databases that were made before there were any."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from workbench.adapters.sql.engine import open_database
from workbench.adapters.sql.receipts import SqlReceiptStore
from workbench.domain.deletions import Receipt
from workbench.domain.ids import ReceiptId, UserId

pytestmark = pytest.mark.req("CHAT-2", "CHAT-3")


def test_a_database_of_an_earlier_version_gets_the_tables(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/pincite.db"
    earlier = open_database(url)
    with earlier.writing() as connection:
        for table in ("receipt_attempts", "receipt_subjects", "receipts"):
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text("DELETE FROM migrations WHERE name = 'add_receipts'"))
    earlier.close()

    database = open_database(url)

    now = datetime(2026, 6, 1, tzinfo=UTC)
    receipt = Receipt(
        id=ReceiptId("rcpt_1"), kind="document", subject="doc_1", name="a", asked_by=UserId("ana"), asked_at=now
    )
    SqlReceiptStore(database).save_receipt(receipt)
    assert SqlReceiptStore(database).receipts() == [receipt]
    database.close()
