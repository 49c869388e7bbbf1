"""The contract of ReceiptStore, for every implementation."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from workbench.adapters.fakes.memory_receipts import MemoryReceiptStore
from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.receipts import SqlReceiptStore
from workbench.domain.deletions import Attempt, DeletedDocument, Fate, ProviderObject, Receipt, ReceiptItem, What
from workbench.domain.ids import ContainerId, DocumentId, ReceiptId, UserId
from workbench.services.ports import ReceiptStore

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
LEGAL = ContainerId("ctr_legal")


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest, open_store: Callable[[str], Database]) -> ReceiptStore:
    return MemoryReceiptStore() if request.param == "memory" else SqlReceiptStore(open_store(request.param))


def receipt(number: int = 1, **values: Any) -> Receipt:
    values = {
        "id": ReceiptId(f"rcpt_{number}"),
        "kind": "document",
        "subject": f"doc_{number}",
        "name": "lease.docx",
        "container_id": LEGAL,
        "container": "Legal",
        "documents": (gone(f"doc_{number}"),),
        "asked_by": UserId("ana"),
        "asked_at": NOON,
        "items": (ReceiptItem(what=What.PAGES, subject=f"doc_{number}", before=7),),
    } | values
    return Receipt(**values)


def gone(document_id: str, version: int = 1) -> DeletedDocument:
    return DeletedDocument(id=DocumentId(document_id), container_id=LEGAL, name="lease.docx.pdf", version=version)


def attempt(detail: str = "", fate: Fate = Fate.UNCONFIRMED) -> Attempt:
    return Attempt(what=What.VECTORS, subject="doc_1", fate=fate, detail=detail, at=NOON)


def test_a_receipt_comes_back_as_it_was_saved(store: ReceiptStore, hostile: str) -> None:
    response = ProviderObject(what=What.RESPONSE, id=hostile, provider="https://host/v1#model#chain")
    item = ReceiptItem(
        what=What.RESPONSE,
        subject=hostile,
        name=hostile,
        before=1,
        fate=Fate.UNCONFIRMED,
        detail=hostile,
        at=NOON,
        tries=2,
        at_provider=response,
    )
    zone = timezone(timedelta(hours=-3, minutes=-30))
    saved = receipt(name=hostile, container=hostile, items=(item,), asked_at=NOON.astimezone(zone), next_try_at=NOON)

    store.save_receipt(saved)

    assert store.receipt(saved.id) == saved
    assert store.receipts() == [saved]


def test_an_unknown_receipt_is_none(store: ReceiptStore, hostile: str) -> None:
    assert store.receipt(ReceiptId(hostile)) is None
    assert store.attempts(ReceiptId(hostile)) == []
    assert store.receipts_of([hostile]) == []


def test_saving_again_replaces_the_receipt(store: ReceiptStore) -> None:
    store.save_receipt(receipt())

    store.save_receipt(receipt(settled_at=NOON))

    assert [held.settled_at for held in store.receipts()] == [NOON]


def test_open_ones_alone_are_those_with_something_left(store: ReceiptStore) -> None:
    store.save_receipt(receipt(1))
    store.save_receipt(receipt(2, settled_at=NOON))
    store.save_receipt(receipt(3))
    store.save_receipt(receipt(3, settled_at=NOON))

    assert [held.id for held in store.receipts(open_only=True)] == ["rcpt_1"]


def test_the_latest_comes_first_then_by_id(store: ReceiptStore) -> None:
    east = timezone(timedelta(hours=9))
    store.save_receipt(receipt(2))
    store.save_receipt(receipt(1))
    store.save_receipt(receipt(3, asked_at=datetime(2026, 3, 2, 20, 0, tzinfo=east)))  # 11:00 UTC
    store.save_receipt(receipt(4, asked_at=NOON + timedelta(minutes=1)))

    assert [held.id for held in store.receipts()] == ["rcpt_4", "rcpt_1", "rcpt_2", "rcpt_3"]


def test_a_receipt_is_found_by_each_document_it_tells_of(store: ReceiptStore) -> None:
    store.save_receipt(receipt(1, documents=(gone("doc_a"), gone("doc_b", version=2))))
    store.save_receipt(receipt(2, documents=(gone("doc_c"),)))

    assert [held.id for held in store.receipts_of(["doc_b"])] == ["rcpt_1"]
    assert [held.id for held in store.receipts_of(["doc_a", "doc_b", "doc_c"])] == ["rcpt_1", "rcpt_2"]
    assert store.receipts_of([]) == []


def test_a_conversations_receipt_is_found_by_the_conversation(store: ReceiptStore) -> None:
    store.save_receipt(receipt(1, kind="conversation", subject="conv_1", documents=(), container_id=None))

    assert [held.id for held in store.receipts_of(["conv_1", "conv_2"])] == ["rcpt_1"]


def test_many_subjects_are_looked_up_at_once(store: ReceiptStore) -> None:
    store.save_receipt(receipt(1, documents=(gone("doc_5"), gone("doc_1900"))))

    assert [held.id for held in store.receipts_of([f"doc_{number}" for number in range(2_000)])] == ["rcpt_1"]


def test_attempts_are_added_and_stay_in_order_whatever_the_receipt_becomes(store: ReceiptStore) -> None:
    store.save_receipt(receipt(1), [attempt("locked"), attempt("full")])
    store.save_receipt(receipt(1, settled_at=NOON), [attempt("", Fate.DELETED)])
    store.save_receipt(receipt(2), [attempt("another's")])

    assert [(each.fate, each.detail) for each in store.attempts(ReceiptId("rcpt_1"))] == [
        (Fate.UNCONFIRMED, "locked"),
        (Fate.UNCONFIRMED, "full"),
        (Fate.DELETED, ""),
    ]


def test_threads_lose_no_attempt(store: ReceiptStore, together: Callable[..., list[Any]]) -> None:
    store.save_receipt(receipt())

    def work(index: int) -> None:
        for step in range(5):
            store.save_receipt(receipt(), [attempt(f"{index}.{step}")])

    assert together(work, 6) == [None] * 6
    told = [each.detail for each in store.attempts(ReceiptId("rcpt_1"))]
    assert sorted(told) == sorted(f"{index}.{step}" for index in range(6) for step in range(5))
    assert [each for each in told if each.startswith("3.")] == [f"3.{step}" for step in range(5)]
