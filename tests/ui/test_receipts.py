"""The receipts on the Settings screen, and a receipt in words."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ui.conftest import Library
from tests.ui.test_configuration import shown_html
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.domain.deletions import Fate, Receipt, What
from workbench.domain.ids import ContainerId, DocumentId
from workbench.settings import Settings
from workbench.ui import process, receipt_wording

pytestmark = pytest.mark.req("CHAT-2", "CHAT-3")


class Vectors(MemoryVectors):
    """Says that it deletes, and does so only while it is ``working``."""

    working = True

    def delete_document(self, container_id: ContainerId, document_id: DocumentId) -> None:
        if self.working:
            super().delete_document(container_id, document_id)


@pytest.fixture
def vectors() -> Vectors:
    return Vectors()


@pytest.fixture
def library(tmp_path: Path, vectors: Vectors) -> Iterator[Library]:
    workbench = bootstrap.build(Settings(home=tmp_path), embedder=HashingEmbedder(), vectors=vectors)
    process.install(workbench)
    yield Library(workbench)
    process.close()


def deleted(library: Library, pdf: Callable[..., bytes], name: str = "lease.pdf") -> Receipt:
    document = library.add(name, pdf(f"Payment for {name} is due within 45 days."))
    return library.workbench.deletion.delete_document(library.access, document.id)


def test_without_a_deletion_there_is_no_section(library, open_screen) -> None:
    assert "Receipts" not in [each.value for each in open_screen("settings").subheader]


def test_what_is_done_is_listed_part_by_part(library, open_screen, pdf) -> None:
    receipt = deleted(library, pdf, "lease <b>.pdf")
    at = open_screen("settings")
    shown = shown_html(at)
    assert "Receipts" in [each.value for each in at.subheader]
    assert "Everything that was deleted is confirmed to be gone." in shown
    assert "lease &lt;b&gt;.pdf" in shown
    for item in receipt.items:
        assert item.what.value in shown
    assert not [button for button in at.button if "Try again" in button.label]


def test_what_is_left_is_said_and_can_be_tried_again(library, vectors, open_screen, pdf) -> None:
    vectors.working = False
    receipt = deleted(library, pdf)
    assert [item.what for item in receipt.left] == [What.VECTORS]
    at = open_screen("settings")
    shown = shown_html(at)
    assert "Not confirmed yet: vectors. It is tried again." in shown
    assert "Next attempt:" in shown
    assert "1 of 1 are still there." in shown

    vectors.working = True
    next(button for button in at.button if button.label == "Try again now").click().run()

    assert not at.exception
    assert "Everything that was deleted is confirmed to be gone." in shown_html(at)
    assert not library.workbench.deletion.receipt(library.access, receipt.id).open


def test_a_receipt_in_one_line(library, vectors, pdf) -> None:
    done = deleted(library, pdf)
    vectors.working = False
    waiting = deleted(library, pdf, "other.pdf")
    assert receipt_wording.told(done) == "lease.pdf is deleted; every part was looked for and is gone."
    assert receipt_wording.left(done) == ""
    assert receipt_wording.told(waiting) == (
        "other.pdf is deleted here. Not confirmed yet: vectors. It is tried again. See Receipts on the Settings screen."
    )
    kept = tuple(item.model_copy(update={"fate": Fate.KEPT}) for item in done.items if item.what is What.ORIGINAL)
    assert receipt_wording.told(done.with_items(kept)) == (
        "lease.pdf is deleted. Kept, as something else uses it: original file."
    )


def test_a_part_that_there_never_was_is_not_said_to_have_gone(library, pdf) -> None:
    rows = [receipt_wording.row(item) for item in deleted(library, pdf).items]
    assert ("tables: lease.pdf", "0", "there was none") in rows
    assert ("passages: lease.pdf", "1", "deleted") in rows
