"""Deleting documents: nothing is left, and the receipt says so part by part."""

from collections.abc import Callable

import pytest

from tests.services.deletion.conftest import ANA, EVE, LEGAL, SALES, Killed, World, fates
from workbench.domain.deletions import Fate, Receipt, What
from workbench.domain.errors import NotAllowed, NotFound, PinciteError, SourceDeleted
from workbench.domain.ids import DocumentId, ReceiptId, UserId
from workbench.domain.rights import Access, Role

pytestmark = pytest.mark.req("CHAT-3")

PARTS = {
    What.RECORD: 1,
    What.PASSAGES: 3,
    What.PAGES: 2,
    What.TABLES: 1,
    What.VECTORS: 3,
    What.KEYWORDS: 3,
    What.ORIGINAL: 1,
    What.PAGE_PDF: 1,
    What.IMAGES: 4,
}
"""What the world's documents consist of, where the page PDF is a file of its own."""


def test_every_part_goes_and_is_counted_before(world: World) -> None:
    document, other = world.put("lease.docx", b"docx", b"%PDF lease"), world.put("other.pdf", b"%PDF other")

    receipt = world.deletion.delete_document(ANA, document.id)

    assert world.is_gone(document)
    assert {item.what: item.before for item in receipt.items} == PARTS
    assert set(fates(receipt).values()) == {Fate.DELETED}
    assert not receipt.open
    assert world.store.document(other.id) == other
    assert world.rows(other) == (3, 3)
    assert world.has_file(other.content_hash)
    assert world.pictures.kept(other.canonical_hash) == 4


def test_the_receipt_stays_readable_and_says_who_asked_for_what_and_when(world: World) -> None:
    document = world.put("lease.docx.pdf", b"%PDF")
    asked_at = world.clock.now()

    receipt = world.deletion.delete_document(ANA, document.id)
    world.clock.advance(3600)
    world.restart()

    kept = world.deletion.receipt(ANA, receipt.id)
    assert (kept.name, kept.container, kept.asked_by, kept.asked_at) == ("lease.docx", "Legal", "ana", asked_at)
    assert kept.settled_at == asked_at
    assert [each.what for each in world.deletion.history(ANA, receipt.id)] == [item.what for item in kept.items]


def test_a_pdf_is_one_file(world: World) -> None:
    receipt = world.deletion.delete_document(ANA, world.put("a.pdf", b"%PDF").id)
    assert What.PAGE_PDF not in fates(receipt)


def test_who_may_not_see_the_document_sees_neither_it_nor_its_receipt(world: World) -> None:
    document = world.put("a.pdf", b"%PDF")
    told = []
    for document_id in (document.id, DocumentId("doc_none")):
        with pytest.raises(NotFound) as missing:
            world.deletion.delete_document(EVE, document_id)
        told.append(str(missing.value))
    receipt = world.deletion.delete_document(ANA, document.id)
    for ask in (world.deletion.receipt, world.deletion.history, world.deletion.retry):
        for receipt_id in (receipt.id, ReceiptId("rcpt_none")):
            with pytest.raises(NotFound) as missing:
                ask(EVE, receipt_id)
            told.append(str(missing.value))
    with pytest.raises(NotFound) as missing:
        world.deletion.delete_document(EVE, document.id)

    assert len(set(told)) == 2  # one for documents, one for receipts
    assert str(missing.value) == told[0]
    assert world.deletion.receipts(EVE) == []
    assert world.deletion.receipts(ANA) == [receipt]


def test_deleting_again_gives_the_same_receipt(world: World) -> None:
    document = world.put("a.pdf", b"%PDF")
    first = world.deletion.delete_document(ANA, document.id)
    assert world.deletion.delete_document(ANA, document.id) == first
    assert len(world.deletion.receipts(ANA)) == 1


# --- files that others use


def test_a_file_that_another_document_uses_is_kept_and_that_is_said(world: World) -> None:
    document, twin = world.put("a.pdf", b"%PDF same"), world.put("copy of a.pdf", b"%PDF same")

    receipt = world.deletion.delete_document(ANA, document.id)

    items = {item.what: item for item in receipt.items}
    for what in (What.ORIGINAL, What.IMAGES):
        assert (items[what].fate, items[what].detail) == (Fate.KEPT, "Also used by copy of a.pdf.")
    assert not receipt.open
    assert world.has_file(twin.content_hash)

    world.deletion.delete_document(ANA, twin.id)
    assert not world.has_file(twin.content_hash)


def test_what_uses_a_file_in_another_container_is_not_named(world: World) -> None:
    document = world.put("a.pdf", b"%PDF same")
    world.put("secret merger.pdf", b"%PDF same", container_id=SALES)

    receipt = world.deletion.delete_document(ANA, document.id)

    assert next(item.detail for item in receipt.items if item.what is What.ORIGINAL) == "Also used by another document."
    assert "merger" not in receipt.model_dump_json()


# --- versions


def versions(world: World) -> tuple[DocumentId, DocumentId]:
    first = world.put("rates.xlsx", b"1", b"%PDF 1")
    second = world.put("rates.xlsx", b"2", b"%PDF 1", version=2, first_version=first.id)
    world.library.change(first.id, replaced_by=second.id)
    return first.id, second.id


@pytest.mark.req("LIB-8")
@pytest.mark.parametrize("asked", [0, 1])
def test_all_versions_go_together_whichever_is_asked_for(world: World, asked: int) -> None:
    first, second = pair = versions(world)

    receipt = world.deletion.delete_document(ANA, pair[asked])

    assert [world.store.document(each) for each in pair] == [None, None]
    assert {document.id for document in receipt.documents} == {first, second}
    # The page PDF that both share is deleted with the last of them, not kept for one that goes as well.
    assert {item.fate for item in receipt.items if item.what is What.PAGE_PDF} == {Fate.DELETED}
    assert world.deletion.delete_document(ANA, pair[1 - asked]) == receipt


@pytest.mark.req("LIB-8")
def test_one_replaced_version_alone_can_be_purged(world: World) -> None:
    first, second = versions(world)
    current = world.store.document(second)
    assert current is not None

    receipt = world.deletion.delete_document(ANA, first, versions=False)

    assert world.store.document(first) is None
    assert world.store.document(second) == current
    assert world.rows(current) == (3, 3)
    assert fates(receipt)[What.PAGE_PDF] is Fate.KEPT
    assert world.has_file(current.canonical_hash)


@pytest.mark.req("LIB-8")
def test_the_current_version_does_not_go_without_the_earlier_ones(world: World) -> None:
    first, second = versions(world)
    with pytest.raises(PinciteError, match="is the current version"):
        world.deletion.delete_document(ANA, second, versions=False)
    assert world.store.document(first) is not None
    assert world.store.document(second) is not None
    assert world.deletion.receipts(ANA) == []


def test_a_single_version_is_the_whole_document(world: World) -> None:
    document = world.put("a.pdf", b"%PDF")
    world.deletion.delete_document(ANA, document.id, versions=False)
    assert world.is_gone(document)


# --- what fails


def breaking(part: object, name: str, error: BaseException, after: bool = False) -> Callable[[], None]:
    """Let a method of a part raise, before or after it has done its work; return how to mend it."""
    work = getattr(part, name)

    def broken(*args: object) -> object:
        if after:
            work(*args)
        raise error

    setattr(part, name, broken)
    return lambda: setattr(part, name, work)


FAILURES = {
    "vectors": ("vectors", "delete_document", What.VECTORS),
    "keywords": ("keywords", "delete_document", What.KEYWORDS),
    "tables": ("tables", "delete_document", What.TABLES),
    "files": ("blobs", "delete", What.ORIGINAL),
    "pictures": ("pictures", "clear", What.IMAGES),
}


@pytest.mark.parametrize("part", FAILURES)
def test_what_fails_is_said_the_others_go_on_and_it_is_tried_again(world: World, part: str) -> None:
    document = world.put("a.pdf", b"%PDF")
    owner, method, what = FAILURES[part]
    mend = breaking(getattr(world, owner), method, OSError(5, "Input/output error"))

    receipt = world.deletion.delete_document(ANA, document.id)

    assert receipt.open
    assert [(item.what, item.fate, item.detail) for item in receipt.left] == [
        (what, Fate.UNCONFIRMED, "Input/output error.")
    ]
    assert receipt.next_try_at is not None
    assert receipt.next_try_at > world.clock.now()
    assert world.store.document(document.id) is None
    assert world.deletion.receipts(ANA, open_only=True) == [receipt]

    mend()
    world.clock.advance(60)
    again = world.deletion.retry(ANA, receipt.id)

    assert world.is_gone(document)
    assert again.settled_at == world.clock.now()
    assert fates(again)[what] is Fate.DELETED
    assert world.deletion.receipts(ANA, open_only=True) == []
    history = [each.fate for each in world.deletion.history(ANA, receipt.id) if each.what is what]
    assert history == [Fate.UNCONFIRMED, Fate.DELETED]


def test_a_store_that_says_deleted_but_keeps_the_rows_is_not_believed(world: World) -> None:
    document = world.put("a.pdf", b"%PDF")
    world.vectors.delete_document = lambda *_: None  # type: ignore[method-assign]

    receipt = world.deletion.delete_document(ANA, document.id)

    (left,) = receipt.left
    assert (left.what, left.fate, left.detail) == (What.VECTORS, Fate.UNCONFIRMED, "3 of 3 are still there.")


def test_what_stays_broken_is_tried_less_and_less_often_and_never_given_up(world: World) -> None:
    document = world.put("a.pdf", b"%PDF")
    breaking(world.vectors, "delete_document", OSError(11, "Resource temporarily unavailable"))
    receipt = world.deletion.delete_document(ANA, document.id)
    waits = []
    for _ in range(8):
        assert receipt.next_try_at is not None
        waits.append((receipt.next_try_at - world.clock.now()).total_seconds())
        world.clock.advance(waits[-1])
        receipt = world.deletion.attempt(receipt.id)
    assert waits == sorted(waits)
    assert waits[0] == 60
    assert waits[-2:] == [86_400, 86_400]
    assert receipt.left[0].tries == 9


def test_a_document_that_is_still_read_in_waits_for_its_end(world: World) -> None:
    document = world.put("a.pdf", b"%PDF")
    world.letting_go = False

    receipt = world.deletion.delete_document(ANA, document.id)

    assert {item.what for item in receipt.left} == {What.VECTORS, What.KEYWORDS, What.TABLES}
    assert receipt.left[0].detail == "a.pdf is still being read in."
    assert world.store.document(document.id) is None

    world.index(document)  # the last rows of the ingestion come after the record went
    world.letting_go = True
    assert not world.deletion.retry(ANA, receipt.id).open
    assert world.is_gone(document)


def test_a_document_without_any_rows_takes_nothing_of_others_along(world: World) -> None:
    empty, other = world.put("empty.txt", b"x", b"%PDF x"), world.put("other.pdf", b"%PDF")
    world.vectors.delete_document(LEGAL, empty.id)
    world.keywords.delete_document(LEGAL, empty.id)
    world.store.save_chunks(empty.id, [])

    receipt = world.deletion.delete_document(ANA, empty.id)

    assert fates(receipt)[What.VECTORS] is Fate.ALREADY_GONE
    assert world.rows(other) == (3, 3)


# --- crashes


def kills(world: World) -> list[tuple[object, str]]:
    """Every call that changes something in a deletion, in order."""
    return [
        (world.receipts, "save_receipt"),
        (world.store, "save_document"),
        (world.store, "delete_document"),
        (world.vectors, "delete_document"),
        (world.keywords, "delete_document"),
        (world.tables, "delete_document"),
        (world.blobs, "delete"),
        (world.pictures, "clear"),
    ]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("number", range(8))
def test_a_deletion_that_was_killed_is_finished_at_the_next_start(world: World, number: int, after: bool) -> None:
    document, other = world.put("a.docx", b"docx", b"%PDF a"), world.put("b.pdf", b"%PDF b")
    part, method = kills(world)[number]
    mend = breaking(part, method, Killed(), after)
    with pytest.raises(Killed):
        world.deletion.delete_document(ANA, document.id)
    mend()

    taken_up = world.restart().resume()

    if number == 0 and not after:  # killed before the wish was written down: nothing has happened
        assert taken_up == 0
        assert world.store.document(document.id) == document
        return
    assert taken_up == 1
    assert world.is_gone(document)
    (receipt,) = world.deletion.receipts(ANA)
    assert not receipt.open
    # Also where the killed process had deleted before it could say so, the receipt says what was there.
    assert {item.what: item.before for item in receipt.items} == PARTS
    assert world.store.document(other.id) == other
    assert world.rows(other) == (3, 3)


@pytest.mark.parametrize("saves", range(2, 10))  # the wish, the record, six other parts, the end
def test_a_deletion_killed_between_any_two_steps_is_finished_at_the_next_start(world: World, saves: int) -> None:
    document = world.put("a.docx", b"docx", b"%PDF a")
    save, done = world.receipts.save_receipt, 0

    def save_so_many(receipt: Receipt, attempts: object = ()) -> None:
        nonlocal done
        done += 1
        if done == saves:
            raise Killed
        save(receipt, attempts)

    world.receipts.save_receipt = save_so_many  # type: ignore[method-assign, assignment]
    with pytest.raises(Killed):
        world.deletion.delete_document(ANA, document.id)
    world.receipts.save_receipt = save  # type: ignore[method-assign]
    assert world.restart().resume() == 1
    assert world.is_gone(document)
    (receipt,) = world.deletion.receipts(ANA)
    assert not receipt.open


def test_what_was_asked_for_is_not_found_after_a_restart_even_while_it_cannot_be_finished(world: World) -> None:
    document = world.put("a.pdf", b"%PDF")
    mend = breaking(world.store, "save_document", Killed())
    with pytest.raises(Killed):
        world.deletion.delete_document(ANA, document.id)
    mend()
    breaking(world.vectors, "delete_document", OSError(5, "Input/output error"))

    world.restart().resume()

    with pytest.raises(NotFound):
        world.library.document(ANA, document.id)


# --- what old answers say


def test_those_who_could_see_a_deleted_source_are_told_that_it_was_deleted(world: World) -> None:
    document, other = world.put("lease.docx.pdf", b"%PDF"), world.put("b.pdf", b"%PDF b")
    world.deletion.delete_document(ANA, document.id)
    sources = world.deletion.sources

    assert sources.when(ANA, [document.id, other.id]) == {document.id: world.clock.now()}
    day = world.clock.now()
    with pytest.raises(SourceDeleted, match=rf"lease\.docx was deleted on {day.day} {day:%B %Y}\."):
        sources.tell(ANA, document.id)

    assert sources.when(EVE, [document.id, other.id]) == {}
    sources.tell(EVE, document.id)  # says nothing
    sources.tell(ANA, other.id)
    assert sources.when(ANA, []) == {}


def test_once_the_container_is_gone_the_receipt_is_for_who_asked_and_for_administrators(world: World) -> None:
    receipt = world.deletion.delete_document(ANA, world.put("a.pdf", b"%PDF").id)
    world.store.delete_container(LEGAL)
    ana = Access(user_id=ANA.user_id, containers=frozenset())
    root = Access(user_id=UserId("root"), containers=frozenset(), administrator=True)

    assert world.deletion.receipts(ana) == world.deletion.receipts(root) == [receipt]
    assert world.deletion.retry(ana, receipt.id) == receipt
    assert world.deletion.receipts(EVE) == []


def test_while_the_container_is_there_who_is_no_member_any_more_sees_no_receipt_of_it(world: World) -> None:
    world.deletion.delete_document(ANA, world.put("a.pdf", b"%PDF").id)
    for administrator in (False, True):
        left = Access(user_id=ANA.user_id, containers=frozenset(), administrator=administrator)
        assert world.deletion.receipts(left) == []


def test_an_editor_sees_the_receipt_and_may_not_try_again(world: World) -> None:
    receipt = world.deletion.delete_document(ANA, world.put("a.pdf", b"%PDF").id)
    editor = Access(user_id=UserId("ed"), containers=frozenset([LEGAL]), roles={LEGAL: Role.EDITOR})
    assert world.deletion.receipts(editor) == [receipt]
    assert not world.deletion.may_retry(editor, receipt)
    with pytest.raises(NotAllowed):
        world.deletion.retry(editor, receipt.id)
    assert world.deletion.may_retry(ANA, receipt)
