"""The use case of deleting: ask for it, read the receipt, try again what is left."""

import logging
import threading
from collections.abc import Collection, Sequence

from workbench.domain.deletions import Attempt, Receipt, ReceiptItem, deleted_document
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import ContainerId, ConversationId, DocumentId, ReceiptId, new_id
from workbench.domain.rights import Access, Action, allowed, require
from workbench.services.conversations import Conversations
from workbench.services.deletion.attempts import Attempts
from workbench.services.deletion.conversations import ConversationPlan
from workbench.services.deletion.deleted_sources import DeletedSources
from workbench.services.deletion.documents import DocumentPlan
from workbench.services.deletion.runner import BackgroundRunner, Runner
from workbench.services.library import Library
from workbench.services.ports import Clock, ReceiptStore

log = logging.getLogger(__name__)

PATIENCE = 4.0
"""Seconds that a caller waits for the first attempt; what takes longer goes on in the background."""


class Deletion:
    """Deletes documents and conversations for a user, each with a receipt that is open until all is known to be gone."""

    def __init__(
        self,
        *,
        library: Library,
        conversations: Conversations,
        receipts: ReceiptStore,
        document_plan: DocumentPlan,
        conversation_plan: ConversationPlan,
        clock: Clock,
        runner: Runner | None = None,
    ) -> None:
        self._library = library
        self._conversations = conversations
        self._receipts = receipts
        self._document_plan = document_plan
        self._conversation_plan = conversation_plan
        self._clock = clock
        self._attempts = Attempts(receipts, {"document": document_plan, "conversation": conversation_plan}, clock)
        self._runner = runner or BackgroundRunner(self.attempt, clock)
        self._asking = threading.Lock()
        self.sources = DeletedSources(receipts)

    def delete_document(self, access: Access, document_id: DocumentId, *, versions: bool = True) -> Receipt:
        """Delete a document with all its versions, or with ``versions=False`` one replaced version alone.

        Nothing of it is found once this returns; the receipt says what is confirmed by then, and is open where something is
        left, which goes on in the background. Deleting it again returns the receipt that there is. Raises NotFound where the
        document is missing or not the user's, NotAllowed where
        the user is no owner there, PinciteError for a single version that is the current one of several.
        """
        with self._asking:  # so that two tabs that delete at once get one receipt
            known = self._known(access, document_id)
            if known is None:
                document = self._library.document_for(access, document_id, Action.DELETE_DOCUMENTS)
                chosen = self._library.versions(access, document_id) if versions else [document]
                if (
                    not versions
                    and document.replaced_by is None
                    and len(self._library.versions(access, document_id)) > 1
                ):
                    raise PinciteError(
                        f"{document.display_name} is the current version.",
                        "Delete the document with all its versions, or choose a version that was replaced.",
                    )
                known = self._document_receipt(access, document, chosen)
                self._receipts.save_receipt(known)
        return self._go_on(known)

    def delete_conversation(
        self, access: Access, conversation_id: ConversationId, *, reason: str = "", wait: bool = True
    ) -> Receipt:
        """Delete a conversation, here and at the providers of its models; a turn that runs is stopped first.

        Our own rows are gone once this returns; with ``wait=False`` the providers are asked later. ``reason`` stands on the
        receipt where it was not the user who asked. Raises NotFound where the conversation is missing or another user's.
        """
        with self._asking:
            known = self._known(access, conversation_id)
            if known is None:
                conversation = self._conversations.get(access, conversation_id)
                day = conversation.created_at
                known = Receipt(
                    id=ReceiptId(new_id("rcpt")),
                    kind="conversation",
                    subject=conversation.id,
                    name=f"Conversation of {day.day} {day:%B %Y}",
                    asked_by=access.user_id,
                    asked_at=self._clock.now(),
                    reason=reason,
                    items=self._conversation_plan.items(conversation),
                )
                self._receipts.save_receipt(known)
        return self._go_on(known, PATIENCE if wait else 0.0)

    def receipts(self, access: Access, *, open_only: bool = False) -> list[Receipt]:
        """Return the receipts that the user may see, the latest first."""
        there = self._library.container_ids()
        return [each for each in self._receipts.receipts(open_only=open_only) if _visible(each, access, there)]

    def receipt(self, access: Access, receipt_id: ReceiptId) -> Receipt:
        """Return a receipt; raise NotFound where it is missing or not for this user."""
        receipt = self._receipts.receipt(receipt_id)
        if receipt is None or not _visible(receipt, access, self._library.container_ids()):
            raise NotFound("There is no such receipt, or it is not yours.", "Choose from the list of receipts.")
        return receipt

    def history(self, access: Access, receipt_id: ReceiptId) -> list[Attempt]:
        """Return every attempt behind a receipt, oldest first."""
        return self._receipts.attempts(self.receipt(access, receipt_id).id)

    def retry(self, access: Access, receipt_id: ReceiptId) -> Receipt:
        """Try now what is left, without waiting for its time. Raises NotFound, and NotAllowed where the user is no owner."""
        receipt = self.receipt(access, receipt_id)
        if receipt.container_id is not None and receipt.container_id in self._library.container_ids():
            require(access, receipt.container_id, Action.DELETE_DOCUMENTS)
        return self._go_on(receipt)

    def may_retry(self, access: Access, receipt: Receipt) -> bool:
        """Tell whether :meth:`retry` would be allowed for a receipt that the user sees."""
        where = receipt.container_id
        if where is None or where not in self._library.container_ids():
            return True
        return allowed(access, where, Action.DELETE_DOCUMENTS)

    def attempt(self, receipt_id: ReceiptId) -> Receipt:
        """Make one attempt at everything that is left of a receipt, for the runner; return it as it stands then."""
        return self._attempts.run(receipt_id)

    def resume(self) -> int:
        """Take up what an earlier run left open; return how many receipts that is. To be called once, at the start.

        What was asked to be deleted is not found any more when this returns, even where the run ended right after the asking.
        """
        left = self._receipts.receipts(open_only=True)
        for receipt in left:
            self._attempts.begin(receipt.id)
            self._runner.submit(receipt.id)
        return len(left)

    def close(self) -> None:
        """End the attempt under way; what is left is taken up at the next start."""
        self._runner.close()

    def _go_on(self, receipt: Receipt, patience: float = PATIENCE) -> Receipt:
        if not receipt.open:
            return receipt
        self._attempts.begin(receipt.id)
        self._runner.submit(receipt.id)
        self._runner.wait(receipt.id, patience)
        return self._receipts.receipt(receipt.id) or receipt

    def _known(self, access: Access, subject: str) -> Receipt | None:
        """Return the receipt under which this is deleted, or was."""
        there = self._library.container_ids()
        found = self._receipts.receipts_of([subject])
        return next((each for each in found if _visible(each, access, there)), None)

    def _document_receipt(self, access: Access, document: Document, chosen: Sequence[Document]) -> Receipt:
        items: list[ReceiptItem] = []
        for each in chosen:
            items += self._document_plan.items(each)
        return Receipt(
            id=ReceiptId(new_id("rcpt")),
            kind="document",
            subject=document.id,
            name=document.display_name,
            container_id=document.container_id,
            container=self._library.container(access, document.container_id).name,
            documents=tuple(deleted_document(each) for each in chosen),
            asked_by=access.user_id,
            asked_at=self._clock.now(),
            items=tuple(items),
        )


def _visible(receipt: Receipt, access: Access, there: Collection[ContainerId]) -> bool:
    return receipt.visible_to(access, container_gone=receipt.container_id not in there)
