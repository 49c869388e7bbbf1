"""What an old answer may say of a source that is gone: that it was deleted, and when, to those who could see it."""

from collections.abc import Iterable
from datetime import datetime

from workbench.domain.deletions import DeletedDocument, Receipt
from workbench.domain.errors import SourceDeleted
from workbench.domain.ids import DocumentId
from workbench.domain.scope import Access
from workbench.services.ports import ReceiptStore


class DeletedSources:
    """Tells of deleted documents by their receipts. Who may not see the container learns nothing."""

    def __init__(self, receipts: ReceiptStore) -> None:
        self._receipts = receipts

    def when(self, access: Access, document_ids: Iterable[DocumentId]) -> dict[DocumentId, datetime]:
        """Return when each of these documents was deleted; those that were not, or not for this user, are left out."""
        wanted = set(document_ids)
        return {document.id: receipt.asked_at for receipt, document in self._found(access, wanted)}

    def tell(self, access: Access, document_id: DocumentId, name: str = "") -> None:
        """Raise SourceDeleted where the document was deleted and the user could see it; else do nothing.

        ``name`` is what the answer calls it.
        """
        for receipt, document in self._found(access, {document_id}):
            at = receipt.asked_at
            raise SourceDeleted(
                f"{name or document.display_name} was deleted on {at.day} {at:%B %Y}.",
                "Answers that cited it keep their text, but its pages are gone.",
                at,
            )

    def _found(self, access: Access, wanted: set[DocumentId]) -> list[tuple[Receipt, DeletedDocument]]:
        receipts = self._receipts.receipts_of(sorted(wanted)) if wanted else []
        return [
            (receipt, document)
            for receipt in receipts
            if receipt.visible_to(access)
            for document in receipt.documents
            if document.id in wanted
        ]
